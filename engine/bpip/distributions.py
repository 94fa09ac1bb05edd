"""Discrete distributions of value, as step functions on sorted values.

Source: Baum (1993), "Tree valuation". The cdf of the largest of independent values is the
product of their cdfs. The survival function of the smallest is the product of theirs.
Values are not rounded: each keeps its own support until it is put on a tree's common grid.
Twin: tests/reference/bpip.py (enumeration)
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats
from engine.jit import kernel


class Distribution(NamedTuple):
    """A discrete distribution."""

    values: Floats  # (n,) strictly rising
    masses: Floats  # (n,) >= 0, sum 1


def mean(one: Distribution) -> float:
    """Return the expected value."""
    return float(one.values @ one.masses)


def union_grid(many: Sequence[Distribution]) -> Floats:
    """Return float64[n], every value that any of the distributions can take, rising."""
    return np.unique(np.concatenate([one.values for one in many]))


def cdf_on(grid: Floats, one: Distribution) -> Floats:
    """Return float64[len(grid)], P(value <= grid[k]) for each k; exact for any grid."""
    steps = np.concatenate([[0.0], np.cumsum(one.masses)])
    return steps[np.searchsorted(one.values, grid, side="right")]


def largest(many: Sequence[Distribution]) -> Distribution:
    """Return the distribution of the largest of independent values: the product of cdfs."""
    grid = union_grid(many)
    cdf = np.prod([cdf_on(grid, one) for one in many], axis=0)
    return Distribution(grid, np.diff(cdf, prepend=0.0))


@kernel
def put_on_grid(
    grid: Floats, cdf: Floats, row: int, values: Floats, masses: Floats, by: float
) -> None:
    """Write a shifted distribution as a row of cdfs on a common grid.

    A value between two grid points is split between them so that the mean is kept. Values
    beyond the ends of the grid move to the ends.
    # Deviates: the paper calculates with every value that a leaf can take. A fixed grid bounds
    the time of a valuation; the price is a slightly larger spread (the mean is kept).
    grid            float64[m], strictly rising, m >= 2
    cdf             float64[rows, m], row changes in place
    values, masses  float64[n], the distribution
    by              added to every value
    """
    m = len(grid)
    for k in range(m):
        cdf[row, k] = 0.0
    right = 0
    for i in range(len(values)):
        value = values[i] + by
        while right < m and grid[right] < value:
            right += 1
        # No two neighbors: the value is beyond the grid's ends or on its first point.
        if right == m or right == 0:
            cdf[row, min(right, m - 1)] += masses[i]
            continue
        share = (grid[right] - value) / (grid[right] - grid[right - 1])
        cdf[row, right - 1] += share * masses[i]
        cdf[row, right] += (1.0 - share) * masses[i]
    total = 0.0
    for k in range(m):
        total += cdf[row, k]
        cdf[row, k] = total


@kernel
def mean_of_row(grid: Floats, cdf: Floats, row: int) -> float:
    """Return the mean of a row of cdfs on a grid."""
    total = grid[0] * cdf[row, 0]
    for k in range(1, len(grid)):
        total += grid[k] * (cdf[row, k] - cdf[row, k - 1])
    return total
