"""engine.gaussian against the worked numbers, mpmath, and the properties that must hold."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import gaussian

TAILS = [  # t, V, W, relative tolerance
    (-200.0, 200.0049997500312, 0.9999750037492190, 1e-10),
    (-40.0, 40.02496884720726, 0.9993773316214086, 1e-10),
    (-10.0, 10.09809323396251, 0.9905546221743438, 1e-10),
    (-5.0, 5.186503967125842, 0.9673035653828878, 1e-11),
    (-1.0, 1.525135276160981, 0.8009023344296512, 1e-13),
    (0.0, 0.7978845608028654, 0.6366197723675814, 1e-13),
    (1.0, 0.2875999709391784, 0.3703137142233946, 1e-13),
    (5.0, 1.486719940904906e-06, 7.433601914860711e-06, 1e-10),  # W is seen through 1 - W
]
LARGEST = [  # n, e_n, w_n
    (1, 0.0, 1.0),
    (2, 0.5641895835, 0.6816901138),
    (3, 0.8462843753, 0.5594672038),
    (5, 1.1629644736, 0.4475340690),
    (10, 1.5387527308, 0.3443438233),
    (25, 1.9653146098, 0.2585107774),
    (81, 2.4313305870, 0.1929743036),
    (169, 2.6897295441, 0.1659229514),
    (250, 2.8191841868, 0.1543033996),
]


@pytest.mark.parametrize(("t", "v", "w", "tolerance"), TAILS)
def test_truncation_terms_worked_numbers(t, v, w, tolerance):
    got_v, kept = gaussian.truncation_terms(t)
    assert got_v == pytest.approx(v, rel=1e-12)
    assert 1.0 - kept == pytest.approx(w, rel=tolerance)


def test_tails_against_mpmath():
    with mpmath.workdps(420):
        for t in np.linspace(-40.0, 40.0, 161):
            exact = mpmath.mpf(float(t))
            below = mpmath.ncdf(exact)
            v = mpmath.npdf(exact) / below
            got_v, kept = gaussian.truncation_terms(float(t))
            if t < 37.0:
                assert gaussian.pdf(float(t)) == pytest.approx(float(mpmath.npdf(exact)), rel=1e-12)
                assert got_v == pytest.approx(float(v), rel=1e-12)
            assert kept == pytest.approx(float(1 - v * (v + exact)), rel=2e-10)
            assert gaussian.log_cdf(float(t)) == pytest.approx(
                float(mpmath.log(below)), rel=1e-11, abs=1e-300
            )
            assert gaussian.cdf(float(t)) == pytest.approx(float(below), rel=1e-11, abs=1e-300)


def test_the_two_branches_meet():
    just_above = gaussian.truncation_terms(math.nextafter(gaussian.FRACTION_BELOW, 0.0))
    at = gaussian.truncation_terms(gaussian.FRACTION_BELOW)
    assert at[0] == pytest.approx(just_above[0], rel=1e-12)
    assert at[1] == pytest.approx(just_above[1], rel=2e-10)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 10.0))
@settings(deadline=None)
def test_truncation_properties(t, step):
    v, kept = gaussian.truncation_terms(t)
    assert 0.0 < kept <= 1.0
    assert v >= max(0.0, -t)
    assert gaussian.truncation_terms(t + step)[0] <= v
    assert gaussian.log_cdf(t) <= 0.0


def test_truncation_is_a_moment_match():
    deviation = math.sqrt(2.5)
    v, kept = gaussian.truncation_terms(-0.4 / deviation)
    mean, variance = 0.4 - deviation * v, 2.5 * kept
    with mpmath.workdps(20):
        density = lambda x: mpmath.npdf(x, 0.4, mpmath.sqrt(2.5))  # noqa: E731
        mass = mpmath.quad(density, [-30, -5, 0])
        first = mpmath.quad(lambda x: x * density(x), [-30, -5, 0]) / mass
        second = mpmath.quad(lambda x: (x - first) ** 2 * density(x), [-30, -5, 0]) / mass
    assert mean == pytest.approx(float(first), rel=1e-10)
    assert variance == pytest.approx(float(second), rel=1e-10)
    assert gaussian.log_cdf(-0.4 / deviation) == pytest.approx(float(mpmath.log(mass)), rel=1e-10)


def test_larger_worked_numbers():
    covariance = 0.3 * 1.5
    mean, variance, first = gaussian.larger(0.5, 1.0, -0.2, 2.25, covariance)
    assert mean == pytest.approx(0.8242408474, abs=1e-10)
    assert variance == pytest.approx(1.0728600692, abs=1e-10)
    assert first == pytest.approx(0.6760313684, abs=1e-10)
    assert first * 0.5 + (1.0 - first) * -0.4 == pytest.approx(0.2084282316, abs=1e-10)
    mean, variance, _ = gaussian.larger(-0.5, 1.0, 0.2, 2.25, covariance)
    assert -mean == pytest.approx(-0.5242408474, abs=1e-10)
    assert variance == pytest.approx(1.5129384903, abs=1e-10)


def test_larger_of_dependent_variables_is_the_one_with_the_larger_mean():
    assert gaussian.larger(1.0, 2.0, 0.5, 2.0, 2.0) == (1.0, 2.0, 1.0)
    assert gaussian.larger(0.5, 2.0, 1.0, 2.0, 2.0) == (1.0, 2.0, 0.0)


@given(st.floats(-1e4, 1e4), st.floats(0.01, 9), st.floats(0, 3), st.floats(0.01, 9))
@settings(deadline=None)
def test_larger_has_a_variance_between_zero_and_the_sum(mean, variance, gap, other_variance):
    _, got, first = gaussian.larger(mean, variance, mean + gap, other_variance, 0.0)
    assert 0.0 < got <= variance + other_variance
    assert 0.0 <= first <= 0.5


def test_largest_of_normals():
    table = gaussian.largest_of_normals()
    for n, mean, variance in LARGEST:
        assert table[n] == pytest.approx((mean, variance), abs=2e-10)
    assert np.all(np.diff(table[1:, 0]) > 0.0)
    assert np.all(np.diff(table[1:, 1]) < 0.0)
    with mpmath.workdps(25):
        n = gaussian.MAX_NORMALS
        density = lambda x: n * mpmath.npdf(x) * mpmath.ncdf(x) ** (n - 1)  # noqa: E731
        exact = mpmath.quad(lambda x: x * density(x), [-4, 2, 3, 4, 6, 12])
    assert table[n, 0] == pytest.approx(float(exact), rel=1e-12)
