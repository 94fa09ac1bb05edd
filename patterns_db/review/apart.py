"""Reviews on a cluster: each record is a task, and what it would write comes back as bytes.

Workers may have no folder in common with whoever asked, so only the client writes files.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine import BadSetup, SgfError
from patterns_db.review.games import Job, Outputs, Reviewed, ReviewOptions, review_record
from patterns_db.shipped import PATTERN_TABLE, load_knowledge
from patterns_db.whole_files import write_whole

if TYPE_CHECKING:
    from patterns_db.cluster.tasks import Cluster

Files = tuple[bytes | None, ...]  # in the order of Outputs


def review_apart(job: Job, options: ReviewOptions, patterns: Path | None) -> tuple[Reviewed, Files]:
    """Review one record; return what came of it and the files that it writes.

    patterns  a table of the worker's; None: the one that comes along
    """
    knowledge = load_knowledge(patterns or PATTERN_TABLE)
    with tempfile.TemporaryDirectory() as folder:
        # Files that stand side by side name one another, so they stay so.
        sides = {path.parent: str(i) for i, path in enumerate(job.outputs) if path is not None}
        places = [path and Path(folder, sides[path.parent], path.name) for path in job.outputs]
        for place in places:
            if place is not None:
                place.parent.mkdir(exist_ok=True)
        try:
            reviewed = review_record(job._replace(outputs=Outputs(*places)), options, knowledge)
        except (SgfError, BadSetup) as error:
            return Reviewed(job.source, error=str(error)), (None, None, None)
        return reviewed, tuple(None if place is None else place.read_bytes() for place in places)


def review_on_cluster(
    cluster: "Cluster", jobs: Sequence[Job], options: ReviewOptions, patterns: Path | None
) -> Iterator[Reviewed]:
    """Review records on a cluster; yield what came of each as it is finished and written.

    Raises ClusterFailed when the cluster cannot go on; what was written stays.
    """
    arguments = [(job, options, patterns) for job in jobs]
    for number, (reviewed, files) in cluster.results(review_apart, arguments):
        outputs = jobs[number].outputs
        try:
            # The record last: where it is, a game is finished.
            for path, data in (*zip(outputs, files, strict=True),)[::-1]:
                if path is not None and data is not None:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    write_whole(path, data)
        except OSError as error:
            reviewed = Reviewed(reviewed.source, error=f"{error.filename}: {error.strerror}")
        yield reviewed
