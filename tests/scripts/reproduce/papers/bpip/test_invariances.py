"""Invariances of valuation and relevance under changes of the leaves.

Values may be moved and scaled, players exchanged, moves listed in another order. None of that
changes the worth of expanding a leaf.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.belief.distributions import cdf_on, largest, mean, union_grid
from scripts.reproduce.papers import bpip as paper
from scripts.reproduce.papers.bpip import mean_of_row, put_on_grid
from tests.reference import bpip
from tests.scripts.reproduce.papers.bpip.test_growth import TREES, nested, weigh
from tests.scripts.reproduce.papers.bpip.trees import distribution, spike, tree_from

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


def by_path(root):
    _, _, total, rows = weigh(root)
    return total, rows


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


@settings(max_examples=30)
@given(TREES, st.integers(-5, 5), st.sampled_from([0.25, 2.0, 100.0]))
def test_relevance_is_in_the_unit_of_the_values(root, by, scale):
    total, rows = by_path(root)
    other_total, others = by_path(changed(root, lambda value: scale * value + by))
    assert other_total == pytest.approx(scale * total, abs=1e-9)
    for path, ess in rows.items():
        assert others[path] == pytest.approx(scale * ess, abs=1e-9)


@settings(max_examples=30)
@given(TREES)
def test_the_order_of_the_moves_does_not_matter(root):
    total, rows = by_path(root)
    other_total, others = by_path(root[::-1])
    assert other_total == pytest.approx(total, abs=1e-9)
    for (move, *below), ess in rows.items():
        assert ess == pytest.approx(others[len(root) - 1 - move, *below], abs=1e-9)


@settings(max_examples=30)
@given(TREES)
def test_a_known_value_is_not_worth_expanding(root):
    _, rows = by_path(root)
    for path, leaf in bpip.leaves_of(root).items():
        if len(leaf) == 1:
            assert rows[path] == pytest.approx(0.0, abs=1e-9)


@settings(max_examples=30)
@given(TREES, MASSES)
def test_a_certainly_worse_move_changes_nothing(root, masses):
    total, rows = by_path(root)
    hopeless = changed(masses, lambda value: value - 1000.0)
    more_total, more = by_path([*root, hopeless])
    assert more_total == pytest.approx(total, abs=1e-9)
    assert more[len(root),] == pytest.approx(0.0, abs=1e-9)
    if len(root) > 1:
        for path, ess in rows.items():
            assert more[path] == pytest.approx(ess, abs=1e-9)


@settings(max_examples=30)
@given(TREES)
def test_weighing_again_gives_the_same(root):
    tree, relevance, total, _ = weigh(root)
    before = relevance.ess.copy()
    assert paper.weigh_leaves(tree, relevance) == total
    assert np.array_equal(before, relevance.ess)


@given(TREES)
def test_the_layout_of_a_tree(root):
    """Children lie side by side, behind their parent, and move in turns."""
    tree = tree_from(nested(root))
    count = int(tree.count[0])
    assert count == len(tree.parent)
    for node in range(count):
        first, children = int(tree.first_child[node]), int(tree.child_count[node])
        for child in range(first, first + children):
            assert child > node
            assert tree.parent[child] == node
            assert tree.is_max[child] == 1 - tree.is_max[node]
    parents = [int(p) for p in tree.parent[:count]]
    assert parents[0] == paper.NO_NODE
    assert parents[1:] == sorted(parents[1:])  # breadth first


@given(st.lists(st.floats(0, 5), max_size=12), st.floats(0.01, 1.0), st.integers(1, 12))
def test_a_gulp_holds_its_share_with_the_fewest_leaves(weights, share, most):
    chosen = paper.choose_gulp(np.array(weights), share, most).tolist()
    assert len(chosen) == len(set(chosen)) <= most
    assert all(weights[i] > 0.0 for i in chosen)
    left = [w for i, w in enumerate(weights) if i not in chosen]
    if chosen:
        assert min(weights[i] for i in chosen) >= max(left, default=0.0)
        held = sum(weights[i] for i in chosen[:-1])
        assert held <= share * sum(weights) * (1 + 1e-9)  # one fewer was not enough
    else:
        assert sum(weights) == 0.0
    if len(chosen) < most:
        assert sum(weights[i] for i in chosen) >= share * sum(weights) * (1 - 1e-9)
