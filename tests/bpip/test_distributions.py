"""engine.bpip.distributions against enumeration and worked numbers."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bpip import distributions
from engine.bpip.distributions import largest, mean
from tests.bpip.trees import distribution, spike


def as_dict(one):
    return {v: m for v, m in zip(one.values.tolist(), one.masses.tolist(), strict=True) if m > 0}


def test_largest_against_enumeration():
    leaves = [{0.0: 0.5, 2.0: 0.5}, {1.0: 0.25, 3.0: 0.75}, {-1.0: 0.6, 2.0: 0.4}]
    expected: dict[float, float] = {}
    for (a, p), (b, q), (c, r) in itertools.product(*(leaf.items() for leaf in leaves)):
        expected[max(a, b, c)] = expected.get(max(a, b, c), 0.0) + p * q * r
    got = as_dict(largest([distribution(leaf) for leaf in leaves]))
    assert got == pytest.approx(expected)


def test_mean_and_known_values():
    assert mean(distribution({2.0: 0.25, -1.0: 0.75})) == pytest.approx(-0.25)
    assert as_dict(largest([spike(3.0), spike(1.0)])) == {3.0: 1.0}


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=6, unique=True), st.floats(-1.5, 1.5))
def test_put_on_grid_keeps_the_mean(values, by):
    grid = np.array([-5.0, -2.5, -1.0, 0.25, 2.0, 5.0])
    rising = np.array(sorted(values))
    masses = np.full(len(values), 1.0 / len(values))
    cdf = np.zeros((2, 6))
    distributions.put_on_grid(grid, cdf, 1, rising, masses, by)
    assert cdf[1, -1] == pytest.approx(1.0)
    assert (np.diff(cdf[1]) >= 0.0).all()
    assert distributions.mean_of_row(grid, cdf, 1) == pytest.approx(rising.mean() + by, abs=1e-9)


def test_put_on_grid_clips_at_the_ends():
    grid, cdf = np.array([-1.0, 1.0]), np.zeros((1, 2))
    distributions.put_on_grid(grid, cdf, 0, np.array([-7.0, 9.0]), np.array([0.25, 0.75]), 0.0)
    assert cdf[0].tolist() == [0.25, 1.0]
