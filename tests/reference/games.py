"""Random games, played on the engine's board and on sgfmill's side by side."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from sgfmill.boards import Board as SgfmillBoard

from engine.go.board import COLOR, EMPTY, Board, empty_board, is_legal, place
from engine.go.geometry import board_points, to_column_row

COLOR_NAME = {1: "b", 2: "w"}


class Turn(NamedTuple):
    """A position of a random game; the two boards change when the next one is asked for."""

    board: Board
    oracle: SgfmillBoard
    color: int
    move: int  # the move that follows
    ko: int  # point that the color may not retake now, else 0


def legal_moves(board: Board, size: int, color: int) -> list[int]:
    """Return the legal points, row by row from the bottom."""
    return [
        p for p in board_points(size) if board[COLOR + p] == EMPTY and is_legal(board, p, color)
    ]


def random_game(size: int, length: int, seed: int) -> Iterator[Turn]:
    """Yield the positions of a random game; it ends early when a player has no legal move.

    Half of the moves are near the one before, so that chains, captures and kos come about.
    """
    rng = random.Random(seed)
    board, oracle = empty_board(size), SgfmillBoard(size)
    color, ko, last = 1, 0, 0
    for _ in range(length):
        moves = legal_moves(board, size, color)
        if not moves:
            return
        close = [p for p in moves if last and p - last in (1, -1, 25, 26, 27, -25, -26, -27)]
        move = rng.choice(close if close and rng.random() < 0.5 else moves)
        yield Turn(board, oracle, color, move, ko)
        place(board, np.int64(move), color)
        column, row = to_column_row(move)
        forbidden = oracle.play(row - 1, column - 1, COLOR_NAME[color])
        ko = 0 if forbidden is None else (forbidden[0] + 1) * 26 + forbidden[1] + 1
        color, last = 3 - color, move
