"""Reviews on a cluster. Each record is a task that returns a report and files.

Workers may share no folder with the client, so only the client writes files.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gtp.review.games import Reviewed, ReviewOptions, review_record
from gtp.review.jobs import Job
from patterns_db.shipped import PATTERN_TABLE, load_knowledge

if TYPE_CHECKING:
    from patterns_db.cluster.tasks import Cluster


def review_apart(job: Job, options: ReviewOptions, patterns: Path | None) -> Reviewed:
    """Review one record. Return the report and the files to write.

    patterns  a table file on the worker; None: the included table
    """
    return review_record(job, options, load_knowledge(patterns or PATTERN_TABLE))


def review_on_cluster(
    cluster: "Cluster", jobs: Sequence[Job], options: ReviewOptions, patterns: Path | None
) -> Iterator[Reviewed]:
    """Review records on a cluster. Yield each result as soon as it is ready.

    Raises ClusterFailed when the cluster fails.
    """
    arguments = [(job, options, patterns) for job in jobs]
    for _, reviewed in cluster.results(review_apart, arguments):
        yield reviewed
