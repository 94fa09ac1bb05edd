"""Replay of decoded games on the engine's board, for harvest, training and evaluation."""

import numpy as np
import numpy.typing as npt

from engine.arrays import Ints
from engine.go.board import BLACK, COLOR, EMPTY, KO, WHITE, Board, clear_into, is_legal, place
from engine.go.geometry import PASS
from engine.jit import kernel
from engine.patterns.evidence import LAST_MOVE, MEMORY, MOVE_BEFORE, remember_move
from patterns_db.records.archive import POINT_BITS, SETUP_BIT, WHITE_BIT

PackedMoves = npt.NDArray[np.uint16]


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
def is_choice(move: int) -> bool:
    """Return whether a packed move is one to learn from: neither a pass nor a set-up stone."""
    return move & SETUP_BIT == 0 and move & POINT_BITS != PASS
