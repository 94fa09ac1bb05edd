"""Levels by name: all of them, in order, each allowed a little more than the one below."""

from itertools import pairwise

import pytest

from engine import BadSetup, level_options
from engine.player.levels import LEVELS

ALL = [level_options(name) for name in LEVELS]


def test_from_20k_to_5d():
    assert len(LEVELS) == 25
    assert LEVELS[0] == "20k"
    assert LEVELS[19:21] == ("1k", "1d")
    assert LEVELS[-1] == "5d"
    assert [level.name for level in ALL] == list(LEVELS)
    assert [level.kyu for level in ALL] == list(range(20, -5, -1))
    assert level_options("3D") == level_options("3d")


@pytest.mark.parametrize(
    "name", ["", "k", "21k", "0k", "0d", "6d", "05k", "1.5k", "5p", "full", "²k", "٣k", "1" * 99]
)
def test_other_names_are_refused(name):
    with pytest.raises(BadSetup, match="no such level"):
        level_options(name)


def test_a_level_is_weaker_in_nothing_than_the_one_below():
    for below, level in pairwise(ALL):
        assert level.playouts >= below.playouts
        ideas = [99.0 if one.ideas is None else one.ideas for one in (below, level)]
        assert ideas[0] <= ideas[1]
        # and better in something
        assert (ideas[0], below.playouts) != (ideas[1], level.playouts)


def test_dan_levels_search_all_moves_and_the_weakest_plays_what_comes_to_mind_first():
    assert all((level.ideas is None) == level.name.endswith("d") for level in ALL)
    assert ALL[0].ideas == 1.0


def test_larger_boards_get_more_roll_outs():
    level = level_options("1d")
    assert level.playouts_on(9) == level.playouts
    assert level.playouts_on(18) == 2 * level.playouts
    assert level._replace(playouts=1).playouts_on(2) == 1
