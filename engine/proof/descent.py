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

from engine.captures.children import follow_edge
from engine.captures.expansion import complete_replies, develop, prove_attack
from engine.captures.goals import (
    FALSE,
    TRUE,
    UNKNOWN,
)
from engine.captures.priors import SolverPriors
from engine.captures.scratch import Scratch
from engine.go.board import BLACK, WHITE, copy_into
from engine.jit import kernel
from engine.proof.graph import (
    BELIEF_DISPROOF_NUMBER,
    BELIEF_LOG_ODDS,
    BELIEF_PROOF_NUMBER,
    BY_PROBABILITY,
    DEFENDER_MOVES,
    EDGE_CHILD,
    EDGE_NEXT_CHILD,
    EDGE_NEXT_PARENT,
    EDGE_PARENT,
    EXPANDED,
    GRAPH_ATTACKER,
    GRAPH_DEPTH,
    GRAPH_KO_USED,
    GRAPH_LAZY,
    GRAPH_LIFE,
    GRAPH_METHOD,
    GRAPH_NODES,
    GRAPH_OBEYS_BAN,
    GRAPH_ROUND,
    NARROWED,
    NODE_FIRST_CHILD,
    NODE_FIRST_PARENT,
    NODE_PROOF,
    NONE,
    ROOT,
    SEEN_ON_PATH,
    SEEN_QUEUED,
    SEEN_VISITS,
    ProofTree,
    edge_belief,
    has_room,
    is_open,
    rebuild,
    to_move,
)
from engine.proof.proof_numbers import propagate_numbers
from engine.proof.propagation import propagate_probability, set_belief

# Without it every change would go to the root, through all parents.
LEAST_CHANGE = 1e-3  # relative change of log-odds that parents need not hear of
# The same of proof and disproof numbers in fights over life, where shared positions have so many
# ancestors that telling them took most of the time.
LEAST_CHANGE_IN_FIGHT = 0.05

SOLVED, SPENT, FULL, PAUSED = 0, 1, 2, 3  # why ``search`` returned
_MOST_VISITS = 8  # of one node in one update; more only happen in circles


@kernel
def look_at_children(tree: ProofTree, node: int) -> tuple[int, int]:
    """Return (the first edge to a child that decides the node or NONE, number of open children)."""
    deciding = FALSE if tree.flags[node] & DEFENDER_MOVES else TRUE
    undecided = 0
    edge = np.int64(tree.nodes[node, NODE_FIRST_CHILD])
    while edge != NONE:
        child = tree.edges[edge, EDGE_CHILD]
        # One child decides: TRUE for the attacker, FALSE for the defender.
        if child >= 0 and tree.values[child] == deciding:
            return edge, undecided
        undecided += is_open(tree, edge)
        edge = np.int64(tree.edges[edge, EDGE_NEXT_CHILD])
    return NONE, undecided


@kernel
def can_narrow(tree: ProofTree, node: int) -> bool:
    """Return whether the pass is refuted, so that only replies in that proof's zone matter."""
    first = tree.nodes[node, NODE_FIRST_CHILD]
    if tree.meta[GRAPH_LAZY] == 0 or tree.flags[node] & NARROWED or first == NONE:
        return False
    passed = tree.edges[first, EDGE_CHILD]
    return passed >= 0 and tree.values[passed] == TRUE


@kernel
def settle(tree: ProofTree, scratch: Scratch, priors: SolverPriors, node: int) -> bool:
    """Recompute an undecided node from its children; return whether its parents must hear of it."""
    is_and = tree.flags[node] & DEFENDER_MOVES != 0
    edge, undecided = look_at_children(tree, node)
    # In a fight over life all moves were listed, so a proof needs no zone.
    if tree.meta[GRAPH_LIFE] != 0:
        if edge == NONE and undecided > 0:
            return settle_belief(tree, node)
        tree.values[node] = TRUE if (edge != NONE) != is_and else FALSE
        tree.nodes[node, NODE_PROOF] = edge
        return True
    # Before it is called TRUE: the list of defenses was never complete (``goals``).
    if is_and and edge == NONE and (undecided == 0 or can_narrow(tree, node)):
        if not has_room(tree):
            return False
        board = scratch.boards[0]
        rebuild(tree, node, board, scratch)
        complete_replies(tree, scratch, priors, node, board)
        # Missing replies were TRUE too, or none was missing.
        if tree.values[node] == TRUE:
            return True
        edge, undecided = look_at_children(tree, node)
    if edge != NONE and not is_and:
        prove_attack(tree, scratch, node, edge)
        return True
    if edge != NONE or undecided == 0:
        tree.values[node] = FALSE
        tree.nodes[node, NODE_PROOF] = edge
        return True
    return settle_belief(tree, node)


