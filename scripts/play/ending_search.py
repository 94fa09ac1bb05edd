"""The right moves of a late ending, by exhaustive search over the whole board without theory.

The search tries every legal move that fills no one-point eye of its own color, and a pass, for both
sides until two passes. It remembers earlier positions. Margins are counted by area, all stones as
they stand. Where a ko is possible the search runs twice: once Black never takes a ko, once White
never does. Margins are known when the two agree.

The side that captures a whole large chain may get its points at once, for positions where no stone
could live there afterwards. Else captures of many stones make positions too large to search.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import (
    BLACK,
    BOARD_CELLS,
    EMPTIES,
    EMPTY_COUNT,
    KO,
    WHITE,
    Board,
    copy_into,
    play,
)
from engine.go.geometry import AREA, PASS
from engine.go.scoring import own_points
from engine.go.zobrist import hash_position, zobrist_keys
from engine.jit import kernel
from engine.rollout.uniform import is_playable

MOST_DEPTH = 50
_EXACT, _LOWER, _UPPER = 0, 1, 2
_KOS, _DEEP, _FULL, _SHIFT, _LARGE = 0, 1, 2, 3, 4  # slots of notes
_MOST = 10_000


class EndingSearch(NamedTuple):
    """The arrays of a search."""

    keys: npt.NDArray[np.uint64]  # positions met, with side to move and passes; 0: free
    values: npt.NDArray[np.int64]  # their margins for the side to move
    bounds: npt.NDArray[np.int64]  # kinds of these bounds
    boards: npt.NDArray[np.uint16]  # one a depth
    moves: npt.NDArray[np.int64]  # one list a depth
    # kos met, depth exceeded, table full, shift from key to slot, stones of a large chain
    notes: npt.NDArray[np.int64]
    zobrist: npt.NDArray[np.uint64]
    dead: npt.NDArray[np.uint8]
    owner: npt.NDArray[np.uint8]
    stack: npt.NDArray[np.int64]


@kernel
def slot_of(search: EndingSearch, key: np.uint64) -> int:
    """Return the slot of a key in the table, or for it; -1 when the table is full."""
    mask = len(search.keys) - 1
    slot = np.int64(key >> np.uint64(search.notes[_SHIFT]))
    # A cluster of this length means that the table is practically full.
    for _ in range(64):
        if search.keys[slot] == key or search.keys[slot] == 0:
            return slot
        slot = (slot + 1) & mask
    return -1


@kernel
def play_out(search: EndingSearch, board: Board, point: int, color: int) -> np.uint64:
    """Play a move, fill the points of a large chain that it captures, and return the change.

    board    uint16[BOARD_CELLS], in place
    returns  uint64, exclusive or of the keys of all added and removed stones
    """
    before = np.int64(board[EMPTY_COUNT])
    change = play(board, point, color, search.zobrist)
    captured = np.int64(board[EMPTY_COUNT]) + 1 - before
    if captured >= search.notes[_LARGE]:
        for _ in range(captured):  # the points freed last are the last of the list
            freed = np.int64(board[EMPTIES + board[EMPTY_COUNT] - 1])
            change ^= play(board, freed, color, search.zobrist)
    return change


@kernel
def margin_as_it_stands(search: EndingSearch, board: Board, color: int) -> int:
    """Return the margin of a finished game for a color, by area, all stones alive."""
    own_points(board, search.dead, search.owner, search.stack)
    margin = 0
    for point in range(AREA):
        margin += np.int64(search.owner[point] == BLACK) - np.int64(search.owner[point] == WHITE)
    return margin if color == BLACK else -margin


@kernel
def is_settled(search: EndingSearch, slot: int, key: np.uint64, alpha: int, beta: int) -> bool:
    """Return whether a position's stored bound answers a search between alpha and beta."""
    if search.keys[slot] != key:
        return False
    value, bound = search.values[slot], search.bounds[slot]
    if bound == _LOWER:
        return value >= beta
    return bound == _EXACT or value <= alpha


@kernel
def store_margin(search: EndingSearch, key: np.uint64, best: int, alpha: int, beta: int) -> None:
    """Remember the result of a search between alpha and beta."""
    # The slot is looked up again, because positions searched meanwhile may have taken it.
    slot = slot_of(search, key)
    if slot < 0:
        search.notes[_FULL] = 1
        return
    search.keys[slot] = key
    search.values[slot] = best
    search.bounds[slot] = _LOWER if best >= beta else _UPPER if best <= alpha else _EXACT


