"""The search for a capture: descend, develop the leaf, settle its changes (Algorithm 4).

A node of the attacker is TRUE by one attack. A node of the defender becomes TRUE only after every
reply was tried that could disturb the proof against a pass (``zones``).
"""

import numpy as np

from engine.arrays import ROOT
from engine.captures.expansion import Scratch, develop, follow_edge, offer_move, rebuild
from engine.captures.goals import EVERYBODY, META_GOAL, NARROWED, Zone, play_goal_move
from engine.captures.priors import SolverPriors
from engine.captures.zones import (
    add_captures,
    add_suicide,
    add_zone,
    attack_zone,
    begin_zone,
    has_point,
    seal,
)
from engine.go.board import COLOR, EMPTY, Board, copy_into, is_legal
from engine.go.geometry import PASS
from engine.jit import kernel
from engine.proof import graph
from engine.proof.beliefs import ALL_OTHERS
from engine.proof.descent import (
    FULL,
    PAUSED,
    SOLVED,
    begin_update,
    look_at_children,
    next_leaf,
    next_to_settle,
    settle_belief,
    tell_parents,
)
from engine.proof.graph import DEFENDER_MOVES, FALSE, NONE, TRUE, UNKNOWN, ProofTree


@kernel
def drop_replies(tree: ProofTree, node: int, zone: Zone) -> bool:
    """Drop the open replies outside a zone for good; return whether no reply inside is open."""
    none_open = True
    edge = np.int64(tree.nodes[node, graph.NODE_FIRST_CHILD])
    while edge != NONE:
        if graph.is_open(tree, edge):
            if has_point(zone, np.int64(tree.edges[edge, graph.EDGE_MOVE])):
                none_open = False
            else:
                tree.edges[edge, graph.EDGE_CHILD] = graph.DROPPED
        edge = np.int64(tree.edges[edge, graph.EDGE_NEXT_CHILD])
    return none_open


@kernel
def complete_replies(
    tree: ProofTree, scratch: Scratch, priors: SolverPriors, node: int, board: Board
) -> None:
    """Decide a defender's node whose pass is refuted, or reduce its replies (Algorithm 3).

    Every point of the sealed zone of the pass, its first child, is a reply that must be tried.
    Missing replies are added, those outside dropped; the node is TRUE when none is open.
    """
    goal = tree.meta[META_GOAL]
    attacker = tree.meta[graph.META_ATTACKER]
    zone = tree.zones[node]
    passed = np.int64(tree.nodes[node, graph.NODE_FIRST_CHILD])
    begin_zone(board, goal, zone)
    add_zone(zone, tree.zones[tree.edges[passed, graph.EDGE_CHILD]])
    seal(board, attacker, goal, zone)
    for i in range(graph.ZONE_BYTES):
        # A copy: suicide conditions grow the node's own zone below.
        scratch.zone[i] = zone[i]
    tree.flags[node] |= NARROWED
    complete = drop_replies(tree, node, scratch.zone)
    for byte in range(graph.ZONE_BYTES):
        if scratch.zone[byte] == 0:
            continue
        for bit in range(8):
            point = 8 * byte + bit
            if (scratch.zone[byte] >> bit) & 1 == 0 or board[COLOR + point] != EMPTY:
                continue
            # It must stay illegal: the points that make it suicide belong to the zone.
            if not is_legal(board, point, 3 - attacker):
                add_suicide(board, point, attacker, goal, zone)
            elif not graph.has_child(tree, node, point):
                # A reply that is TRUE already is listed, because the proof's zone needs it.
                value = offer_move(tree, scratch, priors, node, board, point, True)
                complete &= value == TRUE
    if complete:
        prove_defense(tree, node, board)


@kernel
def prove_defense(tree: ProofTree, node: int, board: Board) -> None:
    """Make a defender's node TRUE by all its replies; its zone already holds that of the pass."""
    attacker = tree.meta[graph.META_ATTACKER]
    zone = tree.zones[node]
    edge = np.int64(tree.nodes[node, graph.NODE_FIRST_CHILD])
    tree.values[node] = TRUE
    tree.nodes[node, graph.NODE_PROOF] = edge
    while edge != NONE:
        move = np.int64(tree.edges[edge, graph.EDGE_MOVE])
        child = np.int64(tree.edges[edge, graph.EDGE_CHILD])
        # Dropped replies lie outside the zone, so the refutation of the pass answers them.
        if child != graph.DROPPED:
            add_zone(zone, tree.zones[child])
            if move != PASS:
                add_captures(board, move, 3 - attacker, False, zone)
        edge = np.int64(tree.edges[edge, graph.EDGE_NEXT_CHILD])
    seal(board, attacker, tree.meta[META_GOAL], zone)


