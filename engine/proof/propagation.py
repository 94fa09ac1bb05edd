"""Probability propagation: beliefs about AND and OR nodes, in log-odds.

Source: Stern, Herbrich & Graepel (2007), section 3, equations (1) and (2). Children are taken as
independent. An AND node is TRUE with the product of its children's probabilities. An OR node is
FALSE with the product of their complements. Beliefs are log-odds ln(p / (1 - p)), which are precise
at both ends. Decided nodes have a value and no belief, so rounding can never create a proof. The
slow twin is tests/reference/tactics.py.
"""

import math

import numpy as np

from engine.jit import kernel
from engine.proof.graph import (
    BELIEF_LOG_ODDS,
    BELIEF_TAIL,
    DEFENDER_MOVES,
    EDGE_NEXT_CHILD,
    NODE_FIRST_CHILD,
    NONE,
    ProofTree,
    edge_belief,
    is_open,
)

_TINY = 1e-280  # below this, a product's -ln p may have lost its digits


@kernel
def log_odds_of_surprise(surprise: float) -> float:
    """Return the log-odds of a probability given as -ln p > 0 [nats]."""
    # Both forms are the same number: exp would overflow in the second and lose digits in the first.
    if surprise > 0.7:
        return -(surprise + math.log(-math.expm1(-surprise)))
    return -math.log(math.expm1(surprise))


@kernel
def set_belief(tree: ProofTree, node: int, log_odds: float) -> None:
    """Set the belief about a node, and softplus(-|log_odds|) beside it, which its parents need."""
    tree.beliefs[node, BELIEF_LOG_ODDS] = log_odds
    tree.beliefs[node, BELIEF_TAIL] = math.log1p(math.exp(-abs(log_odds)))


@kernel
def propagate_probability(tree: ProofTree, node: int) -> float:
    """Return the log-odds of an undecided node from its undecided children.

    Source: equation (1) where the defender moves; equation (2) is the same for the negations. A
    child's log-odds x gives -ln p = softplus(-x). Here softplus(x) is max(x, 0) + softplus(-|x|),
    and the second term is the child's tail. Decided children were handled before.
    """
    # OR(L) = -AND(-L): one loop serves both players.
    sign = 1.0 if tree.flags[node] & DEFENDER_MOVES else -1.0
    surprise = 0.0
    least = np.inf
    edge = np.int64(tree.nodes[node, NODE_FIRST_CHILD])
    while edge != NONE:
        if is_open(tree, edge):
            log_odds = sign * edge_belief(tree, edge, BELIEF_LOG_ODDS)
            # softplus(-x) without overflow: both terms are finite for any finite x.
            surprise += edge_belief(tree, edge, BELIEF_TAIL) + max(0.0, -log_odds)
            least = min(least, log_odds)
        edge = np.int64(tree.edges[edge, EDGE_NEXT_CHILD])
    # Otherwise all children are nearly certain: add up their small surprises in logarithms.
    if surprise > _TINY:
        return sign * log_odds_of_surprise(surprise)
    total = 0.0
    edge = np.int64(tree.nodes[node, NODE_FIRST_CHILD])
    while edge != NONE:
        if is_open(tree, edge):
            # Relative to the least, so that no term overflows: an unproved node must stay finite.
            total += math.exp(least - sign * edge_belief(tree, edge, BELIEF_LOG_ODDS))
        edge = np.int64(tree.edges[edge, EDGE_NEXT_CHILD])
    return sign * (least - math.log(total))
