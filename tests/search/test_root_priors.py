"""Prior steps of single moves at the root."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game
from engine.arrays import ROOT
from engine.belief.knowledge import Knowledge
from engine.belief.searcher import Searcher
from engine.go.geometry import PASS, to_point
from engine.jit import JIT_ENABLED
from engine.search.grower import Root
from engine.search.model import SearchModel
from engine.search.root_priors import PriorStep, make_room, set_prior_steps
from engine.search.tree import (
    NO_NODE,
    STEP_MEAN,
    STEP_VARIANCE,
    TREE_CAPACITY,
    TREE_COUNT,
    drop_child,
    find_child,
    new_tree,
)
from tests.diagrams import random_games, stones_of
from tests.reference.board import all_chains, liberties_of
from tests.search.growing import (
    NO_PATTERNS,
    NO_POLICY,
    assert_sound,
    at,
    board_of,
    children_of,
    contents,
    grown,
)

DESCENTS = 200 if JIT_ENABLED else 30
positions = random_games(largest=4, most_moves=20)
colors = st.sampled_from([BLACK, WHITE])


def step_of(tree, point):
    return tuple(tree.step[find_child(tree, ROOT, point)])


@pytest.mark.parametrize(("color", "sign"), [(BLACK, 1.0), (WHITE, -1.0)])
def test_a_step_is_raised_or_lowered_to_a_mean(color, sign):
    tree = grown(Game(3).board, color, DESCENTS)
    first, second = (int(tree.move[child]) for child in list(children_of(tree, ROOT))[:2])
    tree.step[find_child(tree, ROOT, first)] = sign * -2.0, 1.0
    tree.step[find_child(tree, ROOT, second)] = sign * -2.0, 1.0
    set_prior_steps(
        tree, color, [PriorStep(first, True, 1.5, 4.0), PriorStep(second, False, -3.0, 9.0)]
    )
    assert step_of(tree, first) == (sign * 1.5, 4.0)
    assert step_of(tree, second) == (sign * -3.0, 1.0)
    set_prior_steps(
        tree, color, [PriorStep(first, True, 0.5, 2.0), PriorStep(second, False, -1.0, 9.0)]
    )
    assert step_of(tree, first) == (sign * 1.5, 2.0)
    assert step_of(tree, second) == (sign * -3.0, 1.0)


@given(positions, colors, st.data())
def test_an_urged_move_becomes_a_child_and_nothing_else_changes(game, color, data):
    tree = grown(board_of(game), color, DESCENTS)
    children = children_of(tree, ROOT)
    child = data.draw(st.sampled_from(children))
    point = int(tree.move[child])
    drop_child(tree, child)
    before = sorted(contents(tree, child) for child in children_of(tree, ROOT))
    steps = [PriorStep(point, True, 1.0, 4.0)]
    set_prior_steps(tree, color, steps)
    assert_sound(tree, expanded_at=None)
    added = int(find_child(tree, ROOT, point))
    assert tree.visits[added] == 0
    assert tuple(tree.step[added]) == (1.0 if color == BLACK else -1.0, 4.0)
    others = [child for child in children_of(tree, ROOT) if child != added]
    assert sorted(contents(tree, child) for child in others) == before
    copy = [array.copy() for array in tree]
    set_prior_steps(tree, color, steps)
    for array, old in zip(tree, copy, strict=True):
        np.testing.assert_array_equal(array, old)


def test_a_discouraged_move_that_is_no_child_stays_none():
    tree = grown(Game(3).board, BLACK, DESCENTS)
    count = int(tree.meta[TREE_COUNT])
    set_prior_steps(tree, BLACK, [PriorStep(500, False, -1.0, 1.0)])
    assert find_child(tree, ROOT, 500) == NO_NODE
    assert tree.meta[TREE_COUNT] == count


def test_a_full_tree_gets_no_further_child():
    tree = grown(Game(3).board, BLACK, DESCENTS)
    tree.meta[TREE_CAPACITY] = tree.meta[TREE_COUNT] + 2
    before = contents(tree)
    assert not make_room(tree, ROOT)
    set_prior_steps(tree, BLACK, [PriorStep(500, True, 1.0, 1.0)])
    assert contents(tree) == before


def test_children_at_the_end_of_the_arena_stay_where_they_are():
    tree = new_tree(4)
    set_prior_steps(tree, BLACK, [PriorStep(40 + i, True, 1.0, 1.0) for i in range(3)])
    assert [int(tree.move[child]) for child in children_of(tree, ROOT)] == [40, 41, 42]
    assert tree.meta[TREE_COUNT] == 4
    set_prior_steps(tree, BLACK, [PriorStep(50, True, 1.0, 1.0)])
    assert find_child(tree, ROOT, 50) == NO_NODE
    assert tree.step[1, STEP_MEAN] == tree.step[1, STEP_VARIANCE] == 1.0


# No move is within this window: the ranking model leaves out every move.
BLIND = SearchModel(guided=False, prior_window=-1.0)


@given(random_games(largest=6, most_moves=40), colors)
def test_the_last_liberties_of_chains_are_never_left_out(game, color):
    moves = frozenset([*game.legal_points(color), PASS])
    searcher = Searcher(BLIND, Knowledge(NO_POLICY, NO_PATTERNS), 1, 1 << 20, 5)
    for _ in range(2):  # the second time they are children already
        searcher.set_root(Root(at(game.board, color), moves), () if searcher._root else None)
        stones = stones_of(game)
        liberties = [liberties_of(stones, game.size, c) for c in all_chains(stones, game.size)]
        last = {to_point(*next(iter(points))) for points in liberties if len(points) == 1}
        tree = searcher._tree
        children = list(children_of(tree, ROOT))
        assert sorted(int(tree.move[child]) for child in children) == sorted(last & moves | {PASS})
        sign = 1.0 if color == BLACK else -1.0
        for child in children:
            if tree.move[child] != PASS:
                # As far behind as the window is wide, here to the other side.
                assert tuple(tree.step[child]) == (sign * 0.5, 1.0)
        assert searcher.run(5, None) == 5
        assert_sound(tree, expanded_at=None)


def test_without_the_ranking_model_nothing_is_left_out_anyway():
    game = Game(4)
    game.play(BLACK, to_point(1, 1))
    game.play(WHITE, to_point(1, 2))
    model = BLIND._replace(informed=False)
    searcher = Searcher(model, Knowledge(NO_POLICY, NO_PATTERNS), 1, 1 << 20, 5)
    moves = frozenset(game.legal_points(BLACK))
    searcher.set_root(Root(at(game.board, BLACK), moves), None)
    assert set(searcher.root_moves()) == moves
