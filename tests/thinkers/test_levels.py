"""Levels by name: all of them, in order, each allowed a little more than the one below."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BadSetup, level_options
from engine.thinkers.levels import LEVELS, human_temperature
from tests.reference import levels as twin

ALL = [level_options(name) for name in LEVELS]


def test_from_20k_to_5d():
    assert len(LEVELS) == 25
    assert LEVELS[0] == "20k"
    assert LEVELS[19:21] == ("1k", "1d")
    assert LEVELS[-1] == "5d"
    assert [level.name for level in ALL] == list(LEVELS)
    assert level_options("3D") == level_options("3d")


@pytest.mark.parametrize(
    "name", ["", "k", "21k", "0k", "0d", "6d", "-1k", "1.5k", "5p", "full", "²k", "٣k", "1" * 99]
)
def test_other_names_are_refused(name):
    with pytest.raises(BadSetup, match="no such level"):
        level_options(name)


def test_a_level_is_weaker_in_nothing_than_the_one_below():
    for below, level in pairwise(ALL):
        assert level.temperature <= below.temperature
        assert level.sight >= below.sight
        assert level.playouts >= below.playouts
        ideas = [99.0 if one.ideas is None else one.ideas for one in (below, level)]
        assert ideas[0] <= ideas[1]
        # and better in something
        assert below._replace(name="") != level._replace(name="")


def test_what_is_searched_in_full_is_not_handicapped():
    strongest = [level for level in ALL if level.name.endswith("d")]
    assert all(level.ideas is None and level.sight == 1.0 for level in strongest)


def test_no_level_draws_less_freely_than_people():
    for number, level in zip(range(20, 0, -1), ALL, strict=False):
        assert level.temperature >= human_temperature(number) > 1.0


def test_larger_boards_get_more_roll_outs():
    level = level_options("1d")
    assert level.playouts_on(9) == level.playouts
    assert level.playouts_on(18) == 2 * level.playouts
    assert level._replace(playouts=1).playouts_on(2) == 1


@given(st.sampled_from(ALL), st.integers(1, 4), st.integers(1, 12))
def test_what_a_level_sees(level, liberties, stones):
    found = level.sees(liberties, stones)
    assert found == pytest.approx(twin.seen(level.sight, liberties, range(stones)))
    assert level.sees(liberties, stones + 1) >= found >= level.sees(liberties + 1, stones)
