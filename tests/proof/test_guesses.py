"""First beliefs about a move that was not played yet."""

import math

import pytest

from engine.proof.graph import (
    BELIEF_DISPROOF_NUMBER,
    BELIEF_LOG_ODDS,
    BELIEF_PROOF_NUMBER,
    BELIEF_TAIL,
    BY_PROBABILITY,
    BY_PROOF_NUMBERS,
    GRAPH_DEPTH,
    GRAPH_METHOD,
    GRAPH_PLAIN,
    proof_tree,
)
from engine.proof.guesses import DEPTH_PENALTY, TRUST, guess_edge


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("log_odds", [-1.2, 0.0, 1.7])
def test_a_plain_guess_is_the_learned_log_odds(plain, log_odds):
    """As printed, a leaf has its learned probability; elsewhere less of it, and a cost a ply."""
    tree = proof_tree(8, 2)
    tree.meta[GRAPH_DEPTH], tree.meta[GRAPH_PLAIN] = 3, plain
    tree.meta[GRAPH_METHOD] = BY_PROBABILITY
    guess_edge(tree, 0, log_odds)
    expected = log_odds if plain else TRUST * log_odds - 3 * DEPTH_PENALTY
    assert tree.guesses[0, BELIEF_LOG_ODDS] == pytest.approx(expected)
    assert tree.guesses[0, BELIEF_TAIL] == pytest.approx(math.log1p(math.exp(-abs(expected))))
    tree.meta[GRAPH_METHOD] = BY_PROOF_NUMBERS
    guess_edge(tree, 1, log_odds)
    number = math.exp(-log_odds if plain else -TRUST * log_odds)
    assert tree.guesses[1, BELIEF_PROOF_NUMBER] == pytest.approx(max(number, 0.1))
    assert tree.guesses[1, BELIEF_DISPROOF_NUMBER] == pytest.approx(max(1 / number, 0.1))
