"""Scores of sibling positions of Go, by roll-outs: the data of Hennig et al. (2010), Fig. 3.

One random game, with roll-outs after every playable move of each position. A score comes from the
win rate by Eq. (11): P(win) = Phi(g / sqrt(l)), with l the mean length.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from engine.go.board import (
    BLACK,
    BOARD_CELLS,
    EMPTIES,
    EMPTY_COUNT,
    SIZE,
    Board,
    Mask,
    copy_into,
    empty_board,
    place,
)
from engine.go.geometry import AREA
from engine.jit import kernel
from engine.randomness import RandomState, draw
from engine.rollout.guided import (
    GuidedPolicy,
    GuidedScratch,
    guided_roll_out,
    new_guided_scratch,
    no_policy,
)
from engine.rollout.uniform import area_margin, is_playable, roll_out

FEWEST_MOVES = 5  # the paper stops its path below this many legal moves


@dataclass(frozen=True)
class Siblings:
    """The scores of all positions one move after one position of the path."""

    plies_played: int
    scores: npt.NDArray[np.float64]  # (moves,) g, Black's
    length: float  # mean length of the roll-outs [moves]
    noise: float  # root mean square sampling error of a score


@kernel
def list_playable(board: Board, color: int, points: npt.NDArray[np.int64]) -> int:
    """Write the points a roll-out may play to ``points``; return how many."""
    count = 0
    for slot in range(np.int64(board[EMPTY_COUNT])):
        point = np.int64(board[EMPTIES + slot])
        if is_playable(board, point, color):
            points[count] = point
            count += 1
    return count


class SiblingWork(NamedTuple):
    """Arrays that roll-outs overwrite, and their random numbers."""

    board: Board
    first: Mask
    local: GuidedScratch
    rng: RandomState


@kernel
def sample(
    board: Board, point: int, color: int, komi: float, rollouts: int,
    guided: bool, policy: GuidedPolicy, work: SiblingWork,
) -> tuple[float, float]:  # fmt: skip
    """Return Black's win rate and the mean length of roll-outs after one move.

    board    uint16[BOARD_CELLS], position before the move
    komi     points for White, not whole: a jigo would count as White's win
    guided   bool, whether the roll-outs follow ``policy``; else they are uniform
    """
    wins = 0
    total = 0
    after, first, rng = work.board, work.first, work.rng
    # Triple kos never end by themselves.
    limit = 3 * np.int64(board[SIZE]) ** 2
    for _ in range(rollouts):
        copy_into(board, after)
        place(after, point, color)
        if guided:
            total += guided_roll_out(after, 3 - color, point, rng, first, limit, policy, work.local)
        else:
            total += roll_out(after, 3 - color, rng, first, limit)
        wins += area_margin(after) > komi
    return wins / rollouts, total / rollouts


def sibling_scores(
    size: int, komi: float, rollouts: int, seed: int, policy: GuidedPolicy | None = None
) -> list[Siblings]:
    """Return the scores of all siblings along one random game.

    A win rate of 0 or 1 has no finite score: half a win is added to both sides.
    policy  of the roll-outs; None: uniform
    """
    guided, weights = policy is not None, policy or no_policy()
    rng = np.random.SeedSequence(seed).generate_state(1, np.uint64) | np.uint64(1)
    board, points = empty_board(size), np.zeros(AREA, np.int64)
    first = np.zeros(AREA, np.uint8)
    work = SiblingWork(np.zeros(BOARD_CELLS, np.uint16), first, new_guided_scratch(), rng)
    color = BLACK
    path: list[Siblings] = []
    with tqdm(desc="positions", unit="", disable=None) as progress:
        while (count := list_playable(board, color, points)) >= FEWEST_MOVES:
            scores, lengths, errors = np.zeros((3, count))
            for i in range(count):
                rate, lengths[i] = sample(
                    board, points[i], color, komi, rollouts, guided, weights, work
                )  # fmt: skip
                # Half a win and half a loss more, or the score of a certain move would be infinite.
                smoothed = (rate * rollouts + 0.5) / (rollouts + 1.0)
                root = math.sqrt(lengths[i])
                scores[i] = NormalDist().inv_cdf(smoothed) * root
                error = math.sqrt(smoothed * (1.0 - smoothed) / rollouts)
                # The rate's error through the slope of Eq. (11)'s inverse.
                errors[i] = root * error / NormalDist().pdf(scores[i] / root)
            # Equal siblings would show this deviation: it is part of the printed one.
            noise = float(np.sqrt((errors**2).mean()))
            path.append(Siblings(len(path), scores, float(lengths.mean()), noise))
            # A random path through the tree, as in the paper's Section 3.1.
            place(board, points[draw(rng, count)], color)
            color = 3 - color
            progress.update()
    return path
