"""Scores of a position whose dead stones are known: area and territory counting.

The slow twin is tests/reference/scoring.py.
"""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from engine.go.board import BLACK, COLOR, EMPTY, SIZE, WALL, WHITE, Board, Mask, Points
from engine.go.geometry import AREA, STRIDE
from engine.jit import kernel

NEUTRAL = 3


@kernel
def own_points(board: Board, dead: Mask, owner: Mask, stack: Points) -> None:
    """Find who owns each point when the dead stones have been taken off.

    A region of points without living stones belongs to the color that alone borders it.
    board  uint16[BOARD_CELLS]
    dead   uint8[AREA], 1 at each dead stone
    owner  uint8[AREA], in place: BLACK, WHITE, NEUTRAL (dame), or EMPTY off the board
    stack  int64[AREA], scratch space
    """
    size = np.int64(board[SIZE])
    for point in range(AREA):
        color = np.int64(board[COLOR + point])
        living = (color == BLACK or color == WHITE) and dead[point] == 0
        owner[point] = color if living else EMPTY
    for row in range(1, size + 1):
        for start in range(row * STRIDE + 1, row * STRIDE + size + 1):
            if owner[start] != EMPTY:
                continue
            # Flood the region; visited points carry NEUTRAL until the verdict is known.
            borders = 0
            top = 1
            stack[0] = start
            owner[start] = NEUTRAL
            filled = 0
            while filled < top:
                point = stack[filled]
                filled += 1
                for near in (point + 1, point - 1, point + STRIDE, point - STRIDE):
                    color = np.int64(board[COLOR + near])
                    if color == WALL:
                        continue
                    if (color == BLACK or color == WHITE) and dead[near] == 0:
                        borders |= color
                    elif owner[near] == EMPTY:
                        owner[near] = NEUTRAL
                        stack[top] = near
                        top += 1
            if borders != BLACK and borders != WHITE:
                borders = NEUTRAL
            # A verdict of NEUTRAL is already written; a color replaces it.
            for i in range(top):
                owner[stack[i]] = borders


def point_owners(board: Board, dead: Collection[int] = ()) -> npt.NDArray[np.uint8]:
    """Return uint8[AREA]: BLACK, WHITE or NEUTRAL for each point of the board, else 0."""
    dead_mask = np.zeros(AREA, np.uint8)
    dead_mask[list(dead)] = 1
    owner = np.zeros(AREA, np.uint8)
    own_points(board, dead_mask, owner, np.zeros(AREA, np.int64))
    owner[board[COLOR : COLOR + AREA] == WALL] = EMPTY
    return owner


def area_score(board: Board, dead: Collection[int] = ()) -> int:
    """Return Black's area minus White's, in points, without komi."""
    owner = point_owners(board, dead)
    return int(np.sum(owner == BLACK)) - int(np.sum(owner == WHITE))


def territory_score(
    board: Board, captures: tuple[int, int], dead: Collection[int] = (), seki: Collection[int] = ()
) -> int:
    """Return Black's territory and prisoners minus White's, in points, without komi.

    captures  stones captured during the game by Black and by White
    dead      dead stones: taken off as prisoners, their points are territory
    seki      stones alive in seki: regions that touch one of them are no territory
    """
    owner = point_owners(board, dead)
    colors = board[COLOR : COLOR + AREA]
    dead_set = set(dead)
    living = (colors == BLACK) | (colors == WHITE)
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
    """Return a mask of the points of all regions without living stones that touch some stones."""
    found = np.zeros(AREA, bool)
    stack = list(stones)
    while stack:
        point = stack.pop()
        for near in (point + 1, point - 1, point + STRIDE, point - STRIDE):
            if owner[near] != EMPTY and not living[near] and not found[near]:
                found[near] = True
                stack.append(near)
    return found
