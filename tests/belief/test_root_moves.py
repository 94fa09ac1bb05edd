"""The choice of the root's move, and when no other move can be chosen any more."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import BLACK, RULESETS, WHITE, Game, board_points
from engine.arrays import ROOT
from engine.belief.root_moves import merits, opening_share, rollouts_to_overtake
from engine.go.geometry import PASS
from engine.search.model import by_visits
from engine.search.tree import STEP_MEAN, Tree, add_node, new_tree
from tests.reference import search as twin
from tests.search.growing import UNIFORM

STEPS = st.floats(-5.0, 5.0)
MOVES = st.lists(st.tuples(st.integers(0, 3000), STEPS, STEPS), min_size=1, max_size=8)
VOTES = st.sampled_from([(0.0, 0.0), (0.55, 0.0), (0.0, 1.0), (0.55, 1.0), (2.0, 0.3)])


def tree_of(moves: list[tuple[int, float, float]], color: int) -> tuple[Tree, list[int]]:
    """Return a tree and its root's moves, with some visits and prior steps of the mover."""
    tree = new_tree(20)
    sign = 1.0 if color == BLACK else -1.0
    nodes = []
    for point, (visits, step, _) in enumerate(moves, start=1):
        node = int(add_node(tree, ROOT, point))
        tree.visits[node], tree.step[node, STEP_MEAN] = visits, sign * step
        nodes.append(node)
    return tree, nodes


def merits_of(moves, color=BLACK, votes=(0.55, 1.0), **changes):
    tree, nodes = tree_of(moves, color)
    model = UNIFORM._replace(prior_vote=votes[0], value_vote=votes[1], **changes)
    return merits(tree, nodes, color, np.array([value for _, _, value in moves]), model)


@given(MOVES, st.sampled_from([BLACK, WHITE]), VOTES)
def test_the_played_move_is_the_references(moves, color, votes):
    most = merits_of(moves, color, votes)
    ranked = np.sort(most)
    # Equals, but for rounding, may come in either order; visits alone are never rounded.
    assume(votes == (0.0, 0.0) or len(most) == 1 or ranked[-1] - ranked[-2] > 1e-9)
    assert int(most.argmax()) == twin.played(moves, *votes)


def test_by_visits_the_most_visited_move_is_played():
    moves = [(101, -5.0, -5.0), (100, 5.0, 5.0)]
    tree, nodes = tree_of(moves, BLACK)
    assert merits(tree, nodes, BLACK, np.array([-5.0, 5.0]), by_visits(UNIFORM)).argmax() == 0


def test_nothing_is_said_of_a_pass():
    # By its own step, -2.5, it would need four times the other's visits.
    tree, nodes = tree_of([(100, 0.0, 0.0), (101, -2.5, 0.0)], BLACK)
    tree.move[nodes[1]] = PASS
    assert merits(tree, nodes, BLACK, np.zeros(2), UNIFORM).argmax() == 1


@pytest.mark.parametrize(
    ("size", "stones", "share"),
    [(19, 0, 1.0), (19, 20, 1.0), (19, 30, 0.5), (19, 41, 0.0), (13, 0, 0.0)],
)
def test_openings_are_those_of_large_boards(size, stones, share):
    game = Game(size, RULESETS["chinese"], 7.5)
    for point in board_points(size)[:stones]:
        game.play(BLACK, point)
    assert opening_share(game.board) == share


@given(MOVES, VOTES)
def test_the_overtaking_number_of_rollouts_is_exact(moves, votes):
    most = merits_of(moves, BLACK, votes)
    best = int(most.argmax())
    visits = np.array([count for count, _, _ in moves])
    needed = rollouts_to_overtake(visits, most)
    assert 0 <= needed <= visits[best]

    def after(i: int, more: int) -> float:
        before = max(visits[i], 1e-9)
        return most[i] + math.log((before + more) / before)

    others = [i for i in range(len(moves)) if i != best]
    for i in others:  # no other move gets there with less
        assert needed == 0 or after(i, needed - 1) < most[best] + 1e-6
    if needed < visits[best]:  # some move is chosen even then
        assert max(after(i, needed) for i in others) > most[best] - 1e-5


def test_untried_moves_are_not_played():
    assert merits_of([(0, 5.0, 5.0), (1, -5.0, -1.0)]).argmax() == 1
