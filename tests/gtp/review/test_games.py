"""Reviews of single records: the errors that become results, and the end of a review."""

import threading

import pytest

from engine import Knowledge, PlayerOptions
from engine.review import Stopped
from gtp.review.games import ReviewOptions, review_record
from gtp.review.jobs import Job

OPTIONS = ReviewOptions(PlayerOptions(playouts=4, threads=1, seed=1, memory_mib=16))


def test_a_review_that_is_stopped_is_no_failed_one():
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped):
        review_record(Job("a.sgf", b"(;SZ[5];B[cc])"), OPTIONS, Knowledge(), stop)


def test_an_unreadable_record_is_a_result():
    assert review_record(Job("a.sgf", b"no game"), OPTIONS, Knowledge()).error.startswith("a.sgf: ")
