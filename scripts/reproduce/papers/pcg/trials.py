"""The paper's experiments, one game at a time: random sums, matches and errors of estimates.

Source: Zhao & Mueller, Section 5.1 (random games), 3.1 (errors of sampled finished sums), 4 and 5.3
(the heuristic player, and its matches against the perfect player), 5.4 (errors of move ordering).
The script scripts/reproduce/zhao_mueller.py repeats these over many games.

A position is a pair of masks, ``left`` and ``right``: bit i is set where a side has played subgame
i. Left moves first.
"""

import math
import time
from math import comb
from typing import NamedTuple

import numpy as np

from engine.pcg.exact import all_masks, layers_backwards, position_counts
from engine.pcg.game import Sum
from engine.pcg.halves import build_halves, win_split
from scripts.reproduce.papers.pcg.alpha_beta import (
    FRAME_BEST,
    FRAME_LEFT,
    FRAME_RIGHT,
    Plan,
    make_search,
    search_position,
)
from scripts.reproduce.papers.pcg.monte_carlo import (
    ALL_TERMINALS,
    Sampling,
    make_sampler,
    score_moves,
)
from scripts.reproduce.papers.pcg.terminal import sum_arrays, win_sampled
from scripts.reproduce.papers.pcg.transpositions import make_table

MOST = 10_000
"""Finished sums sampled below a position at most; keeps large sums affordable.

# Deviates: the paper has no such limit: with n_t = 1 it samples all finished sums.
"""
TABLE_BITS = 16
"""Room for twice the finished sums that a search 16 plies deep can meet.

# Deviates: the paper's table has 2^20 entries. This one is made again for every move.
"""


def lefts_move(left: int, right: int) -> bool:
    """Return whether Left is to move: both have played equally many subgames."""
    return left.bit_count() == right.bit_count()


class PositionValues:
    """The exact values of all positions of a sum, for players and experiments (Section 3).

    Raises BadSum when they need too much memory.
    """

    def __init__(self, game: Sum) -> None:
        self.n_subgames = len(game.subgames)
        self._layers = layers_backwards(game)
        self._masks = all_masks(self.n_subgames)

    def value(self, left: int, right: int) -> float:
        """Return Left's win probability in a position."""
        within = position = 0  # Left's mask within the subgames that Right has not played
        for i in range(self.n_subgames):
            if not (right >> i) & 1:
                within |= ((left >> i) & 1) << position
                position += 1
        width = comb(position, left.bit_count())
        index = self._masks.rank[right] * width + self._masks.rank[within]
        return float(self._layers[left.bit_count() + right.bit_count()][index])

    def moves(self, left: int, right: int) -> tuple[list[int], np.ndarray]:
        """Return the open subgames and Left's win probability after the mover plays each."""
        played = left | right
        open_subgames = [i for i in range(self.n_subgames) if not (played >> i) & 1]
        values = [
            self.value(left | (1 << i), right)
            if lefts_move(left, right)
            else self.value(left, right | (1 << i))
            for i in open_subgames
        ]
        return open_subgames, np.array(values)


class HeuristicPlayer:
    """A shallow search over Monte-Carlo interior values; it reuses the samples of earlier moves.

    Source: Section 4. Depth 1 makes it Abramson's expected-outcome player, which plays the move
    with the best interior value. A deeper search need not be better (Fig. 4, left). All finished
    sums are sampled (n_t = 1), which works best (Section 5.3).
    depth    moves to look ahead, 1 to 16
    samples  combinations drawn for each finished sum, 0: all, exactly       (paper: n_c)
    """

    def __init__(
        self, game: Sum, rng: np.random.Generator, depth: int, samples: int, most: int = MOST
    ) -> None:
        self._n_subgames = len(game.subgames)
        self._sampler = make_sampler(game, exact=samples == 0)
        self._rng = rng
        self._depth = depth
        self._sampling = Sampling(1.0, most, samples)

    def choose(self, left: int, right: int) -> int:
        """Return the subgame to play in an open position."""
        moves = left.bit_count() + right.bit_count()
        search = make_search(self._n_subgames)
        # The search starts at row ``moves``: its parity determines the side to move.
        search.frames[moves, FRAME_LEFT], search.frames[moves, FRAME_RIGHT] = left, right
        frontier = min(moves + self._depth, self._n_subgames)
        # Deviates: the last ply before the frontier is not ordered (the paper: d_m = depth).
        # All its moves are valued by the same samples anyway.
        plan = Plan(frontier, frontier - 1, self._sampling, 0)
        # A new table for each move: the last search's frontier values had a shallower horizon.
        table = make_table(TABLE_BITS)
        search_position(search, self._sampler, table, moves, plan, self._rng)
        return int(search.frames[moves, FRAME_BEST])


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
    outcomes, n_subgames = sum_arrays(game), len(game.subgames)
    _, right = random_position(n_subgames, n_subgames, rng)
    first, second = build_halves(game)
    low = n_subgames // 2
    exact = win_split(first, second, right & ((1 << low) - 1), right >> low)
    return np.array([exact - win_sampled(outcomes, right, k, rng) for k in sample_counts])


class MatchResult(NamedTuple):
    """The result of two rounds of one sum, perfect against heuristic player (Section 5.3)."""

    # The perfect player's mean win probability of its round as Left and as Right
    perfect_prob: float
    seconds: float  # the heuristic player's mean thinking time of a round


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
    return subgames[int(np.argmax(values) if lefts_move(left, right) else np.argmin(values))]


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
    if not lefts_move(left, right):
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
