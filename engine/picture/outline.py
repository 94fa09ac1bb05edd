"""The outline of a position: its chains and their liberties.

The slow twin is tests/reference/picture.py.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import EMPTY, WALL, Points
from engine.go.geometry import AREA, neighbors
from engine.jit import kernel

Colors = npt.NDArray[np.uint16]
"""uint16[AREA], the color of each point: EMPTY, BLACK, WHITE or WALL."""


class Outline(NamedTuple):
    """The chains of a position, numbered by their first stones, and their liberties.

    chain_at   int64[AREA], number of the chain at a point, -1 where there is none
    stones     int64[AREA], the stones of all chains, chain by chain, each in order
    begins     int64[AREA + 1], index of a chain's first entry in ``stones``; one more at the end
    liberties  int64[4 * AREA], in the same way, and their beginnings, ``breaths``
    """

    chain_at: Points
    stones: Points
    begins: Points
    liberties: Points
    breaths: Points


def new_outline() -> Outline:
    """Return an outline without chains."""
    chain_at, stones = np.full(AREA, -1, np.int64), np.zeros(AREA, np.int64)
    begins, breaths = np.zeros(AREA + 1, np.int64), np.zeros(AREA + 1, np.int64)
    return Outline(chain_at, stones, begins, np.zeros(4 * AREA, np.int64), breaths)


@kernel
def draw_outline(colors: Colors, outline: Outline) -> int:
    """Find the chains of a position and their liberties, in place; return their number."""
    chain_at, begins, breaths = outline.chain_at, outline.begins, outline.breaths
    stack = outline.stones  # free until the second pass
    count = 0
    for start in range(AREA):
        if colors[start] == WALL or colors[start] == EMPTY or chain_at[start] >= 0:
            continue
        waiting = 1
        stack[0], chain_at[start] = start, count
        while waiting > 0:
            waiting -= 1
            for near in neighbors(stack[waiting]):
                if colors[near] == colors[start] and chain_at[near] < 0:
                    chain_at[near] = count
                    stack[waiting] = near
                    waiting += 1
        count += 1
    # Two passes over the board sort the points of each chain: the first counts, the second writes.
    for point in range(AREA):
        if chain_at[point] >= 0:
            begins[chain_at[point] + 1] += 1
        elif colors[point] == EMPTY:
            _add_breath(outline, point, False)
    for chain in range(count):
        begins[chain + 1] += begins[chain]
        breaths[chain + 1] += breaths[chain]
    for point in range(AREA):
        if chain_at[point] >= 0:
            outline.stones[begins[chain_at[point]]] = point
            begins[chain_at[point]] += 1
        elif colors[point] == EMPTY:
            _add_breath(outline, point, True)
    # Writing moved each beginning to the next one.
    for chain in range(count, 0, -1):
        begins[chain], breaths[chain] = begins[chain - 1], breaths[chain - 1]
    begins[0] = breaths[0] = 0
    return count


@kernel
def _add_breath(outline: Outline, point: int, writes: bool) -> None:
    """Count an empty point as a liberty of each chain around it, or write it to their lists."""
    around = neighbors(point)
    for i in range(4):
        chain = outline.chain_at[around[i]]
        is_met = chain < 0
        for j in range(i):
            is_met |= outline.chain_at[around[j]] == chain
        if is_met:
            continue
        if writes:
            outline.liberties[outline.breaths[chain]] = point
            outline.breaths[chain] += 1
        else:
            outline.breaths[chain + 1] += 1
