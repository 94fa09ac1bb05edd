"""The win probability of a finished sum in two of the paper's ways.

Source: Zhao & Mueller, Section 3.1, Formula (1). A finished sum is Right's mask: bit i is set if
Right has played subgame i. Both ways give P(offset + sum of outcomes > 0) for Left.

# Deviates: the paper's methods 2 (dynamic programming over bins) and 3 (convolution of
densities) are left out. The module engine.pcg.halves replaces them: it is exact for any
integers.
Slow twin: tests/reference/pcg.py::terminal_value.
"""

from typing import NamedTuple

import numpy as np

from engine.errors import BadSum
from engine.jit import kernel
from engine.pcg.game import Sum

MAX_COMBINATIONS = 2**24
"""Maximal number of combinations held in memory."""


class Outcomes(NamedTuple):
    """The possible outcomes of each subgame, by the player who ended it: 0 Left, 1 Right.

    Unused points have probability 0.
    """

    values: np.ndarray  # int64[subgames, 2, points]
    probs: np.ndarray  # float64[subgames, 2, points]
    cumulative: np.ndarray  # float64[subgames, 2, points], infinite from the last point on
    counts: np.ndarray  # int64[subgames, 2], points in use
    offset: np.ndarray  # int64[1], added to every sum


def sum_arrays(game: Sum) -> Outcomes:
    """Return the arrays of a sum."""
    sides = [(subgame.left, subgame.right) for subgame in game.subgames]
    counts = np.array([[len(side.values) for side in both] for both in sides])
    values = np.zeros((*counts.shape, counts.max()), np.int64)
    probs, cumulative = np.zeros(values.shape), np.full(values.shape, np.inf)
    for i, choice in np.ndindex(counts.shape):
        side, points = sides[i][choice], counts[i, choice]
        values[i, choice, :points], probs[i, choice, :points] = side.values, side.probs
        # The last point takes the rest, so that rounding cannot lose a sample.
        cumulative[i, choice, : points - 1] = np.cumsum(side.probs)[:-1]
    return Outcomes(values, probs, cumulative, counts, np.array([game.offset], np.int64))


@kernel
def win_direct(outcomes: Outcomes, right: int, sums: np.ndarray, probs: np.ndarray) -> float:
    """Return the win probability by listing every combination of outcomes.

    Source: Section 3.1, method 1. The list doubles with every subgame.
    outcomes  Outcomes
    right     int64, mask of Right's subgames
    sums      int64[>= combinations], scratch
    probs     float64[>= combinations], scratch
    returns   float64, probability that Left wins
    """
    sums[0] = outcomes.offset[0]
    probs[0] = 1.0
    length = 1
    for i in range(outcomes.counts.shape[0]):
        choice = (right >> i) & 1
        # The first point comes last, because it overwrites the list that the others copy.
        for point in range(outcomes.counts[i, choice] - 1, -1, -1):
            value = outcomes.values[i, choice, point]
            prob = outcomes.probs[i, choice, point]
            start = point * length
            for k in range(length):
                sums[start + k] = sums[k] + value
                probs[start + k] = probs[k] * prob
        length *= outcomes.counts[i, choice]
    total = 0.0
    for k in range(length):
        if sums[k] > 0:
            total += probs[k]
    return min(total, 1.0)


@kernel
def win_sampled(outcomes: Outcomes, right: int, samples: int, rng: np.random.Generator) -> float:
    """Return an estimate of the win probability: Monte-Carlo terminal evaluation (MCTE).

    Source: Section 3.1; the standard deviation is at most 1 / (2 sqrt(samples)).
    outcomes  Outcomes
    right     int64, mask of Right's subgames
    samples   int64 > 0                                                    (paper: n_c, or k)
    rng       np.random.Generator
    returns   float64, share of samples that Left won
    """
    wins = 0
    for _ in range(samples):
        # Only integers: a sum of exactly 0 is Right's, and rounding would change it.
        total = outcomes.offset[0]
        for i in range(outcomes.counts.shape[0]):
            choice = (right >> i) & 1
            draw = rng.random()
            point = 0
            # The loop ends at the last point at the latest: its cumulative value is infinite.
            while draw >= outcomes.cumulative[i, choice, point]:
                point += 1
            total += outcomes.values[i, choice, point]
        if total > 0:
            wins += 1
    return wins / samples


def direct_scratch(outcomes: Outcomes) -> tuple[np.ndarray, np.ndarray]:
    """Return the two scratch arrays of ``win_direct``; raises BadSum when they are too large."""
    # Python's integers: 31 subgames of five points each would silently overflow int64.
    size = int(np.prod(outcomes.counts.max(axis=1).astype(object)))
    if size > MAX_COMBINATIONS:
        raise BadSum(f"{size} combinations of outcomes are too many to list")
    return np.empty(size, dtype=np.int64), np.empty(size)
