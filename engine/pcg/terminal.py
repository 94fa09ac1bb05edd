"""The win probability of a finished sum, three of the paper's ways; ``halves`` is the fourth.

Source: Zhao & Mueller, Section 3.1, Formula (1). A finished sum is Right's mask: bit i set when
Right has played subgame i. All ways give P(offset + sum of outcomes > 0) for Left.
Slow twin: tests/reference/pcg.py::terminal_value.
"""

from collections.abc import Iterable
from typing import Literal

import numpy as np

from engine.errors import BadSum
from engine.jit import kernel
from engine.pcg.game import Outcomes, Sum, sum_arrays
from engine.pcg.halves import build_halves, win_split

MAX_COMBINATIONS = 2**24
"""Most combinations, and most bins, that are laid out in memory."""

Method = Literal["direct", "binned", "halves", "sampled"]


@kernel
def win_direct(outcomes: Outcomes, right: int, sums: np.ndarray, probs: np.ndarray) -> float:
    """Win probability by listing every combination of outcomes.

    Source: Section 3.1, method 1; the list doubles with every subgame.
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
        # the first point comes last: it overwrites the list that the others are copied from
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
def win_binned(outcomes: Outcomes, right: int, now: np.ndarray, after: np.ndarray) -> float:
    """Win probability by adding one subgame at a time to a row of bins, with early bagging.

    Source: Section 3.1, method 2. A partial sum that the subgames to come cannot turn any more
    is bagged: added to the wins, or dropped. So the bins cover only sums that are still open.
    outcomes  Outcomes
    right     int64, mask of Right's subgames
    now       float64[>= spread of the sums + 1], scratch; bins of the partial sums so far
    after     float64[same], scratch; bins with one subgame more
    returns   float64, probability that Left wins
    """
    lowest, highest = outcomes.offset[0], outcomes.offset[0]  # what the whole sum can still be
    n_subgames = outcomes.counts.shape[0]
    for i in range(n_subgames):
        choice = (right >> i) & 1
        lowest += outcomes.values[i, choice, 0]
        highest += outcomes.values[i, choice, outcomes.counts[i, choice] - 1]
    if lowest > 0 or highest <= 0:
        return 1.0 if lowest > 0 else 0.0
    # A bin holds a partial sum as the total it would reach with the lowest outcomes to come:
    # bin k is that total - lowest, so nothing has to be shifted for a lowest outcome.
    won = 0.0
    now[0] = 1.0
    used = 1
    room = highest - lowest  # what the subgames to come can add at most
    for i in range(n_subgames):
        choice = (right >> i) & 1
        last = outcomes.counts[i, choice] - 1
        base = outcomes.values[i, choice, 0]
        spread = outcomes.values[i, choice, last] - base
        room -= spread
        # open totals t: lowest <= t <= 0 (not won yet) and t + room > 0 (not lost yet)
        size = min(used + spread, 1 - lowest)
        for k in range(size):
            after[k] = 0.0
        for k in range(max(0, 1 - room - spread - lowest), used):
            if now[k] == 0.0:
                continue
            for point in range(last + 1):
                bin_ = k + outcomes.values[i, choice, point] - base
                mass = now[k] * outcomes.probs[i, choice, point]
                if bin_ + lowest > 0:
                    won += mass
                elif bin_ + lowest + room > 0:
                    after[bin_] += mass
        now, after = after, now
        used = size
    return min(won, 1.0)


@kernel
def win_sampled(outcomes: Outcomes, right: int, samples: int, rng: np.random.Generator) -> float:
    """Estimate of the win probability: Monte-Carlo terminal evaluation (MCTE).

    Source: Section 3.1; the standard deviation is at most 1 / (2 sqrt(samples)).
    outcomes  Outcomes
    right     int64, mask of Right's subgames
    samples   int64 > 0                                                    (paper: n_c, or k)
    rng       np.random.Generator
    returns   float64, share of samples that Left won
    """
    wins = 0
    for _ in range(samples):
        total = outcomes.offset[0]
        for i in range(outcomes.counts.shape[0]):
            choice = (right >> i) & 1
            draw = rng.random()
            point = 0
            while draw >= outcomes.cumulative[i, choice, point]:
                point += 1
            total += outcomes.values[i, choice, point]
        if total > 0:
            wins += 1
    return wins / samples


def combinations(outcomes: Outcomes) -> int:
    """Return how many combinations of outcomes a finished sum has at most."""
    return int(np.prod(outcomes.counts.max(axis=1).astype(object)))


def direct_scratch(outcomes: Outcomes) -> tuple[np.ndarray, np.ndarray]:
    """Return the two scratch arrays of ``win_direct``; raises BadSum when they are too large."""
    size = combinations(outcomes)
    if size > MAX_COMBINATIONS:
        raise BadSum(f"{size} combinations of outcomes are too many to list")
    return np.empty(size, dtype=np.int64), np.empty(size)


def win_probability(
    game: Sum,
    left: Iterable[int],
    method: Method = "halves",
    samples: int = 10000,
    rng: np.random.Generator | None = None,
) -> float:
    """Return Left's win probability once Left has played the subgames ``left`` and Right all else.

    samples, rng  only for method "sampled"; without rng a fresh one, seeded by the system
    Raises BadSum for an index outside the sum, or one too large for the method.
    """
    n_subgames = len(game.subgames)
    right = (1 << n_subgames) - 1
    for i in left:
        if not 0 <= i < n_subgames:
            raise BadSum(f"there is no subgame {i}")
        right &= ~(1 << i)
    outcomes = sum_arrays(game)
    if method == "sampled":
        if samples < 1:
            raise BadSum("at least one sample is needed")
        return float(win_sampled(outcomes, right, samples, rng or np.random.default_rng()))
    if method == "direct":
        return float(win_direct(outcomes, right, *direct_scratch(outcomes)))
    if method == "binned":
        spread = int(np.sum(np.ptp(outcomes.values, axis=2).max(axis=1)))
        if spread >= MAX_COMBINATIONS:
            raise BadSum(f"the sums spread over {spread} values, too many for bins")
        return float(win_binned(outcomes, right, np.empty(spread + 1), np.empty(spread + 1)))
    first, second = build_halves(outcomes)
    low = n_subgames // 2
    return float(win_split(first, second, right & ((1 << low) - 1), right >> low))
