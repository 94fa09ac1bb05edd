"""One-dimensional Gaussians: tails, truncation, and the largest of several.

Source: Stern, Herbrich & Graepel (2006), Sec. 3.1.

A Gaussian has a mean and a *variance*. A message is kept in natural parameters (pi, tau) =
(1/variance, mean/variance): products add, divisions subtract, and "no message" is (0, 0).
Everything is based on ``math.erfc`` and is safe in the tails (tested to |t| = 40 and beyond).
Twin: tests/test_gaussian.py computes the same with mpmath.
"""

import functools
import math

import numpy as np
import numpy.typing as npt

from engine.jit import kernel

SQRT_HALF = math.sqrt(0.5)
SQRT_TWO_PI = math.sqrt(2.0 * math.pi)
LOG_SQRT_TWO_PI = math.log(SQRT_TWO_PI)
NINETY_PERCENT = 1.6449  # deviations on each side of the mean that contain 90 %
FRACTION_BELOW = -10.0  # below this, 12 levels of the continued fraction give 1e-13
TABLE_REACH, TABLE_STEPS = 10, 32  # of truncation_table
MAX_NORMALS = 625  # all points of the largest board, 25x25, may be one single pattern class


@kernel
def pdf(t: float) -> float:
    """Return the standard normal density at t."""
    return math.exp(-0.5 * t * t) / SQRT_TWO_PI


@kernel
def cdf(t: float) -> float:
    """Return the standard normal distribution function at t, accurate in the lower tail."""
    return 0.5 * math.erfc(-t * SQRT_HALF)


@kernel
def tail_terms(t: float) -> tuple[float, float]:
    """Return (V, 1 - W) of ``truncation_terms`` for t <= FRACTION_BELOW, by Laplace's fraction.

    The fraction at x = -t is V = x + r, r = 1/(x + 2s), s = 1/(x + 3/(x + 4/...)). Then
    1 - W = 1 - V r = r (2s - r) holds without a difference of nearly equal numbers.
    """
    x = -t
    s = 1.0 / x
    for level in range(12, 2, -1):
        s = 1.0 / (x + level * s)
    r = 1.0 / (x + 2.0 * s)
    return x + r, r * (2.0 * s - r)


@kernel
def truncation_terms(t: float) -> tuple[float, float]:
    """Return (V, 1 - W) of a Gaussian truncated to positive values, t = mean / deviation.

    Source: Stern et al. (2006), Sec. 3.1, moment matching of a truncated Gaussian.
    returns V = phi/Phi, which moves the mean by deviation * V,
            1 - W with W = V (V + t), the factor that the variance keeps; in (0, 1]
    Twin: tests/test_gaussian.py (mpmath)
    """
    if t > FRACTION_BELOW:
        # Here the difference is safe. Farther down, W is so near 1 that it would lose its digits.
        v = pdf(t) / cdf(t)
        return v, 1.0 - v * (v + t)
    return tail_terms(t)


@functools.lru_cache(maxsize=1)
def truncation_table() -> npt.NDArray[np.float64]:
    """Return float64[641, 2], V and its slope per step at -10, -10 + 1/32, ..., 10 (read-only)."""
    points = [i / TABLE_STEPS - TABLE_REACH for i in range(2 * TABLE_REACH * TABLE_STEPS + 1)]
    terms = [truncation_terms(t) for t in points]
    table = np.array([(v, (shrinkage - 1.0) / TABLE_STEPS) for v, shrinkage in terms])
    table.flags.writeable = False
    return table


@kernel
def rough_truncation_terms(table: npt.NDArray[np.float64], t: float) -> tuple[float, float]:
    """Return ``truncation_terms`` to some 1e-8, in half the time: cubic interpolation of V.

    table  float64[641, 2], a copy of ``truncation_table``
    """
    if t <= -TABLE_REACH:
        return truncation_terms(t)
    if t >= TABLE_REACH:
        return 0.0, 1.0
    f = (t + TABLE_REACH) * TABLE_STEPS
    i = int(f)
    f -= i
    low, slope, high, high_slope = table[i, 0], table[i, 1], table[i + 1, 0], table[i + 1, 1]
    rise = high - low
    bend = 3.0 * rise - 2.0 * slope - high_slope
    v = low + f * (slope + f * (bend + f * (slope + high_slope - 2.0 * rise)))
    return v, 1.0 - v * (v + t)


@kernel
def log_cdf(t: float) -> float:
    """Return log Phi(t) in nats, finite for every finite t (|t| < 1e150)."""
    if t > 0.0:
        return math.log1p(-0.5 * math.erfc(t * SQRT_HALF))
    if t > FRACTION_BELOW:
        return math.log(0.5 * math.erfc(-t * SQRT_HALF))
    return -0.5 * t * t - LOG_SQRT_TWO_PI - math.log(tail_terms(t)[0])


@functools.cache
def largest_of_normals() -> npt.NDArray[np.float64]:
    """Return the moments of the largest of n standard normals, for n = 0 .. MAX_NORMALS.

    returns float64[MAX_NORMALS + 1, 2], read-only: mean e_n and variance w_n; row 0 is unused

    The trapezoidal rule is exact to rounding here: the integrand is analytic and vanishes at both
    ends. The first call computes the table (some milliseconds), not the import.
    """
    x = np.arange(-9.0, 9.0, 1.0 / 16.0)
    below = np.array([0.5 * math.erfc(-t * SQRT_HALF) for t in x])
    n = np.arange(1, MAX_NORMALS + 1)[:, np.newaxis]
    density = n * np.exp((n - 1) * np.log(below) - 0.5 * x * x) / (16.0 * SQRT_TWO_PI)
    mean = density @ x
    variance = (density * (x - mean[:, np.newaxis]) ** 2).sum(axis=1)
    table = np.zeros((MAX_NORMALS + 1, 2))
    table[1:, 0], table[1:, 1] = mean, variance
    table.flags.writeable = False
    return table
