"""The paper's experiments, one game at a time: random sums, matches and errors of estimates.

Source: Zhao & Mueller, Section 5.1 (random games), 3.1 (errors of sampled finished sums), 5.3
(matches against the perfect player), 5.4 (errors of Monte-Carlo move ordering).
The script scripts/reproduce/zhao_mueller.py repeats these over many games.
"""

import math
import time
from dataclasses import dataclass

import numpy as np

from engine.pcg.exact import position_counts
from engine.pcg.game import Sum, sum_arrays
from engine.pcg.halves import build_halves, win_split
from scripts.reproduce.papers.pcg.heuristic import HeuristicPlayer
from scripts.reproduce.papers.pcg.monte_carlo import (
    ALL_TERMINALS,
    Sampling,
    make_sampler,
    score_moves,
)
from scripts.reproduce.papers.pcg.positions import PositionValues
from scripts.reproduce.papers.pcg.terminal import win_sampled


def random_position(n_subgames: int, moves: int, rng: np.random.Generator) -> tuple[int, int]:
    """Return the masks (left, right) of a uniformly drawn position after some moves.

    Source: Section 5.4.
    """
    order = rng.permutation(n_subgames)[:moves]
    # Alternate play in a random order: every position of this depth is equally likely.
    left = sum(1 << int(i) for i in order[::2])
    right = sum(1 << int(i) for i in order[1::2])
    return left, right


def node_counts(n_subgames: int) -> tuple[int, int, int, int]:
    """Return Table 1's column: all nodes, terminal nodes, distinct nodes, distinct terminals.

    Source: Section 3. The first two are counts of move sequences, the others of positions.
    """
    sequences = sum(math.perm(n_subgames, k) for k in range(n_subgames + 1))
    positions = position_counts(n_subgames)
    return sequences, math.factorial(n_subgames), sum(positions), positions[-1]


def sampling_errors(game: Sum, sample_counts: list[int], rng: np.random.Generator) -> np.ndarray:
    """Return P_w - P_w^k of one random finished sum, for each number k of samples (Table 2)."""
    outcomes = sum_arrays(game)
    n_subgames = len(game.subgames)
    _, right = random_position(n_subgames, n_subgames, rng)
    first, second = build_halves(outcomes)
    low = n_subgames // 2
    exact = win_split(first, second, right & ((1 << low) - 1), right >> low)
    return np.array([exact - win_sampled(outcomes, right, k, rng) for k in sample_counts])


@dataclass(frozen=True)
class MatchResult:
    """The result of two rounds of one sum, perfect against heuristic player (Section 5.3).

    perfect_prob  the perfect player's mean win probability of its round as Left and as Right
    seconds       the heuristic player's mean thinking time of a round
    """

    perfect_prob: float
    seconds: float


def play_match(
    game: Sum, positions: PositionValues, rng: np.random.Generator, depth: int, samples: int
) -> MatchResult:
    """Play a sum twice, the perfect player first as Left and then as Right (Section 5.3).

    positions       the sum's exact values
    depth, samples  of the heuristic player; samples 0: exact evaluation of finished sums
    """
    perfect_prob = 0.0
    seconds = 0.0
    n_subgames = len(game.subgames)
    for perfect_parity in (0, 1):  # parity of the move numbers of the perfect player
        begun = time.perf_counter()
        player = HeuristicPlayer(game, rng, depth, samples)
        seconds += time.perf_counter() - begun
        left = right = 0
        for k in range(n_subgames):
            if k % 2 == perfect_parity:
                move = perfect_move(positions, left, right)
            else:
                begun = time.perf_counter()
                move = player.choose(left, right)
                seconds += time.perf_counter() - begun
            if k % 2 == 0:
                left |= 1 << move
            else:
                right |= 1 << move
        won = positions.value(left, right)
        perfect_prob += won if perfect_parity == 0 else 1.0 - won
    return MatchResult(perfect_prob / 2, seconds / 2)


def perfect_move(positions: PositionValues, left: int, right: int) -> int:
    """Return an optimal subgame for the player to move."""
    subgames, values = positions.moves(left, right)
    lefts_move = left.bit_count() == right.bit_count()
    return subgames[int(np.argmax(values) if lefts_move else np.argmin(values))]


def ordering_errors(
    game: Sum,
    positions: PositionValues,
    left: int,
    right: int,
    samples: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Return the (average, worst) probability error of Monte-Carlo move ordering (Section 5.4).

    average  over all pairs of moves: the probability lost when the pair is in the wrong order
    worst    probability lost by playing the move ordered first
    The position (masks left, right) must leave at least two moves.
    """
    subgames, values = positions.moves(left, right)
    if left.bit_count() != right.bit_count():
        values = -values  # larger is better for the player to move
    scores = np.empty(len(subgames))
    sampler = make_sampler(game, exact=samples == 0)
    moves = np.array(subgames, dtype=np.int64)
    sampling = Sampling(1.0, ALL_TERMINALS, samples)
    score_moves(sampler, left, right, moves, scores, len(subgames), sampling, rng)
    gaps = values[:, None] - values[None, :]
    mistaken = (gaps > 0) & (scores[:, None] < scores[None, :])
    pairs = len(subgames) * (len(subgames) - 1) / 2
    return float(gaps[mistaken].sum() / pairs), float(values.max() - values[scores.argmax()])
