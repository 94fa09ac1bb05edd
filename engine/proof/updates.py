"""Updates of all ancestors after a leaf was developed (Algorithm 2).

Source: Stern, Herbrich & Graepel (2007), section 3. A solver settles one node after another::

    begin_update(tree, leaf)
    while (node := next_to_settle(tree)) != NONE:
        if the solver finds that the node's value or belief changed:
            tell_parents(tree, node)

# Deviates: Algorithm 2 knows one parent. Here all parents are updated: positions are shared.
"""

import numpy as np

from engine.jit import kernel
from engine.proof import graph
from engine.proof.beliefs import propagate_numbers, propagate_probability, set_belief
from engine.proof.graph import DEFENDER_MOVES, FALSE, NONE, TRUE, UNKNOWN, ProofTree

# Without a threshold every change would go to the root, through all parents.
LEAST_CHANGE = 1e-3  # Smallest relative change of log-odds that parents are told.
_MOST_VISITS = 8  # Visits of one node in one update; more happen in circles only.


@kernel
def look_at_children(tree: ProofTree, node: int) -> tuple[int, int]:
    """Return (first edge to a child that decides the node, or NONE; number of open children).

    Source: Stern et al. (2007), section 2.1.
    """
    deciding = FALSE if tree.flags[node] & DEFENDER_MOVES else TRUE
    undecided = 0
    edge = np.int64(tree.nodes[node, graph.NODE_FIRST_CHILD])
    while edge != NONE:
        child = tree.edges[edge, graph.EDGE_CHILD]
        # One child decides: TRUE for the attacker, FALSE for the defender.
        if child >= 0 and tree.values[child] == deciding:
            return edge, undecided
        undecided += graph.is_open(tree, edge)
        edge = np.int64(tree.edges[edge, graph.EDGE_NEXT_CHILD])
    return NONE, undecided


@kernel
def settle_belief(tree: ProofTree, node: int, others: float, least_change: float) -> bool:
    """Recompute the belief about an undecided node; return whether it changed noticeably.

    Source: Stern et al. (2007), Algorithm 2. ``others`` as in ``propagate_numbers``;
    ``least_change`` is the smallest relative change of proof numbers that parents are told.
    """
    if tree.meta[graph.META_METHOD] == graph.BY_PROBABILITY:
        before = tree.beliefs[node, graph.BELIEF_LOG_ODDS]
        log_odds = propagate_probability(tree, node)
        if abs(log_odds - before) <= LEAST_CHANGE * (1.0 + abs(before)):
            return False
        set_belief(tree, node, log_odds)
        return True
    proof, disproof = propagate_numbers(tree, node, others)
    before_proof = tree.beliefs[node, graph.BELIEF_PROOF_NUMBER]
    before_disproof = tree.beliefs[node, graph.BELIEF_DISPROOF_NUMBER]
    # Changes that parents were not told add up until they are large enough.
    if (
        abs(proof - before_proof) <= least_change * before_proof
        and abs(disproof - before_disproof) <= least_change * before_disproof
    ):
        return False
    tree.beliefs[node, graph.BELIEF_PROOF_NUMBER] = proof
    tree.beliefs[node, graph.BELIEF_DISPROOF_NUMBER] = disproof
    return True


@kernel
def begin_update(tree: ProofTree, leaf: int) -> None:
    """Put a developed leaf into the empty queue."""
    tree.queue[0] = leaf
    tree.marks[leaf, graph.MARK_QUEUED] = 1
    tree.meta[graph.META_QUEUE_HEAD] = 0
    tree.meta[graph.META_QUEUE_LENGTH] = 1


@kernel
def next_to_settle(tree: ProofTree) -> int:
    """Take the next undecided node out of the queue and return it; NONE if the queue is empty.

    Source: Stern et al. (2007), Algorithm 2.
    """
    while tree.meta[graph.META_QUEUE_LENGTH] > 0:
        head = tree.meta[graph.META_QUEUE_HEAD]
        node = np.int64(tree.queue[head])
        tree.meta[graph.META_QUEUE_HEAD] = (head + 1) % len(tree.queue)
        tree.meta[graph.META_QUEUE_LENGTH] -= 1
        tree.marks[node, graph.MARK_QUEUED] = 0
        if tree.values[node] == UNKNOWN:
            return node
    return np.int64(NONE)


@kernel
def tell_parents(tree: ProofTree, node: int) -> None:
    """Put the undecided parents of a node that changed into the queue.

    Source: Stern et al. (2007), Algorithm 2.
    """
    # A value is final and reaches all parents once; beliefs alone can go round in circles.
    if tree.values[node] == UNKNOWN:
        base = tree.meta[graph.META_ROUND] * _MOST_VISITS
        visits = max(np.int64(tree.marks[node, graph.MARK_VISITS]), base) + 1
        # Beliefs in a circle feed each other without end; the next update continues.
        if visits >= base + _MOST_VISITS:
            return
        tree.marks[node, graph.MARK_VISITS] = visits
    edge = tree.nodes[node, graph.NODE_FIRST_PARENT]
    while edge != NONE:
        parent = tree.edges[edge, graph.EDGE_PARENT]
        if tree.marks[parent, graph.MARK_QUEUED] == 0 and tree.values[parent] == UNKNOWN:
            tree.marks[parent, graph.MARK_QUEUED] = 1
            # A node is in the queue at most once, so a ring with a cell for each node never
            # overflows.
            end = tree.meta[graph.META_QUEUE_HEAD] + tree.meta[graph.META_QUEUE_LENGTH]
            tree.queue[end % len(tree.queue)] = parent
            tree.meta[graph.META_QUEUE_LENGTH] += 1
        edge = tree.edges[edge, graph.EDGE_NEXT_PARENT]
