"""The playing search against its slow twin: the same random numbers grow the same tree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game, format_vertex, to_column_row
from engine.arrays import ROOT
from engine.go.board import COLOR, EMPTIES, EMPTY_COUNT, copy_into
from engine.go.geometry import AREA, MAX_SIZE, PASS
from engine.jit import JIT_ENABLED
from engine.patterns.contender_facts import rank_moves
from engine.patterns.context import CONTEXT_ROWS
from engine.patterns.matching import match_moves_into
from engine.patterns.position import memory_of, position_of
from engine.patterns.valuing import EVIDENCE_ROWS, no_patterns, value_moves
from engine.rollout.uniform import is_playable
from engine.search.best_first import child_value, choose_child, descend, search
from engine.search.children import expand
from engine.search.model import SearchModel
from engine.search.playouts import end_game
from engine.search.tree import NO_NODE, STEP_MEAN, add_node, find_child, most_visited, new_tree
from engine.search.work import enter
from tests.diagrams import game_of, random_games, stones_of
from tests.patterns.test_trees import random_trees
from tests.reference import search as twin
from tests.rollout.test_uniform import removal_order
from tests.search.growing import (
    NO_PATTERNS,
    NO_POLICY,
    UNIFORM,
    assert_sound,
    at,
    board_of,
    children_of,
    grow,
    grown,
    work_for,
)

colors = st.sampled_from([BLACK, WHITE])
komis = st.sampled_from([-1.0, 0.0, 0.5, 3.0])


def assert_same(tree, node: int, slow: twin.Node) -> None:
    """Compare two trees node by node, children in the same order."""
    move = int(tree.move[node])
    assert (None if move == PASS else to_column_row(move)) == slow.move
    found = [tree.visits[node], tree.wins[node], tree.margins[node]]
    assert found == [slow.visits, slow.wins, slow.margins]
    np.testing.assert_allclose(tree.lateral[node], slow.lateral, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(tree.evidence[node], slow.evidence, rtol=1e-6, atol=1e-9)
    children = children_of(tree, node)
    assert len(children) == len(slow.children)
    for child, slow_child in zip(children, slow.children, strict=True):
        assert_same(tree, child, slow_child)


@settings(max_examples=20 if JIT_ENABLED else 5)
@given(random_games(largest=4, most_moves=20), colors, komis, st.integers(1, 2**64 - 1))
def test_the_tree_is_the_twins(game, color, komi, seed):
    """Every message, all-moves-as-first evidence included, added up by the slow twin."""
    descents = 60 if JIT_ENABLED else 15
    start = board_of(game)
    slow = twin.Search(game.size, stones_of(game), color, komi, UNIFORM, seed)
    empties = [to_column_row(int(p)) for p in start[EMPTIES : EMPTIES + start[EMPTY_COUNT]]]
    for _ in range(descents):
        slow.descend(list(empties), removal_order(start.copy()))
    work = work_for(start, 1)
    work.rng[0] = seed
    tree = new_tree(5000)
    grow(tree, start, color, descents, komi, work=work)
    assert int(work.rng[0]) == slow.rng.state
    assert_same(tree, ROOT, slow.root)


# No message, or one with a precision.
MESSAGES = st.just((0.0, 0.0)) | st.tuples(st.floats(0.001, 3.0), st.floats(-3.0, 3.0))


@given(
    st.floats(-5.0, 5.0),
    st.tuples(st.floats(-2.0, 2.0), st.floats(0.01, 9.0)),
    MESSAGES,
    MESSAGES,
    st.floats(0.0, 2.0),
    st.floats(0.0, 2.0),
)
def test_a_childs_value_is_the_product_of_its_factors(mean, step, lateral, evidence, bias, own):
    tree = new_tree(2)
    child = add_node(tree, ROOT, 30)
    tree.step[child], tree.lateral[child], tree.evidence[child] = step, lateral, evidence
    slow = twin.Node((4, 1), step[1], lateral=list(lateral), evidence=list(evidence))
    model = SearchModel(bias_variance=bias, rollout_bias_variance=own)
    pi, tau = child_value(tree, child, mean, model)
    expected = twin.child_value(slow, mean + step[0], model)
    assert (tau / pi, 1.0 / pi) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_choices_follow_the_chances_to_be_best(sign):
    """Two children whose difference is N(0.5, 2) for Black: Thompson takes the first Phi(0.354)."""
    tree = new_tree(4)
    children = [add_node(tree, ROOT, 30 + i) for i in range(2)]
    tree.first_child[ROOT], tree.children[ROOT] = children[0], 2
    tree.step[children] = [(0.5, 1.0), (0.0, 1.0)]
    model, rng = SearchModel(exploration=1.0), np.array([4], np.uint64)
    count = 4000 if JIT_ENABLED else 1000
    taken = [choose_child(tree, ROOT, sign, 0.0, model, rng) == children[0] for _ in range(count)]
    expected = 0.638 if sign > 0 else 0.362
    assert abs(np.mean(taken) - expected) < 4 * 0.48 / count**0.5
    greedy = SearchModel(exploration=0.0)
    assert choose_child(tree, ROOT, sign, 0.0, greedy, rng) == children[0 if sign > 0 else 1]


# -- what a tree must come to ---------------------------------------------------------------------

RICH = """
    X . X . X
    X X X X X
    . . . . .
    O O O O O
    O . O . O"""


def test_a_full_tree_goes_on_without_new_nodes():
    board = Game(4).board
    tree = grown(board, BLACK, 600 if JIT_ENABLED else 60, capacity=100)
    assert tree.visits[ROOT] == (600 if JIT_ENABLED else 60)
    assert 17 < tree.meta[0] <= 100
    assert_sound(tree, expanded_at=None)


def test_a_tree_too_small_for_any_move_still_counts():
    tree = grown(Game(4).board, BLACK, 20, capacity=5)
    assert (tree.meta[0], tree.visits[ROOT]) == (1, 20)


@pytest.mark.parametrize(
    ("komi", "share"), [(-9.5, 1.0), (0.0, 0.5), (9.5, 0.0)], ids=["won", "jigo", "lost"]
)
def test_two_passes_end_the_game(komi, share):
    """After a pass, another one leaves the position as it is: here area is even."""
    tree = grown(game_of(RICH).board, BLACK, 200 if JIT_ENABLED else 40, komi, passes=1)
    end = int(find_child(tree, ROOT, PASS))
    assert tree.visits[end] > 0
    assert tree.first_child[end] == NO_NODE
    assert tree.wins[end] == share * tree.visits[end]
    assert tree.margins[end] == -komi * tree.visits[end]
    assert np.sign(tree.evidence[end, 1]) == {1.0: 1, 0.5: 0, 0.0: -1}[share]


def test_larger_territories_count_after_two_passes():
    """White owns five points more, and none of them is a one-point eye."""
    game = game_of("""
        . X O . .
        . X O . .
        . X O . .
        . X O . .
        . X O . .""")
    work = work_for(game.board, 1)
    copy_into(game.board, work.board)
    work.first[:] = WHITE
    assert end_game(work, 0) == -5 == work.owned[0].sum()
    assert not work.first.any()


# name, diagram, komi, the only move of Black and of White
DECISIVE = [
    (
        "capture or be captured",
        """
        . . . . .
        . O O O .
        O X X X .
        X O O O .
        . X X X .""",
        0.5,
        "E2 E3",
    ),
    (
        "the middle of three",
        """
        . O . O .
        O O O O O
        O O O O O
        X X X X X
        . . . X X""",
        -10.5,
        "B1 B1",
    ),
]


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize(
    ("diagram", "komi", "best"), [pytest.param(*row[1:], id=row[0]) for row in DECISIVE]
)
def test_decisive_moves_are_found(diagram, komi, best, color):
    game = game_of(diagram, color)
    for seed in range(3):
        tree = grown(game.board, color, 500, komi, work=work_for(game.board, seed))
        found = int(tree.move[most_visited(tree, ROOT)])
        assert format_vertex(found) == best.split()[color - 1]


def test_a_descent_plays_the_moves_of_its_path():
    board = Game(3).board
    tree = new_tree(500)
    work = grow(tree, board, BLACK, 30)
    start = enter(at(board, BLACK), work)
    depth, leaf = descend(tree, start, UNIFORM, NO_PATTERNS, work)
    moves = [int(tree.move[work.path[i]]) for i in range(1, depth + 1)]
    assert leaf.passes == 0
    assert leaf.color == (BLACK if depth % 2 == 0 else WHITE)
    game = Game(3)
    for move in moves:
        game.play(game.to_play, move)
    np.testing.assert_array_equal(
        leaf.board[COLOR : COLOR + AREA], game.board[COLOR : COLOR + AREA]
    )
    np.testing.assert_array_equal(leaf.memory, memory_of(game))


# -- prior steps from the ranking model -----------------------------------------------------------


@given(random_games(largest=5, most_moves=20), colors, st.integers(0, 9), st.floats(0.0, 2.0))
def test_children_are_the_moves_that_the_ranking_model_finds_worth_it(game, color, seed, window):
    random = np.random.default_rng(seed)
    patterns = no_patterns()._replace(evidence=random.normal(size=(EVIDENCE_ROWS, 2)))
    model = UNIFORM._replace(informed=True, prior_window=window)
    board, work = board_of(game), work_for(game.board, 1)
    tree = new_tree(500)
    assert expand(tree, ROOT, at(board, color), model, patterns, work)
    found = work.candidates
    count = int(
        match_moves_into(work.matcher, patterns.keys, board, work.memory, color, True, found)
    )
    values = np.zeros(MAX_SIZE**2)
    best = value_moves(patterns, work.matcher, color, found, count, values)
    expected = {
        int(found.points[i]): (values[i] - best) * (1 if color == BLACK else -1)
        for i in range(count)
        if best - values[i] <= window and is_playable(board, int(found.points[i]), color)
    }
    steps = {int(tree.move[c]): tree.step[c] for c in children_of(tree, ROOT)}
    assert set(steps) - {PASS} == set(expected)
    for point, behind in expected.items():
        assert steps[point][1] == model.informed_variance
        assert steps[point][0] == pytest.approx(model.prior_scale * behind)
    if PASS in steps:
        behind = -model.pass_behind * (1 if color == BLACK else -1)
        known = (model.prior_scale * behind, model.informed_variance)
        assert tuple(steps[PASS]) == (known if expected else (0.0, model.step_variance))
        assert not expected or 3 * board[EMPTY_COUNT] < game.size**2


def steps_by(trees, patterns, position, model, work):
    """Return the prior step of each legal move by some trees."""
    sign = 1.0 if position.color == BLACK else -1.0
    behind, found = np.zeros(MAX_SIZE**2), work.candidates
    count = rank_moves(patterns, trees, work.matcher, position, found, behind)
    steps = -sign * model.prior_scale * behind[:count]
    return dict(zip(found.points[:count].tolist(), steps.tolist(), strict=True))


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_all_trees_judge_the_root_and_nodes_that_are_visited_often(color):
    trees, quick = random_trees(), random_trees(seed=6)
    context = np.zeros((CONTEXT_ROWS, 2))
    patterns = no_patterns()._replace(context=context, trees=trees, quick_trees=quick)
    model = UNIFORM._replace(informed=True, prior_window=99.0, refine_visits=20)
    tree, work, judge = new_tree(5000), work_for(Game(4).board, 1), work_for(Game(4).board, 1)
    root, judged = at(Game(4).board, color), {True: 0, False: 0}
    search(tree, root, 300, model, NO_POLICY, patterns, work)
    expected = steps_by(trees, patterns, root, model, judge)
    for child in children_of(tree, ROOT):
        move, often = int(tree.move[child]), bool(tree.visits[child] > model.refine_visits)
        assert tree.step[child, STEP_MEAN] == expected[move]
        game = Game(4)
        game.play(color, move)
        steps = steps_by(
            trees if often else quick, patterns, position_of(game, 3 - color), model, judge
        )
        for grandchild in children_of(tree, child):
            assert tree.step[grandchild, STEP_MEAN] == steps[int(tree.move[grandchild])]
            judged[often] += 1
    assert min(judged.values()) > 20
    # The root of a tree that is kept gets its steps again.
    first = tree.first_child[ROOT]
    tree.step[first : first + tree.children[ROOT], STEP_MEAN] = 9.0
    search(tree, root, 0, model, NO_POLICY, patterns, work)
    for child in children_of(tree, ROOT):
        assert tree.step[child, STEP_MEAN] == expected[int(tree.move[child])]


@pytest.mark.parametrize(("passes", "color"), [(0, BLACK), (0, WHITE), (1, BLACK)])
def test_a_pass_is_behind_all_moves_unless_it_ends_the_game(passes, color):
    game = game_of("X X X .\nX X . .\n. X X X\nX X X X")
    model, tree = UNIFORM._replace(informed=True), new_tree(50)
    position = at(game.board.copy(), color, passes)
    assert expand(tree, ROOT, position, model, no_patterns(), work_for(game.board, 1))
    steps = {int(tree.move[child]): tuple(tree.step[child]) for child in children_of(tree, ROOT)}
    assert len(steps) > 1
    behind = (-2.5 if color == BLACK else 2.5, 1.0)
    assert steps[PASS] == (behind if passes == 0 else (0.0, model.step_variance))
