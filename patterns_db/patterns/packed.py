"""Replay of decoded games on the engine's board, for harvest, training and evaluation."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Ints
from engine.go.board import (
    BLACK,
    COLOR,
    EMPTY,
    KO,
    WHITE,
    Board,
    clear_into,
    empty_board,
    is_legal,
    place,
)
from engine.go.geometry import PASS
from engine.jit import kernel
from engine.patterns.evidence import (
    LAST_MOVE,
    MEMORY,
    MOVE_BEFORE,
    THIRD_LAST,
    new_memory,
    remember_move,
)
from engine.patterns.matching import Matcher, clear_matcher, new_matcher
from engine.patterns.position import Position
from patterns_db.records.archive import POINT_BITS, SETUP_BIT, WHITE_BIT

PackedMoves = npt.NDArray[np.uint16]


class Preparer(NamedTuple):
    """Scratch of one thread that replays games on boards of one size and matches their moves."""

    board: Board
    memory: Ints
    matcher: Matcher


def preparer_for(preparers: dict[int, Preparer], size: int) -> Preparer:
    """Return the scratch for boards of a size, its matcher cleared; it is made on first use."""
    if size not in preparers:
        preparers[size] = Preparer(empty_board(size), new_memory(), new_matcher(size))
    # Following the board back to empty would toggle each stone of the last game, and the table may
    # be another one.
    clear_matcher(preparers[size].matcher, size)
    return preparers[size]


@kernel
def color_of(move: int) -> int:
    """Return BLACK or WHITE, the color of a packed move."""
    return WHITE if move & WHITE_BIT else BLACK


@kernel
def begin_game(board: Board, memory: Ints, size: int) -> None:
    """Empty the board and forget all moves.

    board   uint16[BOARD_CELLS], overwritten
    memory  int64[MEMORY], overwritten
    size    int64, board size
    """
    clear_into(board, size)
    for i in range(MEMORY):
        memory[i] = 0
    memory[LAST_MOVE] = PASS
    memory[MOVE_BEFORE] = PASS
    memory[THIRD_LAST] = PASS


@kernel
def can_make_move(board: Board, move: int) -> bool:
    """Return whether a packed move or set-up stone is possible, with simple ko alone."""
    point = move & POINT_BITS
    # A pass is always possible, and COLOR + PASS would be a wall's field.
    if point == PASS:
        return True
    return board[COLOR + point] == EMPTY and is_legal(board, point, color_of(move))


@kernel
def make_move(board: Board, memory: Ints, move: int) -> None:
    """Make a playable packed move.

    board   uint16[BOARD_CELLS], changes in place
    memory  int64[MEMORY], changes in place unless it is a set-up stone
    move    int64, see GameArchive.moves
    """
    point = move & POINT_BITS
    color = color_of(move)
    if point == PASS:  # place is not called, so the ban of the move before must end here
        board[KO] = 0
    else:
        place(board, point, color)
    # A set-up stone may capture, but it takes no ko and is not a last move.
    if move & SETUP_BIT:
        board[KO] = 0
    else:
        remember_move(board, memory, point)


@kernel
def next_choice(board: Board, memory: Ints, moves: PackedMoves, index: int) -> int:
    """Make the moves of a game from one on up to the next choice; return the number of that one.

    A choice is a move to learn from: neither a pass nor a set-up stone.

    index    int64, move to begin with; -1 at the start of a game (``begin_game``)
    returns  int64; len(moves) if no choice follows, or only after an impossible move
    """
    if index >= 0:
        make_move(board, memory, np.int64(moves[index]))
    for i in range(index + 1, len(moves)):
        move = np.int64(moves[i])
        if not can_make_move(board, move):
            break
        if move & SETUP_BIT == 0 and move & POINT_BITS != PASS:
            return i
        make_move(board, memory, move)
    return len(moves)


@kernel
def position_before(board: Board, memory: Ints, move: int) -> Position:
    """Return the position in which a packed move was chosen, as the ranking model needs it."""
    return Position(
        board=board, memory=memory, color=color_of(move), passes=0, komi=0.0, stands=True
    )
