"""Discrete distributions of value, as step functions on sorted values.

Source: Baum (1993), "Tree valuation". The cdf of the largest of independent values is the
product of their cdfs. The survival function of the smallest is the product of theirs.
Values are not rounded: each distribution keeps its own support.
Twin: tests/reference/bpip.py (enumeration)
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats


class Distribution(NamedTuple):
    """A discrete distribution."""

    values: Floats  # (n,) rising; equal ones count together
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


def utility(options: Sequence[Distribution], taken: int) -> float:
    """Return U = E[max_i V_i] - E[V_k], the gain from knowing every value before the choice; >= 0.

    Source: Baum (1993), "Tree growth". The V_i are independent.
    options  distributions of the value of each option
    taken    the option k that would be taken now; in the paper the one with the best mean
    """
    return max(mean(largest(options)) - mean(options[taken]), 0.0)
