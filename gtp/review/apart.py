"""Reviews on a cluster: each record is a task; its remarks and files come back from it.

Workers may have no folder in common with the client, so only the client writes files.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gtp.review.games import Reviewed, ReviewOptions, review_safely
from gtp.review.jobs import Job
from patterns_db import PATTERN_TABLE, load_knowledge

if TYPE_CHECKING:
    from patterns_db import Cluster


def review_apart(job: Job, options: ReviewOptions, patterns: Path | None) -> Reviewed:
    """Review one record; return remarks and the files that are to be written.

    patterns  a table of the worker's; None: the one that comes along
    """
    return review_safely(job, options, load_knowledge(patterns or PATTERN_TABLE))


def review_on_cluster(
    cluster: "Cluster", jobs: Sequence[Job], options: ReviewOptions, patterns: Path | None
) -> Iterator[Reviewed]:
    """Review records on a cluster; yield what came of each as it is finished.

    Raises ClusterFailed when the cluster cannot go on.
    """
    arguments = [(job, options, patterns) for job in jobs]
    for _, reviewed in cluster.results(review_apart, arguments):
        yield reviewed
