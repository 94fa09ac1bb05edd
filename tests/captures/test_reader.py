"""The result of an unfinished reading: its numbers."""

import math

import pytest

from engine import parse_vertex
from engine.arrays import ROOT
from engine.captures.reader import CaptureReader
from engine.proof.graph import BELIEF_DISPROOF_NUMBER, BELIEF_LOG_ODDS, BELIEF_PROOF_NUMBER
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
def test_an_open_search_tells_the_roots_belief(method, attacker_first):
    reader = CaptureReader(method, 200)
    found = reader.read_chain(
        game_of(HARD).board, parse_vertex("D4", 7), attacker_first, 6, max_nodes=30
    )
    assert found.value == "unknown"
    search = reader.open_search()
    tree = reader.tree
    proof, disproof = tree.beliefs[ROOT, [BELIEF_PROOF_NUMBER, BELIEF_DISPROOF_NUMBER]]
    belief = tree.beliefs[ROOT, BELIEF_LOG_ODDS]
    expected = belief if method == "pp" else math.log(disproof / proof)
    assert search[1] == pytest.approx(expected)
    # With the defender first, the attack has failed at five liberties; six are the last limit.
    assert search[2:].tolist() == [attacker_first, False, attacker_first]


def test_the_search_with_the_widest_list_comes_last():
    reader = CaptureReader("pns", 5000)
    board, chain = game_of(HARD).board, parse_vertex("D4", 7)
    whole = reader.read_chain(board, chain, False, 5)
    assert whole.value == "safe"
    # The narrow list takes half of these nodes.
    found = reader.read_chain(board, chain, False, 5, max_nodes=whole.nodes // 2 + 1)
    search = reader.open_search()
    assert (found.value, *search[3:]) == ("unknown", True, 0)
