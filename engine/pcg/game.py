"""Simple probabilistic combinatorial games (SPCG), checked, and as arrays for the kernels.

Source: Zhao & Mueller, Section 2. One move ends a subgame {d_L | d_R}: Left's move leads to the
distribution d_L, Right's to d_R. Left moves first. Left wins when the sum of all outcomes and of
the game's offset is *greater than 0*; a sum of 0 is Left's loss.

# Deviates: distributions may have any number of points (the paper: two), because real fights
do. A sum has an integer offset (settled points, komi) in addition to its subgames.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.errors import BadSum

LEFT, RIGHT = 0, 1


class GameLimits(NamedTuple):
    """The largest games that are exact."""

    # Largest absolute value of an outcome; sums of 62 such values still fit in int64.
    max_value: int = 2**52
    # Largest number of subgames: both players' masks must fit in one int64 key.
    max_subgames: int = 31
    # Largest deviation from 1 of the total probability of a distribution.
    prob_tolerance: float = 1e-9


GAME_LIMITS = GameLimits()


@dataclass(frozen=True)
class OutcomeDistribution:
    """Outcomes and their probabilities (Section 2, point 1).

    values  integers, strictly increasing [points, for Left]
    probs   their probabilities, all > 0
    """

    values: tuple[int, ...]
    probs: tuple[float, ...]

    @classmethod
    def of(cls, *points: tuple[float, int]) -> "OutcomeDistribution":
        """Return the distribution of points (probability, value), in the paper's order.

        Points of probability 0 are dropped and equal values merged. Raises BadSum for a value
        that is not an integer, a probability outside 0 to 1, or a wrong total probability.
        """
        joined: dict[int, float] = {}
        for prob, value in points:
            outcome = _checked_value(value)
            joined[outcome] = joined.get(outcome, 0.0) + _checked_prob(prob)
        total = math.fsum(joined.values())
        # Files have decimal numbers, which floats only approximate.
        if abs(total - 1.0) > GAME_LIMITS.prob_tolerance:
            raise BadSum(f"the probabilities sum to {total:.10g}, not to 1")
        outcomes = sorted((value, prob) for value, prob in joined.items() if prob > 0.0)
        return cls(tuple(value for value, _ in outcomes), tuple(prob for _, prob in outcomes))


@dataclass(frozen=True)
class SimpleGame:
    """A subgame {left | right}: one move by either player ends it (Section 2)."""

    left: OutcomeDistribution
    right: OutcomeDistribution


@dataclass(frozen=True)
class Sum:
    """A sum of simple games; Left moves first and wins when offset + all outcomes > 0.

    Source: Section 2, point 3.
    Raises BadSum when there is no subgame or more than max_subgames.
    """

    subgames: tuple[SimpleGame, ...]
    offset: int = 0

    def __post_init__(self) -> None:
        if not 1 <= len(self.subgames) <= GAME_LIMITS.max_subgames:
            raise BadSum(
                f"a sum has 1 to {GAME_LIMITS.max_subgames} subgames, not {len(self.subgames)}"
            )
        _checked_value(self.offset)


class Outcomes(NamedTuple):
    """The possible outcomes of each subgame, as arrays for the kernels.

    A subgame's *choice* is the player who ended it, LEFT or RIGHT. Unused points have probability
    0.
    """

    values: np.ndarray  # int64[subgames, 2, points]
    probs: np.ndarray  # float64[subgames, 2, points]
    cumulative: np.ndarray  # float64[subgames, 2, points], infinite from the last point on
    counts: np.ndarray  # int64[subgames, 2], points in use
    offset: np.ndarray  # int64[1], added to every sum


def sum_arrays(game: Sum) -> Outcomes:
    """Return the arrays of a sum."""
    most_points = max(len(d.values) for pair in game.subgames for d in (pair.left, pair.right))
    shape = (len(game.subgames), 2, most_points)
    values = np.zeros(shape, dtype=np.int64)
    probs = np.zeros(shape)
    counts = np.zeros(shape[:2], dtype=np.int64)
    cumulative = np.full(shape, np.inf)
    for i, subgame in enumerate(game.subgames):
        for choice, distribution in ((LEFT, subgame.left), (RIGHT, subgame.right)):
            points = len(distribution.values)
            counts[i, choice] = points
            values[i, choice, :points] = distribution.values
            probs[i, choice, :points] = distribution.probs
            # The last point takes the rest, so that rounding cannot lose a sample.
            cumulative[i, choice, : points - 1] = np.cumsum(distribution.probs)[:-1]
    return Outcomes(values, probs, cumulative, counts, np.array([game.offset], dtype=np.int64))


def random_sum(
    n_subgames: int, rng: np.random.Generator, granularity: int = 100, span: int = 1000
) -> Sum:
    """Return a random sum as the paper describes it (Section 5.1).

    granularity  probabilities are multiples of 1 / granularity, uniform from 0 to 1
    span         values are integers, uniform from -span to span
    """

    def distribution() -> OutcomeDistribution:
        # Both ends included, "between 0% and 100%" (Section 5.1).
        share = int(rng.integers(0, granularity + 1))
        one, other = (int(value) for value in rng.integers(-span, span + 1, 2))
        return OutcomeDistribution.of(
            (share / granularity, one), ((granularity - share) / granularity, other)
        )

    return Sum(tuple(SimpleGame(distribution(), distribution()) for _ in range(n_subgames)))


def _checked_value(value: Any) -> int:
    """Return an outcome as an int; raises BadSum when it is not an integer or too large."""
    # In Python bool is an int, but ``true`` in a file is not an outcome.
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole and not (isinstance(value, float) and value.is_integer()):
        raise BadSum("a value is not an integer")
    if abs(value) > GAME_LIMITS.max_value:
        raise BadSum(f"a value is too large: at most {GAME_LIMITS.max_value} is allowed")
    return int(value)


def _checked_prob(prob: Any) -> float:
    """Return a probability as a float; raises BadSum when it is not one."""
    if isinstance(prob, bool) or not isinstance(prob, int | float | np.floating):
        raise BadSum("a probability is not a number")
    if not 0.0 <= prob <= 1.0:
        raise BadSum("a probability is not between 0 and 1")
    return float(prob)
