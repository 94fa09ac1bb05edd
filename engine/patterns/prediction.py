"""The ranking model's prediction: the probability of each candidate of a position.

Source: Stern, Herbrich & Graepel (2006), Sec. 3.1. The paper ranks by the mean value. The order of
the probabilities is the same only if all variances are equal.
Twin: tests/reference/ranking.py.
"""

import math

from engine.arrays import Floats
from engine.gaussian import cdf, pdf
from engine.jit import kernel
from engine.patterns.choice import (
    BELOW,
    CHANCE,
    CHOICE_GROUPS,
    MESSAGE_PI,
    PRIOR_MEAN,
    PRIOR_VARIANCE,
    SCORE,
    Choice,
)
from engine.patterns.ranking import weigh_groups

# Shared by play and evaluation, so that the evaluated model is the one that plays.
GRID_POINTS = 64  # of the quadrature, in play and in evaluation
CERTAIN_SCORE = 8.3  # Phi(8.3) is 1 in float64
NEGLIGIBLE = 1e-18  # a probability too small to affect any result
REACH_DEVIATIONS = 8.0  # extent of the grid around the best candidates, in deviations


@kernel
def add_grid_point(choice: Choice, x: float, step: float) -> bool:
    """Add to each group's probability the chance that its x is the largest and near ``x``.

    choice   weighed; row changes in place, MESSAGE_PI holds 1 / deviation
    x, step  float64, place and width of the grid cell
    returns  bool, False if nothing at x or below matters any more
    """
    star = choice.star
    row = choice.row
    groups = choice.meta[CHOICE_GROUPS]
    product = 1.0
    for group in range(groups):
        z = (x - star[group, PRIOR_MEAN]) * star[group, MESSAGE_PI]
        below = 1.0
        if z < CERTAIN_SCORE:  # most groups are far below the contenders and need no cdf
            below = cdf(z)
            product *= below
            if product < NEGLIGIBLE:  # and even smaller at every lower x
                return False
        row[group, SCORE] = z
        row[group, BELOW] = below
    for group in range(groups):
        z = row[group, SCORE]
        if z < CERTAIN_SCORE:
            others = product / row[group, BELOW]
            row[group, CHANCE] += others * pdf(z) * star[group, MESSAGE_PI] * step
    return True


@kernel
def predict(
    choice: Choice, count: int, beta_squared: float, points: int, probability: Floats
) -> float:
    """Compute the probability of each candidate to be the expert's move.

    P(v) is the integral of N(x; v) times the product of all others' Phi. It is computed on
    one common grid, from above until the product vanishes. Each group divides its own factor out.
    Source: Stern et al. (2006), Sec. 3.1, P(v | c).
    choice        with beliefs; star and row change in place
    points        int64, grid points
    probability   float64[>= count], filled in; sums to 1; 0 if below some 1e-16
    returns       float64, the sum before normalization: 1 apart from the quadrature's error
    Twin: tests/reference/ranking.py::best_probabilities
    """
    weigh_groups(choice, beta_squared)
    star = choice.star
    groups = choice.meta[CHOICE_GROUPS]
    low = -math.inf
    high = -math.inf
    for group in range(groups):
        deviation = math.sqrt(star[group, PRIOR_VARIANCE])
        # The largest x is above every group's low end, so the grid begins at the highest low end.
        low = max(low, star[group, PRIOR_MEAN] - REACH_DEVIATIONS * deviation)
        high = max(high, star[group, PRIOR_MEAN] + REACH_DEVIATIONS * deviation)
        star[group, MESSAGE_PI] = 1.0 / deviation  # the column is free during prediction
        choice.row[group, CHANCE] = 0.0
    step = (high - low) / points
    for i in range(points):
        if not add_grid_point(choice, high - (i + 0.5) * step, step):
            break
    # Normalized, because the sum would otherwise lack the probability outside the grid.
    total = 0.0
    for group in range(groups):
        total += choice.row[group, CHANCE]
    for candidate in range(count):
        group = choice.group_of[candidate]
        probability[candidate] = choice.row[group, CHANCE] / (total * choice.size[group])
    return total
