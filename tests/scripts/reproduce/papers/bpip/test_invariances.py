"""Invariances of valuation and relevance under changes of the leaves.

Values may be moved and scaled, players exchanged, moves listed in another order. None of that
changes the worth of expanding a leaf.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.belief.distributions import cdf_on, largest, mean, union_grid
from scripts.reproduce.papers.bpip import mean_of_row, put_on_grid
from tests.reference import bpip
from tests.scripts.reproduce.papers.bpip.trees import distribution, spike

MASSES = st.dictionaries(
    st.integers(-6, 6).map(float), st.integers(1, 9), min_size=1, max_size=5
).map(lambda weights: {v: w / sum(weights.values()) for v, w in weights.items()})
LEAVES = st.lists(MASSES, min_size=1, max_size=4)


def changed(node, change):
    """Return a nested tree with every leaf's values changed."""
    if isinstance(node, dict):
        return {change(value): mass for value, mass in node.items()}
    return [changed(child, change) for child in node]


def same(one, other):
    return one.values == pytest.approx(other.values) and one.masses == pytest.approx(other.masses)


@given(LEAVES, st.permutations(range(4)))
def test_the_largest_does_not_depend_on_the_order(leaves, order):
    many = [distribution(leaf) for leaf in leaves]
    shuffled = [many[i] for i in order if i < len(many)]
    assert same(largest(many), largest(shuffled))


@given(LEAVES, MASSES)
def test_the_largest_may_be_taken_in_steps(leaves, last):
    many, one = [distribution(leaf) for leaf in leaves], distribution(last)
    assert same(largest([largest(many), one]), largest([*many, one]))


@given(LEAVES, st.integers(-3, 3))
def test_points_for_all_move_the_best_by_as_much(leaves, by):
    many = [distribution(leaf) for leaf in leaves]
    moved = [distribution(changed(leaf, lambda value: value + by)) for leaf in leaves]
    best = largest(many)
    assert same(largest(moved), best._replace(values=best.values + by))
    assert mean(best) >= max(map(mean, many)) - 1e-12


@given(LEAVES, MASSES)
def test_distribution_functions_are_steps(leaves, extra):
    one, grid = distribution(extra), union_grid([distribution(leaf) for leaf in leaves])
    assert (np.diff(grid) > 0.0).all()
    found = cdf_on(grid, one)
    expected = [sum(mass for value, mass in extra.items() if value <= point) for point in grid]
    assert found == pytest.approx(expected)


@given(MASSES, st.floats(-20, 20))
def test_a_value_that_is_known_is_never_below_the_other(masses, value):
    one = distribution(masses)
    best = largest([one, spike(value)])
    assert mean(best) == pytest.approx(sum(m * max(v, value) for v, m in masses.items()))


@given(MASSES)
def test_on_a_grid_of_its_own_values_nothing_is_split(masses):
    one = distribution(masses)
    grid = union_grid([one, spike(-100.0), spike(100.0)])
    rows = np.full((3, len(grid)), 7.0)
    put_on_grid(grid, rows, 1, one.values, one.masses, 0.0)
    assert rows[1] == pytest.approx(cdf_on(grid, one))
    assert mean_of_row(grid, rows, 1) == pytest.approx(mean(one))
    assert (rows[[0, 2]] == 7.0).all()  # other rows are left alone


@given(
    MASSES, st.floats(-3, 3), st.lists(st.integers(-16, 16), min_size=2, max_size=9, unique=True)
)
def test_on_any_grid_each_value_is_split_between_its_neighbors(masses, by, points):
    grid = np.array(sorted(points)) / 2.0
    expected = np.zeros(len(grid))
    for value, mass in masses.items():
        for k, share in bpip.shares_on_grid(grid.tolist(), value + by).items():
            expected[k] += mass * share
    row = np.zeros((1, len(grid)))
    one = distribution(masses)
    put_on_grid(grid, row, 0, one.values, one.masses, by)
    assert row[0] == pytest.approx(np.cumsum(expected), abs=1e-12)
