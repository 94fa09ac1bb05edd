"""First beliefs about a node that was just made, and about a move not played yet."""

import math

from engine.jit import kernel
from engine.proof.graph import (
    BELIEF_COLUMNS,
    BELIEF_DISPROOF_NUMBER,
    BELIEF_LOG_ODDS,
    BELIEF_PROOF_NUMBER,
    BELIEF_TAIL,
    BY_PROBABILITY,
    GRAPH_DEPTH,
    GRAPH_METHOD,
    GRAPH_PLAIN,
    ProofTree,
)
from engine.proof.propagation import set_belief

# Tuned on a quarter of the training problems, with priors learned from the others.
TRUST = 0.7  # The factor c in ``guess_edge``.
DEPTH_PENALTY = 0.2  # Log-odds for each move from the root.
LEAST_NUMBER = 0.1  # Lower bound of a first proof or disproof number.


@kernel
def set_even(tree: ProofTree, node: int) -> None:
    """Give a node the belief that both values are equally likely (Stern et al. 2007, section 3)."""
    if tree.meta[GRAPH_METHOD] == BY_PROBABILITY:
        set_belief(tree, node, 0.0)
    else:
        tree.beliefs[node, BELIEF_PROOF_NUMBER] = 1.0
        tree.beliefs[node, BELIEF_DISPROOF_NUMBER] = 1.0


@kernel
def guess_edge(tree: ProofTree, edge: int, log_odds: float) -> None:
    """Write the belief about a move not played yet.

    Its pattern has the log-odds L. Probability propagation starts with c L less a penalty for its
    depth. Proof-number search starts with exp(-c L) and exp(c L), so an even leaf counts one.

    # Deviates: the paper has L. But siblings are not independent, so L claims too much. And the
    propagation rules know no cost, so without a penalty the search dives. GRAPH_PLAIN selects L.
    """
    plain = tree.meta[GRAPH_PLAIN] != 0
    trust = 1.0 if plain else TRUST
    if tree.meta[GRAPH_METHOD] == BY_PROBABILITY:
        penalty = 0.0 if plain else DEPTH_PENALTY * tree.meta[GRAPH_DEPTH]
        log_odds = trust * log_odds - penalty
        tree.guesses[edge, BELIEF_LOG_ODDS] = log_odds
        # Computed once here instead of at every update of the parent.
        tree.guesses[edge, BELIEF_TAIL] = math.log1p(math.exp(-abs(log_odds)))
        return
    # An even leaf counts one, as in proof-number search without knowledge.
    number = math.exp(-trust * log_odds)
    tree.guesses[edge, BELIEF_PROOF_NUMBER] = max(number, LEAST_NUMBER)
    tree.guesses[edge, BELIEF_DISPROOF_NUMBER] = max(1.0 / number, LEAST_NUMBER)


@kernel
def take_guess(tree: ProofTree, node: int, edge: int) -> None:
    """Give a new node the belief about the move that led to it."""
    for column in range(BELIEF_COLUMNS):
        tree.beliefs[node, column] = tree.guesses[edge, column]
