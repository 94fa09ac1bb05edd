"""Best-first search: find the most promising leaf, develop it, update beliefs (Algorithms 1-4).

Source: Stern, Herbrich & Graepel (2007), section 3. Probability propagation and proof-number
search share everything here but the number a node is judged by. ``# Deviates:`` the paper's
Algorithm 4 never ends on a disproof and its Algorithm 2 knows one parent; here a search ends on
both values, and all parents are updated because positions are shared.

Circles. A value comes from decided children only, so an open node whose lines all run in circles
stays open. A descent never enters its own path; if everything that can be reached without that is
decided or was tried, play can go on for ever, and the root counts against the side that obeys the
ko ban (``goals``).
"""

import numpy as np

from engine.go.board import copy_into
from engine.jit import kernel
from engine.tactics.children import follow_edge
from engine.tactics.expansion import complete_replies, develop, prove_attack
from engine.tactics.goals import (
    FALSE,
    TRUE,
    UNKNOWN,
)
from engine.tactics.priors import Knowledge
from engine.tactics.proof_numbers import propagate_numbers
from engine.tactics.propagation import believe, propagate_probability
from engine.tactics.tree import (
    ATTACKER,
    BY_PROBABILITY,
    CHILD,
    DEFENDER_MOVES,
    DEPTH,
    DISPROOF_NUMBER,
    EXPANDED,
    FIRST_CHILD,
    FIRST_PARENT,
    KO_USED,
    LAZY,
    LOG_ODDS,
    METHOD,
    NARROWED,
    NEXT_CHILD,
    NEXT_PARENT,
    NODES,
    NONE,
    OBEYS_BAN,
    PARENT,
    PROOF,
    PROOF_NUMBER,
    ROOT,
    ROUND,
    ProofTree,
    Scratch,
    belief_of,
    has_room,
    is_open,
    rebuild,
)

QUEUED, ON_PATH, VISITS = 0, 1, 2  # columns of ProofTree.seen
SETTLED = 1e-3  # relative change of log-odds that parents need not hear of

SOLVED, SPENT, FULL, PAUSED = 0, 1, 2, 3  # why ``search`` returned
_MOST_VISITS = 8  # of one node in one update; more only happen in circles


@kernel
def look_at_children(tree: ProofTree, node: int) -> tuple[int, int]:
    """Return (the first edge to a child that decides the node or NONE, number of open children)."""
    deciding = FALSE if tree.flags[node] & DEFENDER_MOVES else TRUE
    undecided = 0
    edge = np.int64(tree.nodes[node, FIRST_CHILD])
    while edge != NONE:
        child = tree.edges[edge, CHILD]
        if child >= 0 and tree.values[child] == deciding:
            return edge, undecided
        undecided += is_open(tree, edge)
        edge = np.int64(tree.edges[edge, NEXT_CHILD])
    return NONE, undecided


@kernel
def can_narrow(tree: ProofTree, node: int) -> bool:
    """Return whether the pass is refuted, so that only replies in that proof's zone matter."""
    first = tree.nodes[node, FIRST_CHILD]
    if tree.meta[LAZY] == 0 or tree.flags[node] & NARROWED or first == NONE:
        return False
    passed = tree.edges[first, CHILD]
    return passed >= 0 and tree.values[passed] == TRUE


@kernel
def settle(tree: ProofTree, scratch: Scratch, knowledge: Knowledge, node: int) -> bool:
    """Recompute an undecided node from its children; return whether its parents must hear of it."""
    is_and = tree.flags[node] & DEFENDER_MOVES != 0
    edge, undecided = look_at_children(tree, node)
    if is_and and edge == NONE and (undecided == 0 or can_narrow(tree, node)):
        if not has_room(tree):
            return False
        board = scratch.boards[0]
        rebuild(tree, node, board, scratch)
        complete_replies(tree, scratch, knowledge, node, board)
        if tree.values[node] == TRUE:
            return True
        edge, undecided = look_at_children(tree, node)
    if edge != NONE and not is_and:
        prove_attack(tree, scratch, node, edge)
        return True
    if edge != NONE or undecided == 0:
        tree.values[node] = FALSE
        tree.nodes[node, PROOF] = edge
        return True
    if tree.meta[METHOD] == BY_PROBABILITY:
        before = tree.beliefs[node, LOG_ODDS]
        log_odds = propagate_probability(tree, node)
        if abs(log_odds - before) <= SETTLED * (1.0 + abs(before)):
            return False
        believe(tree, node, log_odds)
        return True
    proof, disproof = propagate_numbers(tree, node)
    changed = (
        proof != tree.beliefs[node, PROOF_NUMBER] or disproof != tree.beliefs[node, DISPROOF_NUMBER]
    )
    tree.beliefs[node, PROOF_NUMBER] = proof
    tree.beliefs[node, DISPROOF_NUMBER] = disproof
    return changed


