"""The outline of a position: its chains and empty regions, and the liberties of its chains.

A part is a maximal set of connected points of one color: a chain, or a region of empty points. The
slow twin is tests/reference/picture.py.
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
    """The parts of a position, numbered by their first points, and the liberties of its chains.

    part_at    int64[AREA], number of the part at a point, -1 at a wall
    points     int64[AREA], the points of all parts, part by part, each in order
    begins     int64[AREA + 1], index of a part's first entry in ``points``; one more at the end
    liberties  int64[4 * AREA], the liberties of all chains, chain by chain, each in order
    breaths    int64[AREA + 1], index of a part's first entry in ``liberties``; one more at the end
    """

    part_at: Points
    points: Points
    begins: Points
    liberties: Points
    breaths: Points


def new_outline() -> Outline:
    """Return an outline without parts."""
    part_at, points = np.full(AREA, -1, np.int64), np.zeros(AREA, np.int64)
    begins, breaths = np.zeros(AREA + 1, np.int64), np.zeros(AREA + 1, np.int64)
    return Outline(part_at, points, begins, np.zeros(4 * AREA, np.int64), breaths)


@kernel
def draw_outline(colors: Colors, outline: Outline) -> int:
    """Find the parts of a position and the liberties of its chains.

    colors   uint16[AREA]
    outline  as ``new_outline`` returns it; changes in place
    returns  int64, number of parts
    """
    part_at, begins, breaths = outline.part_at, outline.begins, outline.breaths
    stack = outline.points  # free until the second pass
    count = 0
    for start in range(AREA):
        if colors[start] == WALL or part_at[start] >= 0:
            continue
        waiting = 1
        stack[0], part_at[start] = start, count
        while waiting > 0:
            waiting -= 1
            for near in neighbors(stack[waiting]):
                if colors[near] == colors[start] and part_at[near] < 0:
                    part_at[near] = count
                    stack[waiting] = near
                    waiting += 1
        count += 1
    # Two passes over the board sort the points of each part: the first counts, the second writes.
    for part in range(count + 1):
        begins[part] = breaths[part] = 0
    for point in range(AREA):
        if part_at[point] >= 0:
            begins[part_at[point] + 1] += 1
            if colors[point] == EMPTY:
                _add_breath(colors, outline, point, False)
    for part in range(count):
        begins[part + 1] += begins[part]
        breaths[part + 1] += breaths[part]
    for point in range(AREA):
        if part_at[point] >= 0:
            outline.points[begins[part_at[point]]] = point
            begins[part_at[point]] += 1
            if colors[point] == EMPTY:
                _add_breath(colors, outline, point, True)
    # Writing moved each beginning to the next one.
    for part in range(count, 0, -1):
        begins[part], breaths[part] = begins[part - 1], breaths[part - 1]
    begins[0] = breaths[0] = 0
    return count


@kernel
def _add_breath(colors: Colors, outline: Outline, point: int, writes: bool) -> None:
    """Count an empty point as a liberty of each chain around it, or write it to their lists."""
    around = neighbors(point)
    for i in range(4):
        if colors[around[i]] == EMPTY or colors[around[i]] == WALL:
            continue
        part = outline.part_at[around[i]]
        is_repeated = False
        for j in range(i):
            is_repeated |= outline.part_at[around[j]] == part
        if is_repeated:
            continue
        if writes:
            outline.liberties[outline.breaths[part]] = point
            outline.breaths[part] += 1
        else:
            outline.breaths[part + 1] += 1
