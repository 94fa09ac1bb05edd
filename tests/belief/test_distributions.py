"""engine.belief.distributions against enumeration and worked numbers."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.belief.distributions import Distribution, largest, mean, utility
from tests.reference import bpip as twin
from tests.scripts.reproduce.papers.bpip.trees import distribution, spike


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


def shares(weights):
    return {value: weight / sum(weights.values()) for value, weight in weights.items()}


VALUES, WEIGHTS = st.integers(-4, 4).map(float), st.integers(1, 9)
LEAF = st.dictionaries(VALUES, WEIGHTS, min_size=1, max_size=3).map(shares)


@given(st.lists(LEAF, min_size=1, max_size=4), st.data())
def test_utility_is_the_twins(leaves, data):
    taken = data.draw(st.integers(0, len(leaves) - 1))
    found = utility([distribution(leaf) for leaf in leaves], taken)
    assert found == pytest.approx(max(twin.utility(leaves, played=taken), 0.0), abs=1e-12)
    assert found >= utility([distribution(leaf) for leaf in leaves[: taken + 1]], taken) - 1e-12


def test_equal_values_count_together():
    twice = Distribution(np.array([1.0, 1.0, 3.0]), np.array([0.25, 0.25, 0.5]))
    assert as_dict(largest([twice, spike(2.0)])) == {2.0: 0.5, 3.0: 0.5}