@kernel
def settle_belief(tree: ProofTree, node: int) -> bool:
    """Recompute the belief about an undecided node; return whether it changed noticeably."""
    if tree.meta[GRAPH_METHOD] == BY_PROBABILITY:
        before = tree.beliefs[node, BELIEF_LOG_ODDS]
        log_odds = propagate_probability(tree, node)
        if abs(log_odds - before) <= LEAST_CHANGE * (1.0 + abs(before)):
            return False
        set_belief(tree, node, log_odds)
        return True
    proof, disproof = propagate_numbers(tree, node)
    least = LEAST_CHANGE_IN_FIGHT if tree.meta[GRAPH_LIFE] != 0 else 0.0
    before = tree.beliefs[node, BELIEF_PROOF_NUMBER], tree.beliefs[node, BELIEF_DISPROOF_NUMBER]
    changed = (
        abs(proof - before[0]) > least * before[0] or abs(disproof - before[1]) > least * before[1]
    )
    # What parents have not heard of adds up, until it is worth telling.
    if not changed:
        return False
    tree.beliefs[node, BELIEF_PROOF_NUMBER] = proof
    tree.beliefs[node, BELIEF_DISPROOF_NUMBER] = disproof
    return True


@kernel
def update(tree: ProofTree, scratch: Scratch, priors: SolverPriors, leaf: int) -> None:
    """Settle a developed leaf and everything above it that changes (Algorithm 2, all parents)."""
    # A node is in the queue once at most, so a ring of as many cells as nodes never overflows.
    capacity = len(tree.queue)
    visits_base = tree.meta[GRAPH_ROUND] * _MOST_VISITS
    head = 0
    length = 1
    tree.queue[0] = leaf
    tree.seen[leaf, SEEN_QUEUED] = 1
    while length > 0:
        node = np.int64(tree.queue[head])
        head = (head + 1) % capacity
        length -= 1
        tree.seen[node, SEEN_QUEUED] = 0
        if tree.values[node] != UNKNOWN or not settle(tree, scratch, priors, node):
            continue
        # A value is final and reaches all parents once; only beliefs can go round in circles.
        if tree.values[node] == UNKNOWN:
            visits = max(np.int64(tree.seen[node, SEEN_VISITS]), visits_base) + 1
            # Beliefs in a circle feed each other without end; the next update goes on.
            if visits >= visits_base + _MOST_VISITS:
                continue
            tree.seen[node, SEEN_VISITS] = visits
        edge = tree.nodes[node, NODE_FIRST_PARENT]
        while edge != NONE:
            parent = tree.edges[edge, EDGE_PARENT]
            if tree.seen[parent, SEEN_QUEUED] == 0 and tree.values[parent] == UNKNOWN:
                tree.seen[parent, SEEN_QUEUED] = 1
                tree.queue[(head + length) % capacity] = parent
                length += 1
            edge = tree.edges[edge, EDGE_NEXT_PARENT]


@kernel
def best_edge(tree: ProofTree, node: int) -> int:
    """Return the edge to follow: to the best open child this descent has not met yet, or NONE.

    The attacker follows the most probable child, the defender the least probable one; with proof
    numbers, the smallest proof or disproof number. The first generated wins a tie.
    """
    is_and = tree.flags[node] & DEFENDER_MOVES != 0
    by_probability = tree.meta[GRAPH_METHOD] == BY_PROBABILITY
    best = np.int64(NONE)
    least = np.inf
    edge = np.int64(tree.nodes[node, NODE_FIRST_CHILD])
    while edge != NONE:
        child = tree.edges[edge, EDGE_CHILD]
        if is_open(tree, edge) and (
            # A descent never enters its own path, nor what it has left as a dead end.
            child < 0 or tree.seen[child, SEEN_ON_PATH] != tree.meta[GRAPH_ROUND]
        ):
            if by_probability:
                cost = edge_belief(tree, edge, BELIEF_LOG_ODDS) * (1.0 if is_and else -1.0)
            else:
                cost = edge_belief(
                    tree, edge, BELIEF_DISPROOF_NUMBER if is_and else BELIEF_PROOF_NUMBER
                )
            # Strictly: of equals the first generated, so that node counts can be reproduced.
            if cost < least:
                least = cost
                best = edge
        edge = np.int64(tree.edges[edge, EDGE_NEXT_CHILD])
    return best