@kernel
def best_margin(
    search: EndingSearch, depth: int, position: np.uint64, color: int, passes: int, barred: int,
    alpha: int, beta: int,
) -> int:  # fmt: skip
    """Return the final margin of ``boards[depth]`` for the side to move: alpha-beta, fail soft.

    position  uint64, hash of the stones
    barred    int64, the color that never takes a ko
    """
    board = search.boards[depth]
    if passes == 2:
        return margin_as_it_stands(search, board, color)
    if depth == MOST_DEPTH:
        search.notes[_DEEP] = 1
        return 0
    # Keys of color 0, which no stone has, distinguish the side to move and the passes.
    key = position ^ search.zobrist[color * 2 + passes] ^ search.zobrist[7]
    slot = slot_of(search, key)
    if slot < 0:
        search.notes[_FULL] = 1
        return 0
    if is_settled(search, slot, key, alpha, beta):
        return search.values[slot]
    count = np.int64(board[EMPTY_COUNT])
    moves = search.moves[depth]
    for i in range(count):
        moves[i] = board[EMPTIES + i]
    moves[count] = PASS
    best = -_MOST
    start = alpha
    after = search.boards[depth + 1]
    for i in range(count + 1):
        point = moves[i]
        if point != PASS and not is_playable(board, point, color):
            continue
        copy_into(board, after)
        change = np.uint64(0)
        if point != PASS:
            change = play_out(search, after, point, color)
            if after[KO] != 0:
                search.notes[_KOS] = 1
                if color == barred:
                    continue
        # The side that takes a ko here may always take it back. The other side is barred from it,
        # so the result is a bound.
        after[KO] = 0
        spent = passes + 1 if point == PASS else 0
        value = -best_margin(
            search, depth + 1, position ^ change, 3 - color, spent, barred, -beta, -alpha
        )
        best = max(best, value)
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    store_margin(search, key, best, start, beta)
    return best


def _new_search(bits: int, large: int) -> EndingSearch:
    return EndingSearch(
        np.zeros(1 << bits, np.uint64),
        np.zeros(1 << bits, np.int64),
        np.zeros(1 << bits, np.int64),
        np.zeros((MOST_DEPTH + 2, BOARD_CELLS), np.uint16),
        np.zeros((MOST_DEPTH + 2, AREA), np.int64),
        np.array([0, 0, 0, 64 - bits, large]),
        zobrist_keys(),
        np.zeros(AREA, np.uint8),
        np.zeros(AREA, np.uint8),
        np.zeros(AREA, np.int64),
    )


def move_margins(
    board: Board, color: int, bits: int = 19, large: int = AREA
) -> dict[int, int] | None:
    """Return Black's final margin after each sensible move of a color, PASS among them.

    bits   the table has room for 2**bits positions
    large  captures of this many stones get their points at once
    None when a margin depends on a ko, when the position is too large, or play does not end.
    """
    bounds = []
    for barred in (WHITE, BLACK):
        search = _new_search(bits, large)
        found = _margins_of_moves(search, board, color, barred)
        # A search that was cut off has proved nothing.
        if search.notes[_DEEP] or search.notes[_FULL]:
            return None
        bounds.append(found)
        # Without a ko both bounds are the same search.
        if not search.notes[_KOS]:
            return found
    upper, lower = bounds
    return lower if lower == upper else None


def _margins_of_moves(
    search: EndingSearch, board: Board, color: int, barred: int
) -> dict[int, int]:
    """Return Black's margin after each move of one bounded search."""
    found = {}
    sign = 1 if color == BLACK else -1
    start = int(hash_position(board, search.zobrist))
    empties = sorted(int(p) for p in board[EMPTIES : EMPTIES + int(board[EMPTY_COUNT])])
    for point in [*empties, PASS]:
        after = search.boards[0]
        after[:] = board
        position = start
        if point != PASS:
            if not is_playable(board, point, color):
                continue
            position ^= int(play_out(search, after, point, color))
            if after[KO] != 0:
                search.notes[_KOS] = 1
                if color == barred:
                    continue
        after[KO] = 0
        passes = int(point == PASS)
        value = best_margin(
            search, 0, np.uint64(position), 3 - color, passes, barred, -_MOST, _MOST
        )
        found[point] = -sign * int(value)
    return found
