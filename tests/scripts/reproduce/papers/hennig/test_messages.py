"""Hennig's messages as printed against worked numbers, quadrature and dense Gaussians."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.gaussian import cdf
from scripts.reproduce.papers.hennig import messages
from tests.reference import hennig

FINITE = st.floats(-6.0, 6.0)
VARIANCE = st.floats(0.02, 9.0)
SIGN = st.sampled_from([-1.0, 1.0])


def test_pass_step():
    assert messages.pass_step(0.0, 0.0, 0.7, 2.0) == (0.0, 0.0)
    pi, tau = messages.pass_step(1 / 0.3, 1 / 0.3, 0.5, 2.0)  # N(1, .3) and a step N(.5, 2)
    assert 1.0 / pi == pytest.approx(2.3)
    assert tau / pi == pytest.approx(1.5)


def test_better_worked_numbers():
    """m = (.5, -.2), v = (1, 2.25), correlation .3: here as slopes in a score of variance .45."""
    mean, variance, slope, first = messages.better(1.0, 0.5, 1.0, 1.0, -0.2, 2.25, 1.0, 0.45)
    assert (mean, variance) == pytest.approx((0.8242408474, 1.0728600692), rel=1e-9)
    assert (slope, first) == pytest.approx((1.0, 0.6760313684), rel=1e-9)
    mean, variance, _, first = messages.better(-1.0, 0.5, 1.0, 1.0, -0.2, 2.25, 1.0, 0.45)
    assert (mean, variance) == pytest.approx((-0.5242408474, 1.5129384903), rel=1e-9)
    assert first == pytest.approx(1.0 - 0.6760313684, rel=1e-9)
    # Cov(max, Y) for Y = g with Cov(X1, g) = .5, Cov(X2, g) = -.4, Var g = 1
    _, _, slope, _ = messages.better(1.0, 0.5, 1.0, 0.5, -0.2, 2.25, -0.4, 1.0)
    k = -0.5 * 0.4
    t = cdf(0.7 / math.sqrt(3.25 - 2 * k))
    assert slope == pytest.approx(0.5 * t - 0.4 * (1 - t), rel=1e-9)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_better_against_quadrature(sign):
    slopes, noises, score = np.array([0.3, 0.9]), np.array([0.4, 1.1]), 0.7
    mean = np.array([0.6, 0.2])
    covariance = np.diag(noises) + score * np.outer(slopes, slopes)
    expected = hennig.best_of_two(mean, covariance, sign)
    got = messages.better(
        sign, mean[0], covariance[0, 0], slopes[0], mean[1], covariance[1, 1], slopes[1], score
    )
    assert got[:2] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("branching", "plies", "mean", "variance"),
    [
        (2, 1, -0.56418958, 0.68169011),
        (2, 2, 0.16745144, 1.14639153),
        (2, 6, 0.25138061, 1.92668156),
        (5, 1, -1.16426950, 0.41973418),
        (5, 2, 0.22298787, 0.59591097),
        (5, 5, -1.26174446, 0.71392447),
    ],
)
def test_best_value_folds_in_pairs(branching, plies, mean, variance):
    """Maths notes, section 5, column "pairwise Clark": independent siblings, MIN moves last."""
    order = np.zeros(branching, np.int64)
    got_mean, got_variance = 0.0, 0.0
    for left in range(1, plies + 1):
        means = np.full(branching, got_mean)
        variances = np.full(branching, got_variance + 1.0)
        sign = 1.0 if left % 2 == 0 else -1.0
        got_mean, got_variance, slope = messages.best_value(
            sign, means, variances, np.ones(branching), 0, branching, 0.0, order
        )
        assert slope == pytest.approx(1.0)
    assert (got_mean, got_variance) == pytest.approx((mean, variance), rel=1e-7)


@given(FINITE, st.floats(0, 1), VARIANCE, FINITE, st.floats(0, 1), VARIANCE, FINITE, VARIANCE)
def test_through_composes_lines(a, b, u, c, w, n, mean, variance):
    """A value read off its node's score = the value read off the parent's score."""
    child = messages.marginal(c, w, n, mean, variance)
    direct = messages.marginal(a, b, u, *child)
    composed = messages.marginal(*messages.through(a, b, u, c, w, n), mean, variance)
    assert composed == pytest.approx(direct, rel=1e-9, abs=1e-9)
    back = messages.line(*direct, b, *child)
    assert back == pytest.approx((a, b, u), rel=1e-6, abs=1e-6)
