"""engine.gaussian against the worked numbers, mpmath, and the properties that must hold."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import gaussian

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


@given(st.floats(-9.999, 9.999))
@settings(deadline=None)
def test_the_table_is_as_good_as_the_formula(t):
    table = gaussian.truncation_table().copy()
    rough, exact = gaussian.rough_truncation_terms(table, t), gaussian.truncation_terms(t)
    assert rough == pytest.approx(exact, abs=3e-8)


@pytest.mark.parametrize("t", [-1e6, -200.0, -10.0, 10.0, 11.0, 1e6])
def test_beyond_the_table_the_formula_or_nothing_is_taken(t):
    rough = gaussian.rough_truncation_terms(gaussian.truncation_table().copy(), t)
    if t < 0:
        assert rough == gaussian.truncation_terms(t)
    else:
        assert rough == (0.0, 1.0)
        assert gaussian.truncation_terms(t) == pytest.approx(rough, abs=1e-20)


def test_the_table_is_made_once_and_cannot_be_changed():
    table = gaussian.truncation_table()
    assert table is gaussian.truncation_table()
    assert table.shape == (641, 2)
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0] = 0.0
    with pytest.raises(ValueError, match="read-only"):
        gaussian.largest_of_normals()[1, 0] = 0.0
