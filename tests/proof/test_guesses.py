"""First beliefs about a move that was not played yet."""

import math

import pytest

from engine.proof.beliefs import FIRST_BELIEFS, guess_edge
from engine.proof.graph import (
    BELIEF_DISPROOF_NUMBER,
    BELIEF_LOG_ODDS,
    BELIEF_PROOF_NUMBER,
    BELIEF_TAIL,
    BY_PROBABILITY,
    BY_PROOF_NUMBERS,
    META_DEPTH,
    META_METHOD,
    proof_tree,
)


@pytest.mark.parametrize("log_odds", [-1.2, 0.0, 1.7])
def test_a_guess_is_a_part_of_the_learned_log_odds_less_a_cost_a_ply(log_odds):
    tree = proof_tree(8, 2)
    tree.meta[META_DEPTH] = 3
    tree.meta[META_METHOD] = BY_PROBABILITY
    guess_edge(tree, 0, log_odds)
    expected = FIRST_BELIEFS.trust * log_odds - 3 * FIRST_BELIEFS.depth_penalty
    assert tree.guesses[0, BELIEF_LOG_ODDS] == pytest.approx(expected)
    assert tree.guesses[0, BELIEF_TAIL] == pytest.approx(math.log1p(math.exp(-abs(expected))))
    tree.meta[META_METHOD] = BY_PROOF_NUMBERS
    guess_edge(tree, 1, log_odds)
    number = math.exp(-FIRST_BELIEFS.trust * log_odds)
    assert tree.guesses[1, BELIEF_PROOF_NUMBER] == pytest.approx(max(number, 0.1))
    assert tree.guesses[1, BELIEF_DISPROOF_NUMBER] == pytest.approx(max(1 / number, 0.1))
