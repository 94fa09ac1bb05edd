"""Ranks of players, as servers, programs and people write them."""

import pytest

from patterns_db.records.ranks import kyu_of


@pytest.mark.parametrize(
    ("text", "kyu"),
    [("12k", 12), ("1k", 1), ("1d", 0), ("3d", -2), (" 7K?", 7), ("5d*", -4), ("9p", -8),
     ("2 kyu", 2), ("6 Dan", -5), ("18级", 18), ("3級", 3), ("4급", 4), ("9段", -8), ("2단", -1),
     ("初段", 0), ("八段", -7), ("３段", -2),
     (None, None), ("", None), ("0k", None), ("strong", None), ("-3k", None), ("100k", None),
     ("٣k", None), ("NR", None)],
)  # fmt: skip
def test_ranks_as_numbers(text, kyu):
    assert kyu_of(text) == kyu


def test_ranks_counted_up():
    """The server numbers ranks from the weakest: 28 is two ranks below the first dan."""
    assert [kyu_of(text, counted_up=True) for text in ("28k", "1k", "1d")] == [2, 29, 0]
