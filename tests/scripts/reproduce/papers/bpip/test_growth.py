"""bpip.growth and valuation against enumeration and worked examples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.reproduce.papers import bpip as paper
from scripts.reproduce.papers.bpip import mean_of_row
from tests.reference import bpip
from tests.scripts.reproduce.papers.bpip.trees import distribution, tree_from

COIN = {-1.0: 0.5, 1.0: 0.5}
EXAMPLE_1 = [[COIN, COIN], {0.0: 1.0}]
LEAVES_1 = bpip.leaves_of(EXAMPLE_1)


def nested(node):
    return distribution(node) if isinstance(node, dict) else [nested(child) for child in node]


def weigh(root):
    """U, and {path of a leaf: ESS}, by influence functions."""
    tree = tree_from(nested(root))
    relevance = paper.relevance_for(tree, int(tree.child_count.max()))
    total = paper.weigh_leaves(tree, relevance)
    rows = {}
    for path in bpip.leaves_of(root):
        node = 0
        for step in path:
            node = tree.first_child[node] + step
        rows[path] = relevance.ess[node]
    return tree, relevance, total, rows


def test_figure_1():
    """Example 1 is Baum's Figure 1: equal means at the leaves, so minimax cannot choose."""
    means = {path: sum(v * p for v, p in leaf.items()) for path, leaf in LEAVES_1.items()}
    assert bpip.move_values(EXAMPLE_1, means) == [0.0, 0.0]
    tree, _, total, rows = weigh(EXAMPLE_1)
    assert total == pytest.approx(0.25, rel=1e-9)
    assert paper.best_move(tree) == (2, pytest.approx(0.0))
    assert mean_of_row(tree.grid, tree.cdf, 1) == pytest.approx(-0.5)
    assert rows == pytest.approx({(0, 0): 0.25, (0, 1): 0.25, (1,): 0.0}, abs=1e-12)


def masses(values, weights):
    total = sum(weights)
    return {float(v): w / total for v, w in zip(values, weights, strict=True)}


LEAF = st.integers(1, 3).flatmap(
    lambda n: st.builds(
        masses,
        st.lists(st.integers(-4, 4), min_size=n, max_size=n, unique=True),
        st.lists(st.integers(1, 9), min_size=n, max_size=n),
    )
)
REPLIES = st.one_of(LEAF, st.lists(LEAF, min_size=1, max_size=3))
TREES = st.lists(
    st.one_of(LEAF, st.lists(REPLIES, min_size=1, max_size=2)), min_size=1, max_size=3
).filter(lambda root: len(bpip.leaves_of(root)) <= 7)


@settings(max_examples=40)
@given(TREES)
def test_against_enumeration(root):
    tree, _, total, rows = weigh(root)
    assert total == pytest.approx(bpip.utility(root), abs=1e-9)
    leaves = bpip.leaves_of(root)
    means = bpip.mean_moves(root, leaves)
    got = [mean_of_row(tree.grid, tree.cdf, 1 + i) for i in range(len(root))]
    assert got == pytest.approx(means, abs=1e-9)
    for path, ess in rows.items():
        assert ess == pytest.approx(bpip.ess(root, path), abs=1e-9)


def test_root_alone_or_one_move():
    tree = tree_from(distribution(COIN))
    relevance = paper.relevance_for(tree, 1)
    assert paper.weigh_leaves(tree, relevance) == 0.0
    assert paper.best_move(tree)[0] == paper.NO_NODE
    _, relevance, total, _ = weigh([COIN])
    assert total == 0.0
    assert relevance.ess.max() == 0.0


def test_choose_gulp():
    weights = np.array([0.0, 0.1, 0.6, 0.0, 0.3])
    assert paper.choose_gulp(weights, 0.5, 10).tolist() == [2]
    assert paper.choose_gulp(weights, 0.9, 10).tolist() == [2, 4]
    assert paper.choose_gulp(weights, 1.0, 10).tolist() == [2, 4, 1]
    assert paper.choose_gulp(weights, 1.0, 2).tolist() == [2, 4]
    assert paper.choose_gulp(np.zeros(3), 0.5, 2).tolist() == []
