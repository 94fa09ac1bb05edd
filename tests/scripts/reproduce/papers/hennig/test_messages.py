"""Messages of the printed search against the worked numbers, and properties that must hold."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.reproduce.papers.hennig.messages import larger

MOMENTS = st.tuples(st.floats(-5, 5), st.floats(0.1, 9))


def test_larger_worked_numbers():
    covariance = 0.3 * 1.5
    mean, variance, first = larger(0.5, 1.0, -0.2, 2.25, covariance)
    assert mean == pytest.approx(0.8242408474, abs=1e-10)
    assert variance == pytest.approx(1.0728600692, abs=1e-10)
    assert first == pytest.approx(0.6760313684, abs=1e-10)
    assert first * 0.5 + (1.0 - first) * -0.4 == pytest.approx(0.2084282316, abs=1e-10)
    mean, variance, _ = larger(-0.5, 1.0, 0.2, 2.25, covariance)
    assert -mean == pytest.approx(-0.5242408474, abs=1e-10)
    assert variance == pytest.approx(1.5129384903, abs=1e-10)


def test_larger_of_dependent_variables_is_the_one_with_the_larger_mean():
    assert larger(1.0, 2.0, 0.5, 2.0, 2.0) == (1.0, 2.0, 1.0)
    assert larger(0.5, 2.0, 1.0, 2.0, 2.0) == (1.0, 2.0, 0.0)


@given(st.floats(-1e4, 1e4), st.floats(0.01, 9), st.floats(0, 3), st.floats(0.01, 9))
@settings(deadline=None)
def test_larger_has_a_variance_between_zero_and_the_sum(mean, variance, gap, other_variance):
    _, got, first = larger(mean, variance, mean + gap, other_variance, 0.0)
    assert 0.0 < got <= variance + other_variance
    assert 0.0 <= first <= 0.5


@given(MOMENTS, MOMENTS, st.floats(-0.95, 0.95))
@settings(deadline=None)
def test_larger_and_smaller_share_out_both(one, other, correlation):
    """max + min = sum and max^2 + min^2 = sum of squares, so their moments add up, too."""
    covariance = correlation * math.sqrt(one[1] * other[1])
    mean, variance, first = larger(*one, *other, covariance)
    least = larger(-one[0], one[1], -other[0], other[1], covariance)
    assert mean - least[0] == pytest.approx(one[0] + other[0], abs=1e-9)
    squares = sum(m * m + v for m, v in (one, other))
    assert mean**2 + variance + least[0] ** 2 + least[1] == pytest.approx(squares, rel=1e-9)
    assert first + least[2] == pytest.approx(1.0)
    swapped = larger(*other, *one, covariance)
    assert swapped == pytest.approx((mean, variance, 1.0 - first), rel=1e-9, abs=1e-12)
