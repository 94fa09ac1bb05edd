"""Which of the root's moves is played, and when no other one can be."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import BLACK, WHITE
from engine.go.geometry import PASS
from engine.search.model import RELEVANCE
from engine.search.root_moves import merits, rollouts_to_overtake
from engine.search.tree import ROOT, STEP_MEAN, Tree, add_node, new_tree
from tests.reference import search as twin
from tests.search.growing import UNIFORM

MOVES = st.lists(st.tuples(st.integers(0, 3000), st.floats(-5.0, 5.0)), min_size=1, max_size=8)
VOTES = st.sampled_from([0.0, 0.3, 0.55, 2.0])


def tree_of(moves: list[tuple[int, float]], color: int) -> tuple[Tree, list[int]]:
    """Return a tree whose root's moves have some visits and prior steps, the mover's, and them."""
    tree = new_tree(20)
    sign = 1.0 if color == BLACK else -1.0
    nodes = []
    for point, (visits, step) in enumerate(moves, start=1):
        node = int(add_node(tree, ROOT, point))
        tree.visits[node], tree.step[node, STEP_MEAN] = visits, sign * step
        nodes.append(node)
    return tree, nodes


def merits_of(moves, color, vote, **changes):
    tree, nodes = tree_of(moves, color)
    model = UNIFORM._replace(prior_vote=vote, **changes)
    return merits(tree, nodes, color, np.arange(len(moves), dtype=float), model)


@given(MOVES, st.sampled_from([BLACK, WHITE]), VOTES)
def test_the_move_that_is_played_is_the_reference_s(moves, color, vote):
    most = merits_of(moves, color, vote)
    ranked = np.sort(most)
    # Equals, but for rounding, may come in either order; visits alone are never rounded.
    assume(vote == 0.0 or len(most) == 1 or ranked[-1] - ranked[-2] > 1e-9)
    assert int(most.argmax()) == twin.played(*zip(*moves, strict=True), vote)


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_a_prior_step_is_worth_visits(color):
    # exp(0.55 * 2) = 3.004: two steps ahead, a third of the visits is enough.
    assert merits_of([(302, 0.0), (100, 2.0)], color, 0.55).argmax() == 1
    assert merits_of([(303, 0.0), (100, 2.0)], color, 0.55).argmax() == 0
    assert merits_of([(101, 0.0), (100, 2.0)], color, 0.0).argmax() == 0


def test_nothing_is_said_of_a_pass():
    # By its own step, -2.5, it would need four times the other's visits.
    tree, nodes = tree_of([(100, 0.0), (101, -2.5)], BLACK)
    tree.move[nodes[1]] = PASS
    assert merits(tree, nodes, BLACK, np.zeros(2), UNIFORM._replace(prior_vote=0.55)).argmax() == 1


def test_with_relevance_the_value_decides():
    assert merits_of([(302, 5.0), (1, 0.0)], BLACK, 0.55, policy=RELEVANCE).argmax() == 1


@given(MOVES, VOTES)
def test_so_many_rollouts_overtake_and_one_less_does_not(moves, vote):
    most = merits_of(moves, BLACK, vote)
    best = int(most.argmax())
    visits = np.array([count for count, _ in moves])
    needed = rollouts_to_overtake(visits, most)
    assert 0 <= needed <= visits[best]
    others = [i for i in range(len(moves)) if i != best]
    for i in others:  # none gets there with less
        after = math.log(visits[i] + needed) + vote * moves[i][1]
        assert needed == 0 or after < most[best] + 1e-6
    if needed < visits[best]:  # some move is even then
        after = [math.log(visits[i] + needed + 1) + vote * moves[i][1] for i in others]
        assert max(after) > most[best] - 1e-5
