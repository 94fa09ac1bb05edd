"""Simple probabilistic combinatorial games (SPCG).

Source: Zhao & Mueller, Section 2. One move ends a subgame {d_L | d_R}. Left moves first and wins
when the sum of all outcomes and of the game's offset is *greater than 0*.

# Deviates: distributions may have any number of points (the paper: two), because real fights do. A
sum has an integer offset (settled points, komi) in addition to its subgames.
"""

import math
from dataclasses import dataclass

import numpy as np

from engine.errors import BadSum

_PROB_TOLERANCE = 1e-9  # largest deviation from 1 of a distribution's total probability


@dataclass(frozen=True)
class OutcomeDistribution:
    """Outcomes and their probabilities (Section 2, point 1)."""

    values: tuple[int, ...]  # integers, strictly increasing [points, for Left]
    probs: tuple[float, ...]  # their probabilities, all > 0

    @classmethod
    def of(cls, *points: tuple[float, int]) -> "OutcomeDistribution":
        """Return the distribution of points (probability, value), in the paper's order.

        Equal values are merged. Raises BadSum for a wrong total probability.
        """
        joined: dict[int, float] = {}
        for prob, value in points:
            joined[value] = joined.get(value, 0.0) + prob
        total = math.fsum(joined.values())
        # Decimal numbers are approximate as floats.
        if not abs(total - 1.0) <= _PROB_TOLERANCE:  # or not a number
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
    """A sum of games; Left moves first and wins when offset + outcomes > 0 (Section 2, 3)."""

    subgames: tuple[SimpleGame, ...]
    offset: int = 0


def random_sum(
    n_subgames: int, rng: np.random.Generator, granularity: int = 100, span: int = 1000
) -> Sum:
    """Return a random sum (Section 5.1): k / granularity and -span to span, all equally likely."""

    def distribution() -> OutcomeDistribution:
        # Both ends included, "between 0% and 100%" (Section 5.1).
        share = int(rng.integers(0, granularity + 1))
        one, other = (int(value) for value in rng.integers(-span, span + 1, 2))
        return OutcomeDistribution.of(
            (share / granularity, one), ((granularity - share) / granularity, other)
        )

    return Sum(tuple(SimpleGame(distribution(), distribution()) for _ in range(n_subgames)))
