"""Proof-number search: the baseline, with the same search around it (Allis 1994).

Source: Stern, Herbrich & Graepel (2007), section 2.3. The proof number of an AND node is the sum
of its children's, of an OR node their minimum; disproof numbers the other way round. Sums saturate,
since in a graph they count shared nodes again and again.
"""

import numpy as np

from engine.jit import kernel
from engine.tactics.tree import (
    DEFENDER_MOVES,
    DISPROOF_NUMBER,
    FIRST_CHILD,
    NEXT_CHILD,
    NONE,
    PROOF_NUMBER,
    ProofTree,
    belief_of,
    is_open,
)

SATURATION = 1e12


@kernel
def propagate_numbers(tree: ProofTree, node: int) -> tuple[float, float]:
    """Return (proof number, disproof number) of an undecided node from its undecided children.

    Decided children were looked at before: at an AND node they are TRUE and add nothing to the
    sum, nor are they the minimum (theirs is infinite); at an OR node the same with FALSE.
    """
    smallest = np.inf
    total = 0.0
    is_and = tree.flags[node] & DEFENDER_MOVES != 0
    summed = PROOF_NUMBER if is_and else DISPROOF_NUMBER
    edge = np.int64(tree.nodes[node, FIRST_CHILD])
    while edge != NONE:
        if is_open(tree, edge):
            total += belief_of(tree, edge, summed)
            smallest = min(smallest, belief_of(tree, edge, 1 - summed))
        edge = np.int64(tree.edges[edge, NEXT_CHILD])
    total = min(total, SATURATION)
    return (total, smallest) if is_and else (smallest, total)
