"""Words for chains and their fates."""

import numpy as np
import pytest

from engine import BLACK, WHITE, parse_vertex
from engine.explain.outcomes import chain_fates
from engine.explain.wording import named, the_chain, the_group
from engine.go.geometry import AREA
from tests.diagrams import game_of

CHAINS = """
    . . . . .
    . X X . .
    . . . . .
    . O . . .
    . . . . ."""


def test_fates_are_shares_of_each_chains_own_color():
    first, second = np.zeros(AREA), np.zeros(AREA)
    first[[parse_vertex(vertex, 5) for vertex in ("B4", "C4", "B2")]] = 0.8, 0.4, 0.5
    fates = sorted(chain_fates(game_of(CHAINS), first, second), key=lambda fate: fate.color)
    assert [fate.color for fate in fates] == [BLACK, WHITE]
    assert [named(fate.stones) for fate in fates] == ["B4 (2 stones)", "B2 (1 stone)"]
    assert [fate.lives for fate in fates] == [pytest.approx(0.8), 0.25]
    assert [fate.lived for fate in fates] == [0.5, 0.5]
    assert [the_chain(fate.stones) for fate in fates] == ["the two stones at B4", "the stone at B2"]
    assert the_group(fates[0].stones) == "the group of the two stones at B4"
    assert the_chain(list(range(200, 212))).startswith("the 12 stones at ")
