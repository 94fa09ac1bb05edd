"""A position to move in: what prediction, search and the baselines are asked about.

A board alone does not say enough: the ranking model wants to know where the last moves were, two
passes end the game, and komi decides who has won.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import KO, Board, place
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.jit import kernel
from engine.patterns.evidence import KO_MEMORY, new_memory, remember_move


class Position(NamedTuple):
    """A board, whose turn it is, and what has happened before.

    Kernels that play change the arrays in place and return a tuple with the new scalars, since
    fields of a tuple cannot be assigned: after ``play_move`` only what it returned is valid.
    """

    board: Board  # (BOARD_CELLS,)
    memory: npt.NDArray[np.int64]  # (MEMORY,) the moves before; LAST_MOVE is the newest, or PASS
    color: int  # to move
    passes: int  # in a row before this position
    komi: float  # points for White by which area margins are judged (Game.area_komi)


def memory_of(game: Game) -> npt.NDArray[np.int64]:
    """Return int64[MEMORY], what the model's evidence needs to know of a game's moves so far."""
    memory = new_memory()
    # What is older than KO_MEMORY plies no longer counts as a ko fight.
    for board, point in game.recent(KO_MEMORY + 2):
        remember_move(board, memory, point)
    return memory


def position_of(game: Game, color: int) -> Position:
    """Return the current position of a game with a color to move; its board is the game's own."""
    return Position(game.board, memory_of(game), color, game.passes, game.area_komi(color))


@kernel
def play_move(position: Position, move: int) -> Position:
    """Play a legal move or PASS and return the position after it.

    Only simple ko is kept, as everywhere below a game's history.
    position  Position; board and memory change in place and become the result's
    move      int64
    """
    passes = 0
    if move == PASS:
        passes = position.passes + 1
        position.board[KO] = 0
    else:
        place(position.board, move, position.color)
    remember_move(position.board, position.memory, move)
    return Position(position.board, position.memory, 3 - position.color, passes, position.komi)
