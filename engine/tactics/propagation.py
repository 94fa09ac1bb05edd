"""Probability propagation: beliefs about AND and OR nodes, in log-odds.

Source: Stern, Herbrich & Graepel (2007), section 3, equations (1) and (2). Children are taken as
independent: an AND node is TRUE with the product of its children's probabilities, an OR node is
FALSE with the product of their complements. Everything is kept as log-odds ln(p / (1 - p)), which
is precise at both ends. A proof is +-inf and is handled before any arithmetic, so that rounding
can never create one. The slow twin is tests/reference/tactics.py.
"""

import math

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from engine.tactics.goals import UNKNOWN
from engine.tactics.tree import (
    CHILD,
    DEFENDER_MOVES,
    FIRST_CHILD,
    LOG_ODDS,
    NEXT_CHILD,
    NONE,
    TAIL,
    ProofTree,
)

_TINY = 1e-280  # below this, a product's -ln p may have lost its digits


@kernel
def softplus(x: float) -> float:
    """The smooth maximum of x and 0: ln(1 + e**x). Of -log_odds it is -ln p."""
    return x + math.log1p(math.exp(-x)) if x > 0 else math.log1p(math.exp(x))


@kernel
def log_odds_of_surprise(surprise: float) -> float:
    """Return the log-odds of a probability given as -ln p > 0 [nats]."""
    if surprise > 0.7:
        return -(surprise + math.log(-math.expm1(-surprise)))
    return -math.log(math.expm1(surprise))


@kernel
def and_log_odds(children: npt.NDArray[np.float64]) -> float:
    """Return the log-odds that all of several independent statements are true.

    Source: equation (1). No child: +inf. A child at -inf decides, one at +inf is left out.
    children  float64[n], log-odds
    """
    surprise = 0.0
    least = np.inf
    open_children = 0
    for child in children:
        if child == -np.inf:
            return -np.inf
        if child < np.inf:
            surprise += softplus(-child)
            least = min(least, child)
            open_children += 1
    if open_children == 0:
        return np.inf
    if surprise > _TINY:
        return log_odds_of_surprise(surprise)
    total = 0.0
    for child in children:
        if child < np.inf:
            total += math.exp(least - child)
    return least - math.log(total)


@kernel
def or_log_odds(children: npt.NDArray[np.float64]) -> float:
    """Return the log-odds that at least one of several independent statements is true.

    Source: equation (2); it is the AND of the negations, negated. No child: -inf.
    """
    surprise = 0.0
    most = -np.inf
    open_children = 0
    for child in children:
        if child == np.inf:
            return np.inf
        if child > -np.inf:
            surprise += softplus(child)
            most = max(most, child)
            open_children += 1
    if open_children == 0:
        return -np.inf
    if surprise > _TINY:
        return -log_odds_of_surprise(surprise)
    total = 0.0
    for child in children:
        if child > -np.inf:
            total += math.exp(child - most)
    return most + math.log(total)


@kernel
def believe(tree: ProofTree, node: int, log_odds: float) -> None:
    """Set the belief about a node; softplus(-|log_odds|) beside it saves its parents the work."""
    tree.beliefs[node, LOG_ODDS] = log_odds
    tree.beliefs[node, TAIL] = math.log1p(math.exp(-abs(log_odds)))


@kernel
def propagate_probability(tree: ProofTree, node: int) -> float:
    """Return the log-odds of an undecided node from its undecided children.

    Same as ``and_log_odds`` and ``or_log_odds``, with the tails of the children at hand:
    softplus(x) is max(x, 0) + softplus(-|x|). Decided children were looked at before.
    """
    sign = 1.0 if tree.flags[node] & DEFENDER_MOVES else -1.0
    surprise = 0.0
    least = np.inf
    edge = tree.nodes[node, FIRST_CHILD]
    while edge != NONE:
        child = tree.edges[edge, CHILD]
        if tree.values[child] == UNKNOWN:
            log_odds = sign * tree.beliefs[child, LOG_ODDS]
            surprise += tree.beliefs[child, TAIL] + max(0.0, -log_odds)
            least = min(least, log_odds)
        edge = tree.edges[edge, NEXT_CHILD]
    if surprise > _TINY:
        return sign * log_odds_of_surprise(surprise)
    total = 0.0
    edge = tree.nodes[node, FIRST_CHILD]
    while edge != NONE:
        child = tree.edges[edge, CHILD]
        if tree.values[child] == UNKNOWN:
            total += math.exp(least - sign * tree.beliefs[child, LOG_ODDS])
        edge = tree.edges[edge, NEXT_CHILD]
    return sign * (least - math.log(total))
