"""Discrete distributions of value, as step functions on sorted values.

Source: Baum (1993), "Tree valuation". The largest of independent values has the product of
their distribution functions, the smallest the product of their survival functions; nothing is
rounded, a value keeps its own support until it is put on a tree's common grid.
Twin: tests/reference/bpip.py (enumeration)
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.jit import kernel

Floats = npt.NDArray[np.float64]


class Distribution(NamedTuple):
    """A discrete distribution; make it with ``distribution`` or ``spike``."""

    values: Floats  # (n,) strictly rising
    masses: Floats  # (n,) >= 0, sum 1


def distribution(masses: Mapping[float, float]) -> Distribution:
    """Return the distribution with these masses by value.

    Raises ValueError unless the masses are >= 0 and sum to 1 (within 1e-9).
    """
    values = np.array(sorted(masses), np.float64)
    weights = np.array([masses[value] for value in sorted(masses)], np.float64)
    if not len(weights) or (weights < 0.0).any() or abs(weights.sum() - 1.0) > 1e-9:
        raise ValueError(f"masses must be >= 0 and sum to 1, not {dict(masses)}")
    return Distribution(values, weights)


def spike(value: float) -> Distribution:
    """Return the distribution of a value that is known."""
    return Distribution(np.array([value], np.float64), np.ones(1))


def mean(one: Distribution) -> float:
    """Return the expected value."""
    return float(one.values @ one.masses)


def shift(one: Distribution, by: float) -> Distribution:
    """Return the distribution of value + ``by``."""
    return Distribution(one.values + by, one.masses)


def negate(one: Distribution) -> Distribution:
    """Return the distribution of -value: the other player's view."""
    return Distribution(-one.values[::-1], one.masses[::-1].copy())


def union_grid(many: Sequence[Distribution]) -> Floats:
    """Return every value that any of the distributions can take, rising."""
    return np.unique(np.concatenate([one.values for one in many]))


def cdf_on(grid: Floats, one: Distribution) -> Floats:
    """Return P(value <= grid[k]) for each k; exact for any grid."""
    steps = np.concatenate([[0.0], np.cumsum(one.masses)])
    return steps[np.searchsorted(one.values, grid, side="right")]


def largest(many: Sequence[Distribution]) -> Distribution:
    """Return the distribution of the largest of independent values: a product of cdfs."""
    grid = union_grid(many)
    cdf = np.prod([cdf_on(grid, one) for one in many], axis=0)
    return Distribution(grid, np.diff(cdf, prepend=0.0))


def smallest(many: Sequence[Distribution]) -> Distribution:
    """Return the distribution of the smallest of independent values."""
    return negate(largest([negate(one) for one in many]))


@kernel
def put_on_grid(
    grid: Floats, cdf: Floats, row: int, values: Floats, masses: Floats, by: float
) -> None:
    """Write a shifted distribution as a row of cdfs on a common grid.

    A value between two grid points is split between them so that the mean is kept; values
    beyond the ends go to the ends.
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
