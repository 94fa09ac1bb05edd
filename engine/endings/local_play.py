"""Everything that can happen in one small region of the board, by exhaustive local play.

A region is a list of points with the colors that may play on each. Nothing else of the board
changes: chains outside are there, with their liberties, and must not be captured. A local
position is a number with one base-3 digit (EMPTY, BLACK, WHITE) for each point. Either color may
move at any time, since in a sum of regions its opponent may just have moved elsewhere.

Moves that fill an own eye are left out, as in the roll-outs: under area rules they gain nothing.
Suicide is left out. Ko is handled by its two bounds: when one color never takes a ko, the other
is at least as well off as under any ko rule (no ko can be retaken then, so no position repeats
that way); if both bounds agree, kos do not matter. Slow twin: tests/reference/fights.py.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import (
    BLACK,
    BOARD_CELLS,
    COLOR,
    EMPTIES,
    EMPTY,
    EMPTY_COUNT,
    HEAD,
    KO,
    WHITE,
    Board,
    Mask,
    Points,
    copy_into,
    place,
    remove_chain,
)
from engine.go.geometry import AREA, STRIDE
from engine.jit import kernel
from engine.rollout.uniform import is_playable

MAX_POINTS = 9
TOO_LARGE, LEAVES_REGION = -1, -2  # why a region was given up


class Positions(NamedTuple):
    """The local positions of a region; position 0 is the one on the board.

    codes    int64[n]
    margins  int64[n], Black's points minus White's if both stopped here
    options  int32[n, 2, points], position after a move of Black (0) or White (1) there, -1: none
    kos      whether some move took a ko
    """

    codes: Points
    margins: Points
    options: npt.NDArray[np.int32]
    kos: bool


@kernel
def set_position(bare: Board, points: Points, code: int, board: Board, digits: Mask) -> None:
    """Put a local position on the board; in any order, a legal position captures nothing.

    bare    uint16[BOARD_CELLS], the board with an empty region
    points  int64[n], the region
    board   uint16[BOARD_CELLS], in place
    digits  uint8[n], in place: the color of each point
    """
    copy_into(bare, board)
    for i in range(len(points)):
        digits[i] = code % 3
        code //= 3
        if digits[i] != EMPTY:
            place(board, points[i], np.int64(digits[i]))
    board[KO] = 0


@kernel
def local_margin(board: Board, points: Points, owners: Mask, seen: Mask, stack: Points) -> int:
    """Return Black's points minus White's within a region, by area.

    Empty points belong to the color that alone borders them; a settled point outside the region
    counts as a stone of its owner.
    points  int64[n], the region
    owners  uint8[AREA], BLACK or WHITE: the owner of each settled point; 0 in the region
    seen    uint8[AREA] of zeros, scratch space, zeros again afterwards
    stack   int64[AREA], scratch space
    """
    margin = 0
    for start in points:
        color = board[COLOR + start]
        if color != EMPTY:
            margin += 3 - 2 * np.int64(color)
            continue
        if seen[start]:
            continue
        top, done, borders = 1, 0, 0
        stack[0] = start
        seen[start] = 1
        while done < top:
            point = stack[done]
            done += 1
            for near in (point + 1, point - 1, point + STRIDE, point - STRIDE):
                found = np.int64(board[COLOR + near])
                if owners[near]:
                    found = np.int64(owners[near])
                if found == BLACK or found == WHITE:
                    borders |= found
                elif found == EMPTY and not seen[near]:
                    seen[near] = 1
                    stack[top] = near
                    top += 1
        if borders == BLACK or borders == WHITE:
            margin += top * (3 - 2 * borders)
    for point in points:
        seen[point] = 0
    return margin


@kernel
def explore(
    bare: Board,
    points: Points,
    movers: Mask,
    owners: Mask,
    barred: int,
    codes: Points,
    margins: Points,
    options: npt.NDArray[np.int32],
    numbers: npt.NDArray[np.int32],
    work: npt.NDArray[np.uint16],
    scratch: tuple[Mask, Mask, Points, Mask],
    kos: Points,
) -> int:
    """List all local positions that follow from ``codes[0]``, each with its options.

    bare     uint16[BOARD_CELLS], the board with an empty region
    points   int64[n], the region
    movers   uint8[n], the colors that may play on each, as bits (BLACK 1, WHITE 2)
    owners   uint8[AREA], as in ``local_margin``
    barred   int64, the color that never takes a ko
    codes, margins, options  fields of Positions with room for a number of them, written
    numbers  int32[3**n] of -1, in place: the number of the position with each code
    work     uint16[2, BOARD_CELLS], scratch space
    scratch  uint8[n], uint8[AREA] of zeros, int64[AREA], uint8[AREA] (1 at the region's points)
    kos      int64[1], in place: 1 when a ko was there to be taken
    returns  int64, how many positions there are, TOO_LARGE or LEAVES_REGION
    """
    digits, seen, stack, within = scratch
    board, after = work[0], work[1]
    count = 1
    numbers[codes[0]] = 0
    current = 0
    while current < count:
        set_position(bare, points, codes[current], board, digits)
        margins[current] = local_margin(board, points, owners, seen, stack)
        for color in (BLACK, WHITE):
            weight = 1
            for i in range(len(points)):
                options[current, color - 1, i] = -1
                code = codes[current] + color * weight
                weight *= 3
                if digits[i] != EMPTY or not movers[i] & color:
                    continue
                if not is_playable(board, points[i], color):
                    continue
                copy_into(board, after)
                captured = place(after, points[i], color)
                if captured > 0:
                    if after[KO] != 0:
                        kos[0] = 1
                        if color == barred:
                            continue
                    empties = np.int64(after[EMPTY_COUNT])
                    for k in range(empties - captured, empties):
                        if not within[after[EMPTIES + k]]:
                            return LEAVES_REGION
                    code = 0
                    for k in range(len(points) - 1, -1, -1):
                        code = 3 * code + np.int64(after[COLOR + points[k]])
                if numbers[code] < 0:
                    if count == len(codes):
                        return TOO_LARGE
                    numbers[code] = count
                    codes[count] = code
                    count += 1
                options[current, color - 1, i] = numbers[code]
        current += 1
    return count


def local_positions(
    board: Board, points: list[int], movers: list[int], owners: Mask, barred: int, room: int
) -> Positions | None:
    """Return all positions of a region of at most MAX_POINTS points; the stones in it are whole
    chains.

    movers   the colors that may play on each point, as bits (BLACK 1, WHITE 2)
    owners   uint8[AREA], as in ``local_margin``
    barred   the color that never takes a ko
    room     positions at most
    returns  None when there are more, or when play captures stones outside the region
    """
    region = np.array(points, np.int64)
    code = sum(int(board[COLOR + point]) * 3**i for i, point in enumerate(points))
    bare = board.copy()
    bare[KO] = 0
    for point in points:
        if bare[HEAD + point] != 0:
            remove_chain(bare, point)
    room = min(room, 3 ** len(points))
    codes, margins = np.zeros(room, np.int64), np.zeros(room, np.int64)
    codes[0] = code
    options = np.empty((room, 2, len(points)), np.int32)
    numbers = np.full(3 ** len(points), -1, np.int32)
    within = np.zeros(AREA, np.uint8)
    within[points] = 1
    scratch = (
        np.zeros(len(points), np.uint8), np.zeros(AREA, np.uint8), np.zeros(AREA, np.int64), within,
    )  # fmt: skip
    kos = np.zeros(1, np.int64)
    count = explore(
        bare, region, np.array(movers, np.uint8), owners, barred, codes, margins, options, numbers,
        np.zeros((2, BOARD_CELLS), np.uint16), scratch, kos,
    )  # fmt: skip
    if count < 0:
        return None
    return Positions(codes[:count], margins[:count], options[:count], bool(kos[0]))
