"""Distributions of value as rows of cdfs on a tree's common grid.

Twin: tests/reference/bpip.py (enumeration)
"""

from engine.arrays import Floats
from engine.jit import kernel


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