@kernel
def find_best_leaf(tree: ProofTree, scratch: Scratch) -> tuple[int, int]:
    """Return (node, edge) at the end of the path of best play; (NONE, NONE): nothing to be reached.

    The node is a leaf and the edge NONE, or the edge is a move of the node not played yet. A node
    whose open children are all on the path, or were left as dead ends, is a dead end too.
    """
    tree.meta[GRAPH_ROUND] += 1
    current = tree.meta[GRAPH_ROUND]
    depth = 0
    scratch.path[0] = ROOT
    tree.seen[ROOT, SEEN_ON_PATH] = current
    while depth >= 0:
        node = scratch.path[depth]
        if tree.flags[node] & EXPANDED == 0:
            return node, np.int64(NONE)
        edge = best_edge(tree, node)
        # Back one step: the dead end is marked ON_PATH for this round, so it is not entered again.
        if edge == NONE or depth + 1 == len(scratch.path):
            depth -= 1
            continue
        child = np.int64(tree.edges[edge, EDGE_CHILD])
        if child == NONE:
            return node, edge
        tree.seen[child, SEEN_ON_PATH] = current
        depth += 1
        scratch.path[depth] = child
    return np.int64(NONE), np.int64(NONE)


@kernel
def next_leaf(tree: ProofTree, scratch: Scratch, max_nodes: int) -> tuple[int, int, int]:
    """Return (state, node, edge): PAUSED and where to go on, or why the search is at its end."""
    none = np.int64(NONE)
    if tree.values[ROOT] != UNKNOWN:
        return SOLVED, none, none
    if tree.meta[GRAPH_NODES] >= max_nodes:
        return SPENT, none, none
    if not has_room(tree):
        return FULL, none, none
    leaf, edge = find_best_leaf(tree, scratch)
    if leaf == NONE:
        # All that is left runs in circles: play without end counts against who obeys the ban, and
        # who moves first where both do.
        obeys = tree.meta[GRAPH_OBEYS_BAN]
        if obeys != BLACK and obeys != WHITE:
            obeys = to_move(tree, ROOT)
        attacker_obeys = obeys == tree.meta[GRAPH_ATTACKER]
        tree.values[ROOT] = FALSE if attacker_obeys else TRUE
        tree.meta[GRAPH_KO_USED] = 1
        return SOLVED, none, none
    return PAUSED, leaf, edge


@kernel
def search(
    tree: ProofTree, scratch: Scratch, priors: SolverPriors, max_nodes: int, expansions: int
) -> int:
    """Develop up to so many leaves (Algorithm 4).

    max_nodes  int64, stop when the graph has so many nodes
    returns    int64, SOLVED, SPENT (max_nodes reached), FULL (no room) or PAUSED
    """
    for _ in range(expansions):
        state, leaf, edge = next_leaf(tree, scratch, max_nodes)
        if state != PAUSED:
            return state
        board = scratch.boards[0]
        # Positions are not stored: a board is 11 KB, 60 times as much as a node.
        if not rebuild(tree, leaf, board, scratch):
            return FULL
        if edge != NONE:
            parent = leaf
            leaf = follow_edge(tree, scratch, parent, edge, board)
            # A transposition: the node is known, only this parent must hear of it.
            if tree.values[leaf] != UNKNOWN or tree.flags[leaf] & EXPANDED:
                update(tree, scratch, priors, parent)
                continue
            tree.meta[GRAPH_DEPTH] += 1
            copy_into(scratch.boards[1], board)
        develop(tree, scratch, priors, leaf, board)
        update(tree, scratch, priors, leaf)
    return SOLVED if tree.values[ROOT] != UNKNOWN else PAUSED
