"""Reviews on a cluster: the files equal those of one process."""

import pytest

from engine import PlayerOptions
from gtp.review.apart import review_on_cluster
from gtp.review.games import ReviewOptions, review_records, write_review
from gtp.review.jobs import Job, Outputs
from patterns_db.shipped import load_knowledge

pytestmark = pytest.mark.filterwarnings("default")  # Dask's own warnings are not ours to fix


def written(reviews):
    """Write the files of reviews; return the error and the report of each."""
    done = map(write_review, reviews)
    return {one.source: (one.error, one.report) for one in done}


def test_reviews_on_a_cluster_write_the_serial_files(cluster, tmp_path):
    record = b"(;GM[1]SZ[4]KM[0.5];B[bb];W[cc];B[bc];W[cb])"
    folders = [tmp_path / name for name in ("serial", "cluster")]
    jobs = [
        [
            Job(name, data, Outputs(folder / f"{name}.sgf", json=folder / f"{name}.json"))
            for name, data in (("one", record), ("bad", b"("), ("two", record))
        ]
        for folder in folders
    ]
    options = ReviewOptions(PlayerOptions(playouts=4, threads=1, seed=1, memory_mib=16))
    serially = written(review_records(jobs[0], options, load_knowledge()))
    apart = written(review_on_cluster(cluster, jobs[1], options, None))
    assert apart == serially
    assert apart["bad"][0]
    assert not apart["one"][0]
    for name in ("one.sgf", "one.json", "two.sgf", "two.json"):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
    assert not (folders[1] / "bad.sgf").exists()
