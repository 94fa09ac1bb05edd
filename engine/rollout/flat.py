"""Flat Monte-Carlo: roll-outs shared out among the legal moves by UCB1, without a tree.

The first player's way to choose, until the search takes its place.
Source of the sharing rule: Auer, Cesa-Bianchi & Fischer (2002), UCB1.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import BLACK, BOARD_CELLS, SIZE, Board, copy_into, place
from engine.go.geometry import AREA, PASS
from engine.jit import kernel
from engine.rollout.uniform import area_margin, roll_out

EXPLORATION = 0.5


class FlatTally(NamedTuple):
    """What the roll-outs of one position said, by candidate; every win is the mover's."""

    points: npt.NDArray[np.int64]  # (n,) candidate moves, PASS possible
    wins: npt.NDArray[np.float64]  # (n,) a jigo is half a win
    visits: npt.NDArray[np.int64]  # (n,)
    margins: npt.NDArray[np.float64]  # (n,) sums of Black's final margin, komi included [points]
    board: npt.NDArray[np.uint16]  # (BOARD_CELLS,) scratch space
    first: npt.NDArray[np.uint8]  # (AREA,) scratch space
    rng: npt.NDArray[np.uint64]  # (1,)


def flat_tally(points: list[int], *entropy: int) -> FlatTally:
    """Return an empty tally for some candidate moves; ``entropy`` seeds its random numbers."""
    n = len(points)
    return FlatTally(
        np.array(points, np.int64),
        np.zeros(n, np.float64),
        np.zeros(n, np.int64),
        np.zeros(n, np.float64),
        np.zeros(BOARD_CELLS, np.uint16),
        np.zeros(AREA, np.uint8),
        np.random.SeedSequence(entropy).generate_state(1, np.uint64) | np.uint64(1),
    )


@kernel
def sample_moves(board: Board, color: int, komi: float, rollouts: int, tally: FlatTally) -> None:
    """Add roll-outs to a tally, each after the candidate with the largest UCB1 index.

    board     uint16[BOARD_CELLS], the position
    color     int64, the mover
    komi      float64, points for White, handicap compensation included
    rollouts  int64, how many to add
    tally     FlatTally, changes in place
    """
    size = np.int64(board[SIZE])
    total = 0
    for i in range(len(tally.points)):
        total += tally.visits[i]
    for _ in range(rollouts):
        best = 0
        best_index = -1.0
        log_total = math.log(total + 1.0)
        for i in range(len(tally.points)):
            visits = tally.visits[i]
            if visits == 0:
                best = i
                break
            index = tally.wins[i] / visits + EXPLORATION * math.sqrt(log_total / visits)
            if index > best_index:
                best_index = index
                best = i
        copy_into(board, tally.board)
        if tally.points[best] != PASS:
            place(tally.board, tally.points[best], color)
        roll_out(tally.board, 3 - color, tally.rng, tally.first, 3 * size * size)
        margin = area_margin(tally.board) - komi
        gain = margin if color == BLACK else -margin
        tally.wins[best] += 1.0 if gain > 0 else 0.5 if gain == 0 else 0.0
        tally.visits[best] += 1
        tally.margins[best] += margin
        total += 1
