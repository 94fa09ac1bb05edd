"""The search tree: blocks of children, subtrees kept, children dropped."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game
from engine.arrays import ROOT
from engine.go.geometry import PASS
from engine.jit import JIT_ENABLED
from engine.search.tree import (
    NO_NODE,
    TREE_COUNT,
    add_node,
    clear_tree,
    copy_subtree,
    drop_child,
    find_child,
    most_visited,
    new_tree,
)
from tests.diagrams import random_games
from tests.search.growing import assert_sound, board_of, children_of, contents, grown

DESCENTS = 300 if JIT_ENABLED else 40

positions = random_games(largest=4, most_moves=20)
colors = st.sampled_from([BLACK, WHITE])


def test_a_new_tree_is_a_bare_root():
    tree = new_tree(3)
    assert contents(tree) == (PASS, 0, *[0.0] * 8)
    assert tree.parent[ROOT] == tree.first_child[ROOT] == NO_NODE
    assert most_visited(tree, ROOT) == find_child(tree, ROOT, PASS) == NO_NODE


def test_added_nodes_are_bare_whatever_stood_there_before():
    tree = grown(Game(3).board, BLACK, DESCENTS)
    clear_tree(tree)
    for node in range(1, 20):
        assert add_node(tree, ROOT, 30 + node) == node
        assert contents(tree, node) == (30 + node, 0, *[0.0] * 8)
    assert tree.meta[TREE_COUNT] == 20


@given(positions, colors, st.data())
def test_a_copied_subtree_holds_what_the_old_one_did(game, color, data):
    tree = grown(board_of(game), color, DESCENTS)
    before = [array.copy() for array in tree]
    top = data.draw(st.integers(0, int(tree.meta[TREE_COUNT]) - 1))
    target = new_tree(int(tree.meta[1]))
    for array in target[1:]:
        array.fill(77)
    copy_subtree(tree, top, target)
    assert contents(target) == contents(tree, top)
    assert_sound(target, expanded_at=None)
    for array, old in zip(tree, before, strict=True):
        np.testing.assert_array_equal(array, old)
    nodes = 1 + sum(1 for node in range(1, int(tree.meta[TREE_COUNT])) if is_below(tree, node, top))
    assert target.meta[TREE_COUNT] == nodes


def is_below(tree, node, top):
    while (node := int(tree.parent[node])) != NO_NODE:
        if node == top:
            return True
    return False


@given(positions, colors, st.data())
def test_a_dropped_child_takes_nothing_else_along(game, color, data):
    tree = grown(board_of(game), color, DESCENTS)
    children = children_of(tree, ROOT)
    assume(len(children) > 1)
    dropped = data.draw(st.sampled_from(children))
    kept = {contents(tree, child) for child in children if child != dropped}
    move = int(tree.move[dropped])
    drop_child(tree, dropped)
    assert {contents(tree, child) for child in children_of(tree, ROOT)} == kept
    assert find_child(tree, ROOT, move) == NO_NODE
    assert_sound(tree, expanded_at=None)


@pytest.mark.parametrize(("visits", "best"), [([1, 3, 3], 1), ([0, 0, 0], 0), ([0, 2, 5], 2)])
def test_the_most_visited_is_the_first_of_equals(visits, best):
    tree = new_tree(10)
    nodes = [add_node(tree, ROOT, 30 + i) for i in range(3)]
    tree.first_child[ROOT], tree.children[ROOT] = nodes[0], 3
    tree.visits[nodes] = visits
    assert most_visited(tree, ROOT) == nodes[best]
