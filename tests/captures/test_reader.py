"""The result of an unfinished reading: its numbers and a move."""

import math

import pytest

from engine import parse_vertex
from engine.arrays import ROOT
from engine.captures.reader import CaptureReader
from engine.proof.graph import (
    BELIEF_DISPROOF_NUMBER,
    BELIEF_LOG_ODDS,
    BELIEF_PROOF_NUMBER,
    EDGE_MOVE,
    EDGE_NEXT_CHILD,
    NODE_FIRST_CHILD,
    NONE,
    edge_belief,
)
from engine.proof.graph import is_open as is_open_edge
from tests.diagrams import game_of

# The white chain has three liberties; its capture cannot be decided at a glance.
HARD = """
    .......
    ..XXX..
    .XOOO..
    .X.O.X.
    ..X.X..
    .......
    .......
"""


@pytest.mark.parametrize("method", ["pp", "pns"])
@pytest.mark.parametrize("attacker_first", [True, False])
def test_an_open_search_tells_the_roots_belief_and_its_best_move(method, attacker_first):
    reader = CaptureReader(method, 200)
    found = reader.read_chain(
        game_of(HARD).board, parse_vertex("D4", 7), attacker_first, 6, max_nodes=30
    )
    assert found.value == "unknown"
    search = reader.open_search()
    assert reader.open_search() == search
    tree = reader.tree
    proof, disproof = tree.beliefs[ROOT, [BELIEF_PROOF_NUMBER, BELIEF_DISPROOF_NUMBER]]
    belief = tree.beliefs[ROOT, BELIEF_LOG_ODDS]
    expected = belief if method == "pp" else math.log(disproof / proof)
    assert search.log_odds == pytest.approx(expected)
    # With the defender first, the attack has failed at five liberties; six are the last limit.
    assert (search.attacker_first, search.widest) == (attacker_first, False)
    assert search.limits_left == (1 if attacker_first else 0)
    costs = {}
    edge = int(tree.nodes[ROOT, NODE_FIRST_CHILD])
    while edge != NONE:
        if is_open_edge(tree, edge):
            costs[int(tree.edges[edge, EDGE_MOVE])] = cost_of(tree, edge, method, attacker_first)
        edge = int(tree.edges[edge, EDGE_NEXT_CHILD])
    assert len(costs) > 1
    assert costs[search.move] == min(costs.values())


def cost_of(tree, edge, method, attacker_first):
    """Return the number that the side to move wants to be small."""
    if method == "pp":
        return edge_belief(tree, edge, BELIEF_LOG_ODDS) * (-1 if attacker_first else 1)
    column = BELIEF_PROOF_NUMBER if attacker_first else BELIEF_DISPROOF_NUMBER
    return edge_belief(tree, edge, column)


def test_the_search_with_the_widest_list_comes_last():
    reader = CaptureReader("pns", 5000)
    board, chain = game_of(HARD).board, parse_vertex("D4", 7)
    whole = reader.read_chain(board, chain, False, 5)
    assert whole.value == "safe"
    # The narrow list takes half of these nodes.
    found = reader.read_chain(board, chain, False, 5, max_nodes=whole.nodes // 2 + 1)
    search = reader.open_search()
    assert (found.value, search.widest, search.limits_left) == ("unknown", True, 0)
