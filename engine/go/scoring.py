"""Scores of a position with known dead stones: area and territory counting.

The slow twin is tests/reference/scoring.py.
"""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from engine.go.board import BLACK, COLOR, EMPTY, SIZE, WALL, WHITE, Board, Mask, Points
from engine.go.components import distances
from engine.go.geometry import AREA, STRIDE, neighbors
from engine.jit import kernel

NEUTRAL = 3  # equals WALL and both colors' bits: a region bordering it has no owner


@kernel
def fill_region(colors: Mask, start: int, stack: Points) -> tuple[int, int]:
    """Mark the empty points around one as NEUTRAL; return (their number, the color around them).

    stack    int64[AREA], holds the region's points afterwards
    returns  BLACK or WHITE if alone at the border, else NEUTRAL
    """
    borders = 0
    filled = 0
    count = 1
    stack[0] = start
    colors[start] = NEUTRAL
    while filled < count:
        point = stack[filled]
        filled += 1
        for near in neighbors(point):
            color = np.int64(colors[near])
            if color == EMPTY:
                colors[near] = NEUTRAL
                stack[count] = near
                count += 1
            elif color != NEUTRAL:
                borders |= color
    return count, borders if borders != EMPTY else NEUTRAL


@kernel
def own_points(board: Board, dead: Mask, owner: Mask, stack: Points) -> None:
    """Find the owner of each point after removing the dead stones.

    A region of points without living stones belongs to the only color that borders it.
    dead   uint8[AREA], 1 at each dead stone
    owner  uint8[AREA], in place: BLACK, WHITE, NEUTRAL (dame), or EMPTY off the board
    """
    for point in range(AREA):
        owner[point] = EMPTY if dead[point] else board[COLOR + point]
    size = np.int64(board[SIZE])
    for row in range(1, size + 1):
        for start in range(row * STRIDE + 1, row * STRIDE + size + 1):
            if owner[start] == EMPTY:
                count, color = fill_region(owner, start, stack)
                for i in range(count):
                    owner[stack[i]] = color
    for point in range(AREA):
        if board[COLOR + point] == WALL:
            owner[point] = EMPTY


def point_owners(board: Board, dead: Collection[int] = ()) -> npt.NDArray[np.uint8]:
    """Return uint8[AREA]: BLACK, WHITE or NEUTRAL for each point of the board, else 0."""
    dead_mask = np.zeros(AREA, np.uint8)
    dead_mask[list(dead)] = 1
    owner = np.zeros(AREA, np.uint8)
    own_points(board, dead_mask, owner, np.zeros(AREA, np.int64))
    return owner


def area_score(board: Board, dead: Collection[int] = ()) -> int:
    """Return Black's area minus White's, in points, without komi."""
    owner = point_owners(board, dead)
    return int(np.sum(owner == BLACK)) - int(np.sum(owner == WHITE))


def territory_score(
    board: Board,
    owner: Mask,
    captures: tuple[int, int],
    dead: Collection[int] = (),
    seki: Collection[int] = (),
) -> int:
    """Return Black's territory and prisoners minus White's, in points, without komi.

    owner     of each point without the dead stones, as ``point_owners`` returns it
    captures  stones captured during the game by Black and by White
    dead      dead stones: taken off as prisoners, their points are territory
    seki      stones alive in seki: regions that touch one of them are not territory
    """
    colors = board[COLOR : COLOR + AREA]
    dead_set = set(dead)
    living = (colors == BLACK) | (colors == WHITE)
    # The point of a dead stone is territory. The stone itself becomes a prisoner below.
    living[list(dead_set)] = False
    no_territory = _regions_touching(owner, living, set(seki)) if seki else np.zeros(AREA, bool)
    counted = ~living & ~no_territory
    score = int(np.sum(counted & (owner == BLACK))) - int(np.sum(counted & (owner == WHITE)))
    for point in dead_set:
        score += 1 if colors[point] == WHITE else -1
    return score + captures[0] - captures[1]


def _regions_touching(
    owner: npt.NDArray[np.uint8], living: npt.NDArray[np.bool_], stones: set[int]
) -> npt.NDArray[np.bool_]:
    """Return a mask of all points in regions without living stones that touch some stones."""
    touching = np.zeros(AREA, bool)
    touching[list(distances(stones, lambda p: bool(owner[p] != EMPTY and not living[p])))] = True
    return touching & ~living
