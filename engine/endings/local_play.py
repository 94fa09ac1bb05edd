"""All positions of one small region of the board, by exhaustive local play.

The rest of the board never changes: chains outside must not be captured. A local position is a
number with one base-3 digit (EMPTY, BLACK, WHITE) per point. Either color may move at any time,
because in a sum its opponent may just have moved elsewhere. Moves that fill an own eye gain nothing
by area and are excluded, as is suicide. Ko is treated by two bounds: when one color never takes a
ko, the other is at least as well off as under any ko rule. Slow twin: tests/reference/fights.py.
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
from engine.go.geometry import AREA
from engine.go.scoring import fill_region
from engine.jit import kernel
from engine.rollout.uniform import is_playable

# 3**9 codes: the table of the positions' numbers takes 80 KB.
MAX_POINTS = 9
TOO_LARGE, LEAVES_REGION = -1, -2  # reasons to give up a region
_NO_MOVE = -3  # the side has no move on the point


class LocalPositions(NamedTuple):
    """The local positions of a region; position 0 is the one on the board."""

    codes: Points  # int64[n]
    margins: Points  # int64[n], Black's points minus White's if both stopped here
    # int32[n, 2, points], position after a move of Black (0) or White (1) there, -1: none
    options: npt.NDArray[np.int32]
    kos: Points  # int64[1], 1 if a ko could be taken
    numbers: npt.NDArray[np.int32]  # int32[3**points], position of each code, -1: none so far


class LocalSurroundings(NamedTuple):
    """A region and the rest of the board, which never changes."""

    points: Points  # int64[n], the region
    movers: Mask  # uint8[n], the colors that may play on each, as bits (BLACK 1, WHITE 2)
    weights: Points  # int64[n], factor of a stone in a position's code: 3**i
    within: Mask  # uint8[AREA], 1 at the region's points
    bare: Board  # uint16[BOARD_CELLS], the board with an empty region


class LocalPlayScratch(NamedTuple):
    """The position in play, and scratch space."""

    board: Board  # uint16[BOARD_CELLS]
    after: Board  # uint16[BOARD_CELLS], the position after a move
    digits: Mask  # uint8[n], the color of each of the region's points
    colors: Mask  # uint8[AREA], of all points; settled outside points have their owner's color
    stack: Points  # int64[AREA]


@kernel
def set_position(region: LocalSurroundings, code: int, work: LocalPlayScratch) -> None:
    """Put a local position on ``work``'s board; in any order, a legal position captures nothing."""
    copy_into(region.bare, work.board)
    for i in range(len(region.points)):
        color = code % 3
        code //= 3
        work.digits[i] = color
        work.colors[region.points[i]] = color
        if color != EMPTY:
            place(work.board, region.points[i], color)
    work.board[KO] = 0


@kernel
def local_margin(region: LocalSurroundings, work: LocalPlayScratch) -> int:
    """Return Black's area minus White's within a region, whose empty points are then marked."""
    margin = 0
    for start in region.points:
        color = np.int64(work.colors[start])
        count = 1
        if color == EMPTY:
            count, color = fill_region(work.colors, start, work.stack)
        if color == BLACK:
            margin += count
        elif color == WHITE:
            margin -= count
    return margin


@kernel
def code_after(
    region: LocalSurroundings,
    i: int,
    color: int,
    barred: int,
    code: int,
    kos: Points,
    work: LocalPlayScratch,
) -> int:
    """Return the code of the position after a move, _NO_MOVE or LEAVES_REGION.

    i       the move is on the region's i-th point
    barred  the color that never takes a ko
    kos     int64[1], in place: 1 when the move takes a ko
    """
    point = region.points[i]
    if work.digits[i] != EMPTY or not region.movers[i] & color:
        return _NO_MOVE
    if not is_playable(work.board, point, color):
        return _NO_MOVE
    after = work.after
    copy_into(work.board, after)
    captured = place(after, point, color)
    if captured == 0:
        return code + color * region.weights[i]
    if after[KO] != 0:
        kos[0] = 1
        if color == barred:
            return _NO_MOVE
    empties = np.int64(after[EMPTY_COUNT])
    for k in range(empties - captured, empties):
        if not region.within[after[EMPTIES + k]]:
            return LEAVES_REGION
    code = 0
    for k in range(len(region.points)):
        code += region.weights[k] * np.int64(after[COLOR + region.points[k]])
    return code


@kernel
def explore(
    region: LocalSurroundings, barred: int, listing: LocalPositions, work: LocalPlayScratch
) -> int:
    """List what follows from ``listing.codes[0]``; return how many, TOO_LARGE or LEAVES_REGION."""
    count = 1
    listing.numbers[listing.codes[0]] = 0
    current = 0
    while current < count:
        set_position(region, listing.codes[current], work)
        listing.margins[current] = local_margin(region, work)
        for color in (BLACK, WHITE):
            for i in range(len(region.points)):
                listing.options[current, color - 1, i] = -1
                code = listing.codes[current]
                code = code_after(region, i, color, barred, code, listing.kos, work)
                if code == LEAVES_REGION:
                    return LEAVES_REGION
                if code == _NO_MOVE:
                    continue
                # Breadth first: the list of results is also the queue of positions.
                if listing.numbers[code] < 0:
                    if count == len(listing.codes):
                        return TOO_LARGE
                    listing.numbers[code] = count
                    listing.codes[count] = code
                    count += 1
                listing.options[current, color - 1, i] = listing.numbers[code]
        current += 1
    return count


def local_positions(
    board: Board, points: list[int], movers: list[int], owners: Mask, barred: int, room: int
) -> LocalPositions | None:
    """Return all positions of a region; the stones in it must be whole chains.

    points   at most MAX_POINTS
    movers   the colors that may play on each point, as bits (BLACK 1, WHITE 2)
    owners   BLACK or WHITE: the owner of each settled point; 0 in the region
    barred   the color that never takes a ko
    returns  None if there are more than ``room``, or if play captures stones outside the region
    """
    bare = board.copy()
    # A ko ban ends when a side plays elsewhere, which in a sum may happen at any time.
    bare[KO] = 0
    for point in points:
        if bare[HEAD + point] != 0:
            remove_chain(bare, point)
    within = np.zeros(AREA, np.uint8)
    within[points] = 1
    weights = 3 ** np.arange(len(points))
    region = LocalSurroundings(
        np.array(points, np.int64), np.array(movers, np.uint8), weights, within, bare
    )
    room = min(room, 3 ** len(points))
    listing = LocalPositions(
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.empty((room, 2, len(points)), np.int32),
        np.zeros(1, np.int64),
        np.full(3 ** len(points), -1, np.int32),
    )
    listing.codes[0] = sum(int(board[COLOR + point]) * 3**i for i, point in enumerate(points))
    colors = bare[COLOR : COLOR + AREA].astype(np.uint8)
    work = LocalPlayScratch(
        np.zeros(BOARD_CELLS, np.uint16),
        np.zeros(BOARD_CELLS, np.uint16),
        np.zeros(len(points), np.uint8),
        np.where(owners > 0, owners, colors),
        np.zeros(AREA, np.int64),
    )
    count = explore(region, barred, listing, work)
    if count < 0:
        return None
    return listing._replace(
        codes=listing.codes[:count],
        margins=listing.margins[:count],
        options=listing.options[:count],
    )
