"""The win probability of a finished sum in two of the paper's ways.

Source: Zhao & Mueller, Section 3.1, Formula (1). A finished sum is Right's mask: bit i is set if
Right has played subgame i. Both ways give P(offset + sum of outcomes > 0) for Left.

# Deviates: the paper's methods 2 (dynamic programming over bins) and 3 (convolution of
densities) are left out. The module engine.pcg.halves replaces them: it is exact for any
integers.
Slow twin: tests/reference/pcg.py::terminal_value.
"""

import numpy as np

from engine.errors import BadSum
from engine.jit import kernel
from engine.pcg.game import Outcomes

MAX_COMBINATIONS = 2**24
"""Maximal number of combinations held in memory."""


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


def combinations(outcomes: Outcomes) -> int:
    """Return the maximal number of combinations of outcomes of a finished sum.

    Source: Formula (1), Section 3.1.
    """
    # Python's integers: 31 subgames of five points each would silently overflow int64.
    return int(np.prod(outcomes.counts.max(axis=1).astype(object)))


def direct_scratch(outcomes: Outcomes) -> tuple[np.ndarray, np.ndarray]:
    """Return the two scratch arrays of ``win_direct``; raises BadSum when they are too large."""
    size = combinations(outcomes)
    if size > MAX_COMBINATIONS:
        raise BadSum(f"{size} combinations of outcomes are too many to list")
    return np.empty(size, dtype=np.int64), np.empty(size)
