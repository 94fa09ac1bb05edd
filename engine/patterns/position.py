"""A position to move in, the input of prediction, search and the baselines."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import KO, Board, place
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.jit import kernel
from engine.patterns.evidence import KO_MEMORY, new_memory, remember_move


class Position(NamedTuple):
    """A board, the side to move, and the relevant history.

    Kernels that play change the arrays in place and return a tuple with the new scalars, because
    fields of a tuple cannot be assigned. After ``play_move`` only its result is valid.
    """

    board: Board  # (BOARD_CELLS,)
    memory: npt.NDArray[np.int64]  # (MEMORY,) the earlier moves; LAST_MOVE is the newest, or PASS
    color: int  # to move
    passes: int  # in a row before this position
    komi: float  # points for White added to area margins (Game.area_komi)
    stands: bool  # whether all stones are alive after two passes


def memory_of(game: Game) -> npt.NDArray[np.int64]:
    """Return int64[MEMORY], the data on a game's moves so far for the model's evidence."""
    memory = new_memory()
    # Moves older than KO_MEMORY plies no longer count as a ko fight.
    for board, point in game.recent(KO_MEMORY + 2):
        remember_move(board, memory, point)
    return memory


def position_of(game: Game, color: int) -> Position:
    """Return the current position of a game with a side to move; its board is the game's own."""
    return Position(
        board=game.board, memory=memory_of(game), color=color, passes=game.passes,
        komi=game.area_komi(color), stands=game.rules.all_stand,
    )  # fmt: skip


@kernel
def play_move(position: Position, move: int) -> Position:
    """Play a legal move or PASS and return the position after it, whose arrays are the old ones'.

    Only simple ko is tracked, as everywhere below a game's history.
    """
    passes = 0
    if move == PASS:
        passes = position.passes + 1
        position.board[KO] = 0
    else:
        place(position.board, move, position.color)
    remember_move(position.board, position.memory, move)
    return Position(
        board=position.board, memory=position.memory, color=3 - position.color, passes=passes,
        komi=position.komi, stands=position.stands,
    )  # fmt: skip
