"""P(this move is the best): the move that a search would choose after many times more roll-outs.

Each move's value is believed to be Gaussian. All moves share the root's own value, and given that
value they are independent, so P(largest) is an integral over one variable. Visits and the ranking
model say more:

    P(best) ~ P(largest)^a * (share of the visits)^b * (prior)^c.

The exponents are learned from searches that went on (``Calibration.choice``), as a conditional
logit. They change with the number of roll-outs.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.belief.calibration import CHOICES, PLAYED


class BestMoveGrid(NamedTuple):
    """The grid and the table of the integral over values."""

    points: int = 128  # Values at which the moves' distribution functions are compared.
    reach: float = 6.0  # Deviations to either side of the grid.
    table_steps: int = 64  # Steps of the table in one deviation.
    # Smaller probabilities count as this one: no sample is large enough for them.
    least_chance: float = 1e-6


NORMALS = BestMoveGrid()


@cache
def _log_cdf_table() -> tuple[Floats, Floats]:
    """Return where the normal's log distribution function is tabulated, and its values."""
    # Vectors, read by people: a kernel would have to be compiled before the first move.
    points = np.arange(-8 * NORMALS.table_steps, 8 * NORMALS.table_steps + 1) / NORMALS.table_steps
    return points, np.array([math.log(0.5 * math.erfc(-t / math.sqrt(2.0))) for t in points])


def chances_to_be_largest(means: Floats, deviations: Floats) -> Floats:
    """Return float64[n], the probability that each of n independent Gaussians is the largest.

    means, deviations  float64[n], n >= 1, deviations > 0
    Twin: tests/reference/search.py::chance_to_be_largest
    """
    # Some other move is surely larger than a value below the grid.
    low = float((means - NORMALS.reach * deviations).max())
    grid = np.linspace(low, float((means + NORMALS.reach * deviations).max()), NORMALS.points)
    at = (grid - means[:, np.newaxis]) / deviations[:, np.newaxis]
    log_cdfs = np.interp(at, *_log_cdf_table())
    others = np.exp(log_cdfs.sum(axis=0) - log_cdfs)
    # Masses between the points of the grid, not densities at them. A move that is known much better
    # than the others may lie between two points.
    masses = np.diff(np.exp(log_cdfs), axis=1, prepend=0.0)
    middle = 0.5 * (others + np.concatenate([others[:, :1], others[:, :-1]], axis=1))
    chances = (masses * middle).sum(axis=1)
    return np.asarray(chances / chances.sum())


def choice_features(means: Floats, deviations: Floats, visits: Ints, priors: Floats) -> Floats:
    """Return float64[n, CHOICES] of the root's moves: logarithms of the factors of P(best)."""
    largest = chances_to_be_largest(means, deviations)
    # One extra visit each: a move without a visit is not impossible.
    visited = (visits + 1) / (visits.sum() + len(visits))
    return np.log(np.maximum([largest, visited, priors], NORMALS.least_chance)).T.reshape(
        -1, CHOICES
    )


def exponents_of(choice: Floats, situation: Floats) -> Floats:
    """Return float64[CHOICES], the exponents of the features of moves; >= 0.

    choice     float64[2, CHOICES], ``Calibration.choice``
    situation  as ``features_of`` returns it
    """
    return np.asarray(np.maximum(choice[0] + situation[PLAYED] * choice[1], 0.0))


def chances_to_be_best(features: Floats, exponents: Floats) -> Floats:
    """Return float64[n], P(best) of each move, from features and their exponents."""
    scores = features @ exponents
    chances = np.exp(scores - scores.max())
    return np.asarray(chances / chances.sum())