@kernel
def prove_attack(tree: ProofTree, scratch: Scratch, node: int, edge: int) -> None:
    """Make an attacker's node TRUE by one of its edges, with the zone of that proof."""
    board = scratch.boards[0]
    after = scratch.boards[2]
    rebuild(tree, node, board, scratch)
    copy_into(board, after)
    move = np.int64(tree.edges[edge, graph.EDGE_MOVE])
    # Only stones matter to a zone, so it does not matter which ban is in force.
    play_goal_move(after, move, tree.meta[graph.META_ATTACKER], EVERYBODY, scratch.zobrist)
    child = tree.edges[edge, graph.EDGE_CHILD]
    goal, zone = tree.meta[META_GOAL], tree.zones[node]
    captures = after[COLOR + goal] == EMPTY
    attack_zone(board, goal, move, captures, after, tree.zones[child], zone)
    tree.values[node] = TRUE
    tree.nodes[node, graph.NODE_PROOF] = edge


@kernel
def can_narrow(tree: ProofTree, node: int) -> bool:
    """Return whether the pass is refuted, so that only replies in that proof's zone matter."""
    first = tree.nodes[node, graph.NODE_FIRST_CHILD]
    if tree.flags[node] & NARROWED or first == NONE:
        return False
    passed = tree.edges[first, graph.EDGE_CHILD]
    return passed >= 0 and tree.values[passed] == TRUE


@kernel
def settle(tree: ProofTree, scratch: Scratch, priors: SolverPriors, node: int) -> bool:
    """Recompute an undecided node from its children; return whether it changed (Algorithm 2)."""
    is_and = tree.flags[node] & DEFENDER_MOVES != 0
    edge, undecided = look_at_children(tree, node)
    # This precedes the value TRUE, because the list of defenses is incomplete (``goals``).
    if is_and and edge == NONE and (undecided == 0 or can_narrow(tree, node)):
        if not graph.has_room(tree):
            return False
        board = scratch.boards[0]
        rebuild(tree, node, board, scratch)
        complete_replies(tree, scratch, priors, node, board)
        if tree.values[node] == TRUE:
            return True
        edge, undecided = look_at_children(tree, node)
    if edge != NONE and not is_and:
        prove_attack(tree, scratch, node, edge)
        return True
    if edge != NONE or undecided == 0:
        tree.values[node] = FALSE
        tree.nodes[node, graph.NODE_PROOF] = edge
        return True
    return settle_belief(tree, node, ALL_OTHERS, 0.0)


@kernel
def update(tree: ProofTree, scratch: Scratch, priors: SolverPriors, leaf: int) -> None:
    """Settle a developed leaf and everything above it that changes (Algorithm 2)."""
    begin_update(tree, leaf)
    while True:
        node = next_to_settle(tree)
        if node == NONE:
            return
        if settle(tree, scratch, priors, node):
            tell_parents(tree, node)


@kernel
def search(
    tree: ProofTree, scratch: Scratch, priors: SolverPriors, max_nodes: int, expansions: int
) -> int:
    """Develop at most ``expansions`` leaves (Algorithm 4); return SOLVED, SPENT, FULL or PAUSED."""
    for _ in range(expansions):
        state, leaf, edge = next_leaf(tree, scratch.path, max_nodes)
        if state != PAUSED:
            return state
        board = scratch.boards[0]
        # Positions are not stored: a board takes 11 KB, 60 times as much as a node.
        if not rebuild(tree, leaf, board, scratch):
            return FULL
        if edge != NONE:
            parent = leaf
            leaf = follow_edge(tree, scratch, parent, edge, board)
            # A transposition: the node is known, and only this parent must be told.
            if tree.values[leaf] != UNKNOWN or tree.flags[leaf] & graph.EXPANDED:
                update(tree, scratch, priors, parent)
                continue
            tree.meta[graph.META_DEPTH] += 1
            copy_into(scratch.boards[1], board)
        develop(tree, scratch, priors, leaf, board)
        update(tree, scratch, priors, leaf)
    return SOLVED if tree.values[ROOT] != UNKNOWN else PAUSED
