"""Proof-number search (Allis 1994): the baseline, inside the same search.

Source: Stern, Herbrich & Graepel (2007), section 2.3. The proof number of an AND node is the sum of
its children's proof numbers, that of an OR node their minimum. Disproof numbers work the other way
round. Sums saturate, since in a graph they count shared nodes repeatedly.
"""

import numpy as np

from engine.jit import kernel
from engine.proof.graph import (
    BELIEF_DISPROOF_NUMBER,
    BELIEF_PROOF_NUMBER,
    DEFENDER_MOVES,
    EDGE_NEXT_CHILD,
    NODE_FIRST_CHILD,
    NONE,
    ProofTree,
    edge_belief,
    is_open,
)

# Float64 holds it and its neighbors exactly, so smaller numbers still compare correctly.
SATURATION = 1e12
ALL_OTHERS = 1.0  # ``others`` of plain proof numbers


@kernel
def propagate_numbers(tree: ProofTree, node: int, others: float) -> tuple[float, float]:
    """Return (proof number, disproof number) of an undecided node from its undecided children.

    Decided children were handled before. At an AND node they are TRUE. They add nothing to the sum,
    and they are not the minimum, since their disproof number is infinite. At an OR node the same
    holds with FALSE.
    others  float64, share of all summands but the largest. Below ALL_OTHERS these are weak proof
            numbers (Ueda, Hashimoto, Hashimoto & Iida 2008), softened
    """
    smallest = np.inf
    total = 0.0
    largest = 0.0
    is_and = tree.flags[node] & DEFENDER_MOVES != 0
    summed = BELIEF_PROOF_NUMBER if is_and else BELIEF_DISPROOF_NUMBER
    least = BELIEF_DISPROOF_NUMBER if is_and else BELIEF_PROOF_NUMBER
    edge = np.int64(tree.nodes[node, NODE_FIRST_CHILD])
    while edge != NONE:
        if is_open(tree, edge):
            number = edge_belief(tree, edge, summed)
            total += number
            largest = max(largest, number)
            smallest = min(smallest, edge_belief(tree, edge, least))
        edge = np.int64(tree.edges[edge, EDGE_NEXT_CHILD])
    if others < ALL_OTHERS:
        total = largest + others * (total - largest)
    total = min(total, SATURATION)
    return (total, smallest) if is_and else (smallest, total)
