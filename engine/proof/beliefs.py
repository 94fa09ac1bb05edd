"""Beliefs about nodes: two ways to judge a node by its children, and first beliefs.

Source: Stern, Herbrich & Graepel (2007), section 3. *Probability propagation*, equations (1) and
(2), takes children as independent. Beliefs are log-odds ln(p / (1 - p)). Decided nodes have a value
and no belief, so rounding can never create a proof. *Proof-number search* (Allis 1994) is the
paper's baseline (section 2.3). Its sums saturate, since in a graph they count shared nodes
repeatedly. The slow twin is tests/reference/tactics.py.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.jit import kernel
from engine.proof import graph
from engine.proof.graph import DEFENDER_MOVES, NONE, ProofTree

_TINY = 1e-280  # below this, a product's -ln p may have lost its digits
# Float64 holds it and its neighbors exactly, so smaller numbers still compare correctly.
SATURATION = 1e12
ALL_OTHERS = 1.0  # ``others`` of plain proof numbers


class FirstBeliefs(NamedTuple):
    """Constants of first beliefs, tuned on a quarter of the training problems."""

    trust: float = 0.7  # the factor c in ``guess_edge``
    depth_penalty: float = 0.2  # log-odds for each move from the root
    least_number: float = 0.1  # lower bound of a first proof or disproof number


FIRST_BELIEFS = FirstBeliefs()


@kernel
def set_belief(tree: ProofTree, node: int, log_odds: float) -> None:
    """Set the belief about a node, and softplus(-|log_odds|) beside it, which its parents need."""
    tree.beliefs[node, graph.BELIEF_LOG_ODDS] = log_odds
    tree.beliefs[node, graph.BELIEF_TAIL] = math.log1p(math.exp(-abs(log_odds)))


@kernel
def propagate_probability(tree: ProofTree, node: int) -> float:
    """Return the log-odds of an undecided node from its undecided children.

    Source: equation (1) where the defender moves; equation (2) is the same for the negations. A
    child's log-odds x gives -ln p = softplus(-x) = max(-x, 0) + its tail.
    """
    # OR(L) = -AND(-L): one loop serves both players.
    sign = 1.0 if tree.flags[node] & DEFENDER_MOVES else -1.0
    surprise = 0.0
    least = np.inf
    edge = np.int64(tree.nodes[node, graph.NODE_FIRST_CHILD])
    while edge != NONE:
        if graph.is_open(tree, edge):
            log_odds = sign * graph.edge_belief(tree, edge, graph.BELIEF_LOG_ODDS)
            # softplus(-x) without overflow: both terms are finite for any finite x.
            surprise += graph.edge_belief(tree, edge, graph.BELIEF_TAIL) + max(0.0, -log_odds)
            least = min(least, log_odds)
        edge = np.int64(tree.edges[edge, graph.EDGE_NEXT_CHILD])
    # The log-odds of a probability given as -ln p. Both forms are the same number. exp would
    # overflow in the second and lose digits in the first.
    if surprise > 0.7:
        return sign * -(surprise + math.log(-math.expm1(-surprise)))
    if surprise > _TINY:
        return sign * -math.log(math.expm1(surprise))
    # All children are nearly certain: add up their small surprises in logarithms.
    total = 0.0
    edge = np.int64(tree.nodes[node, graph.NODE_FIRST_CHILD])
    while edge != NONE:
        if graph.is_open(tree, edge):
            # Relative to the least, so that no term overflows: an unproved node must stay finite.
            total += math.exp(least - sign * graph.edge_belief(tree, edge, graph.BELIEF_LOG_ODDS))
        edge = np.int64(tree.edges[edge, graph.EDGE_NEXT_CHILD])
    return sign * (least - math.log(total))


@kernel
def propagate_numbers(tree: ProofTree, node: int, others: float) -> tuple[float, float]:
    """Return (proof number, disproof number) of an undecided node from its undecided children.

    Decided children add nothing: they are the neutral element of both the sum and the minimum.
    others  share of all summands but the largest. Below ALL_OTHERS these are weak proof numbers
            (Ueda, Hashimoto, Hashimoto & Iida 2008), softened
    """
    smallest = np.inf
    total = 0.0
    largest = 0.0
    is_and = tree.flags[node] & DEFENDER_MOVES != 0
    summed = graph.BELIEF_PROOF_NUMBER if is_and else graph.BELIEF_DISPROOF_NUMBER
    least = graph.BELIEF_DISPROOF_NUMBER if is_and else graph.BELIEF_PROOF_NUMBER
    edge = np.int64(tree.nodes[node, graph.NODE_FIRST_CHILD])
    while edge != NONE:
        if graph.is_open(tree, edge):
            number = graph.edge_belief(tree, edge, summed)
            total += number
            largest = max(largest, number)
            smallest = min(smallest, graph.edge_belief(tree, edge, least))
        edge = np.int64(tree.edges[edge, graph.EDGE_NEXT_CHILD])
    if others < ALL_OTHERS:
        total = largest + others * (total - largest)
    total = min(total, SATURATION)
    return (total, smallest) if is_and else (smallest, total)


@kernel
def set_even(tree: ProofTree, node: int) -> None:
    """Give a node the belief that both values are equally likely (Stern et al. 2007, section 3)."""
    if tree.meta[graph.META_METHOD] == graph.BY_PROBABILITY:
        set_belief(tree, node, 0.0)
    else:
        tree.beliefs[node, graph.BELIEF_PROOF_NUMBER] = 1.0
        tree.beliefs[node, graph.BELIEF_DISPROOF_NUMBER] = 1.0


@kernel
def guess_edge(tree: ProofTree, edge: int, log_odds: float) -> None:
    """Write the belief about a move not played yet, whose pattern has the log-odds L.

    Probability propagation starts with c L less a penalty for its depth. Proof-number search starts
    with exp(-c L) and exp(c L), so an even leaf counts one.

    # Deviates: the paper has L (scripts/reproduce). But siblings are not independent, so L claims
    too much. And the propagation rules know no cost, so without a penalty the search dives.
    """
    if tree.meta[graph.META_METHOD] == graph.BY_PROBABILITY:
        penalty = FIRST_BELIEFS.depth_penalty * tree.meta[graph.META_DEPTH]
        log_odds = FIRST_BELIEFS.trust * log_odds - penalty
        tree.guesses[edge, graph.BELIEF_LOG_ODDS] = log_odds
        tree.guesses[edge, graph.BELIEF_TAIL] = math.log1p(math.exp(-abs(log_odds)))
        return
    number = math.exp(-FIRST_BELIEFS.trust * log_odds)
    tree.guesses[edge, graph.BELIEF_PROOF_NUMBER] = max(number, FIRST_BELIEFS.least_number)
    tree.guesses[edge, graph.BELIEF_DISPROOF_NUMBER] = max(1.0 / number, FIRST_BELIEFS.least_number)


@kernel
def take_guess(tree: ProofTree, node: int, edge: int) -> None:
    """Give a new node the belief about the move that led to it."""
    for column in range(graph.BELIEF_COLUMNS):
        tree.beliefs[node, column] = tree.guesses[edge, column]
