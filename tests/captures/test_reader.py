"""The result of an unfinished reading: a probability and a move."""

import math

import pytest

from engine import parse_vertex
from engine.arrays import ROOT
from engine.captures.reader import CaptureReader
from engine.proof.graph import (
    BELIEF_LOG_ODDS,
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


@pytest.mark.parametrize("attacker_first", [True, False])
def test_the_guess_is_the_roots_belief_and_its_best_move(attacker_first):
    reader = CaptureReader("pp", 200)
    found = reader.read_chain(
        game_of(HARD).board, parse_vertex("D4", 7), attacker_first, 6, max_nodes=30
    )
    assert found.value == "unknown"
    chance, move = reader.guess()
    tree = reader.tree
    assert chance == pytest.approx(1 / (1 + math.exp(-tree.beliefs[ROOT, BELIEF_LOG_ODDS])))
    assert 0.0 < chance < 1.0
    hopes = {}
    edge = int(tree.nodes[ROOT, NODE_FIRST_CHILD])
    while edge != NONE:
        if is_open_edge(tree, edge):
            hopes[int(tree.edges[edge, EDGE_MOVE])] = edge_belief(tree, edge, BELIEF_LOG_ODDS)
        edge = int(tree.edges[edge, EDGE_NEXT_CHILD])
    assert len(hopes) > 1
    assert hopes[move] == (max if attacker_first else min)(hopes.values())


@pytest.mark.parametrize(("log_odds", "chance"), [(-1000.0, 0.0), (1000.0, 1.0)])
def test_the_surest_guess_is_a_probability(log_odds, chance):
    reader = CaptureReader("pp", 200)
    reader.read_chain(game_of(HARD).board, parse_vertex("D4", 7), True, 6, max_nodes=30)
    reader.tree.beliefs[ROOT, BELIEF_LOG_ODDS] = log_odds
    assert reader.guess()[0] == chance