@kernel
def update(tree: ProofTree, scratch: Scratch, knowledge: Knowledge, leaf: int) -> None:
    """Settle a developed leaf and everything above it that changes (Algorithm 2, all parents)."""
    capacity = len(tree.queue)
    visits_base = tree.meta[ROUND] * _MOST_VISITS
    head = 0
    length = 1
    tree.queue[0] = leaf
    tree.seen[leaf, QUEUED] = 1
    while length > 0:
        node = np.int64(tree.queue[head])
        head = (head + 1) % capacity
        length -= 1
        tree.seen[node, QUEUED] = 0
        if tree.values[node] != UNKNOWN or not settle(tree, scratch, knowledge, node):
            continue
        if tree.values[node] == UNKNOWN:
            visits = max(np.int64(tree.seen[node, VISITS]), visits_base) + 1
            if visits >= visits_base + _MOST_VISITS:
                continue
            tree.seen[node, VISITS] = visits
        edge = tree.nodes[node, FIRST_PARENT]
        while edge != NONE:
            parent = tree.edges[edge, PARENT]
            if tree.seen[parent, QUEUED] == 0 and tree.values[parent] == UNKNOWN:
                tree.seen[parent, QUEUED] = 1
                tree.queue[(head + length) % capacity] = parent
                length += 1
            edge = tree.edges[edge, NEXT_PARENT]


@kernel
def best_edge(tree: ProofTree, node: int) -> int:
    """Return the edge to follow: to the best open child this descent has not met yet, or NONE.

    The attacker follows the most probable child, the defender the least probable one; with proof
    numbers, the smallest proof or disproof number. The first generated wins a tie.
    """
    is_and = tree.flags[node] & DEFENDER_MOVES != 0
    by_probability = tree.meta[METHOD] == BY_PROBABILITY
    best = np.int64(NONE)
    least = np.inf
    edge = np.int64(tree.nodes[node, FIRST_CHILD])
    while edge != NONE:
        child = tree.edges[edge, CHILD]
        if is_open(tree, edge) and (child < 0 or tree.seen[child, ON_PATH] != tree.meta[ROUND]):
            if by_probability:
                cost = belief_of(tree, edge, LOG_ODDS) * (1.0 if is_and else -1.0)
            else:
                cost = belief_of(tree, edge, DISPROOF_NUMBER if is_and else PROOF_NUMBER)
            if cost < least:
                least = cost
                best = edge
        edge = np.int64(tree.edges[edge, NEXT_CHILD])
    return best


@kernel
def find_best_leaf(tree: ProofTree, scratch: Scratch) -> tuple[int, int]:
    """Return (node, edge) at the end of the path of best play; (NONE, NONE): nothing to be reached.

    The node is a leaf and the edge NONE, or the edge is a move of the node not played yet. A node
    whose open children are all on the path, or were left as dead ends, is a dead end too.
    """
    tree.meta[ROUND] += 1
    current = tree.meta[ROUND]
    depth = 0
    scratch.path[0] = ROOT
    tree.seen[ROOT, ON_PATH] = current
    while depth >= 0:
        node = scratch.path[depth]
        if tree.flags[node] & EXPANDED == 0:
            return node, np.int64(NONE)
        edge = best_edge(tree, node)
        if edge == NONE or depth + 1 == len(scratch.path):
            depth -= 1
            continue
        child = np.int64(tree.edges[edge, CHILD])
        if child == NONE:
            return node, edge
        tree.seen[child, ON_PATH] = current
        depth += 1
        scratch.path[depth] = child
    return np.int64(NONE), np.int64(NONE)


@kernel
def search(
    tree: ProofTree, scratch: Scratch, knowledge: Knowledge, max_nodes: int, expansions: int
) -> int:
    """Develop up to so many leaves (Algorithm 4).

    max_nodes  int64, stop when the graph has so many nodes
    returns    int64, SOLVED, SPENT (max_nodes reached), FULL (no room) or PAUSED
    """
    for _ in range(expansions):
        if tree.values[ROOT] != UNKNOWN:
            return SOLVED
        if tree.meta[NODES] >= max_nodes:
            return SPENT
        if not has_room(tree):
            return FULL
        leaf, edge = find_best_leaf(tree, scratch)
        if leaf == NONE:
            attacker_obeys = tree.meta[OBEYS_BAN] == tree.meta[ATTACKER]
            tree.values[ROOT] = FALSE if attacker_obeys else TRUE
            tree.meta[KO_USED] = 1
            return SOLVED
        board = scratch.boards[0]
        if not rebuild(tree, leaf, board, scratch):
            return FULL
        if edge != NONE:
            parent = leaf
            leaf = follow_edge(tree, scratch, parent, edge, board)
            if tree.values[leaf] != UNKNOWN or tree.flags[leaf] & EXPANDED:
                update(tree, scratch, knowledge, parent)
                continue
            tree.meta[DEPTH] += 1
            copy_into(scratch.boards[1], board)
        develop(tree, scratch, knowledge, leaf, board)
        update(tree, scratch, knowledge, leaf)
    return SOLVED if tree.values[ROOT] != UNKNOWN else PAUSED
