"""Completion of a capture's proofs: by an attack, or by all replies that could disturb a proof.

A defender's node becomes TRUE only after every reply was tried that could disturb the proof against
a pass (``zones``).
"""

import numpy as np

from engine.captures.expansion import add_child, offer_move, rebuild
from engine.captures.goals import EVERYBODY, GRAPH_GOAL, GRAPH_LAZY, NARROWED, Zone, play_goal_move
from engine.captures.priors import SolverPriors
from engine.captures.scratch import Scratch
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
from engine.proof.graph import (
    DROPPED,
    EDGE_CHILD,
    EDGE_MOVE,
    EDGE_NEXT_CHILD,
    GRAPH_ATTACKER,
    NODE_FIRST_CHILD,
    NODE_PROOF,
    NONE,
    TRUE,
    ZONE_BYTES,
    ProofTree,
    has_child,
    is_open,
)


@kernel
def add_reply(
    tree: ProofTree, scratch: Scratch, priors: SolverPriors, node: int, board: Board, move: int
) -> bool:
    """Add a missing reply of a proof; return whether it is TRUE already."""
    # A lazy graph may find at once that the reply is TRUE; otherwise the reply waits as an edge.
    if tree.meta[GRAPH_LAZY] != 0 and (
        offer_move(tree, scratch, priors, node, board, move) != TRUE
    ):
        return False
    return tree.values[add_child(tree, scratch, node, board, move)] == TRUE


@kernel
def drop_replies(tree: ProofTree, node: int, zone: Zone) -> bool:
    """Drop the open replies outside a zone for good; return whether no reply inside is open."""
    none_open = True
    edge = np.int64(tree.nodes[node, NODE_FIRST_CHILD])
    while edge != NONE:
        if is_open(tree, edge):
            if has_point(zone, np.int64(tree.edges[edge, EDGE_MOVE])):
                none_open = False
            else:
                # Dropped for good: a reply outside the zone cannot disturb the proof.
                tree.edges[edge, EDGE_CHILD] = DROPPED
        edge = np.int64(tree.edges[edge, EDGE_NEXT_CHILD])
    return none_open


@kernel
def complete_replies(
    tree: ProofTree, scratch: Scratch, priors: SolverPriors, node: int, board: Board
) -> None:
    """Decide a defender's node whose pass is refuted, or reduce its replies to the relevant ones.

    The first child is the pass. Every point of its sealed zone is a reply that must be tried
    (``zones``). Missing replies are added, and the node is TRUE when none is open. In a lazy graph,
    open replies outside the zone are dropped.
    """
    goal = tree.meta[GRAPH_GOAL]
    attacker = tree.meta[GRAPH_ATTACKER]
    zone = tree.zones[node]
    passed = np.int64(tree.nodes[node, NODE_FIRST_CHILD])
    # First the proof's own needs, then those of the proof after the pass, then their liberties.
    begin_zone(board, goal, zone)
    add_zone(zone, tree.zones[tree.edges[passed, EDGE_CHILD]])
    seal(board, attacker, goal, zone)
    for i in range(ZONE_BYTES):
        # Suicide conditions grow the node's own zone below. The required replies come from the zone
        # of the pass.
        scratch.zone[i] = zone[i]
    complete = True
    if tree.meta[GRAPH_LAZY] != 0:
        tree.flags[node] |= NARROWED
        complete = drop_replies(tree, node, scratch.zone)
    for byte in range(ZONE_BYTES):
        if scratch.zone[byte] == 0:
            continue
        for bit in range(8):
            point = 8 * byte + bit
            if (scratch.zone[byte] >> bit) & 1 == 0 or board[COLOR + point] != EMPTY:
                continue
            # Illegal now, and it must stay illegal: the points that make it suicide belong to the
            # zone.
            if not is_legal(board, point, 3 - attacker):
                add_suicide(board, point, attacker, goal, zone)
            elif not has_child(tree, node, point):
                complete &= add_reply(tree, scratch, priors, node, board, point)
    if complete:
        prove_defense(tree, node, board)


@kernel
def prove_defense(tree: ProofTree, node: int, board: Board) -> None:
    """Make a defender's node TRUE by all its replies; its zone already holds that of the pass."""
    attacker = tree.meta[GRAPH_ATTACKER]
    zone = tree.zones[node]
    edge = np.int64(tree.nodes[node, NODE_FIRST_CHILD])
    tree.values[node] = TRUE
    tree.nodes[node, NODE_PROOF] = edge
    while edge != NONE:
        move = np.int64(tree.edges[edge, EDGE_MOVE])
        child = np.int64(tree.edges[edge, EDGE_CHILD])
        # Dropped replies lie outside the zone, so the refutation of the pass answers them.
        if child != DROPPED:
            add_zone(zone, tree.zones[child])
            if move != PASS:
                add_captures(board, move, 3 - attacker, False, zone)
        edge = np.int64(tree.edges[edge, EDGE_NEXT_CHILD])
    seal(board, attacker, tree.meta[GRAPH_GOAL], zone)


@kernel
def prove_attack(tree: ProofTree, scratch: Scratch, node: int, edge: int) -> None:
    """Make an attacker's node TRUE by one of its edges, with the zone of that proof."""
    board = scratch.boards[0]
    after = scratch.boards[2]
    rebuild(tree, node, board, scratch)
    copy_into(board, after)
    move = np.int64(tree.edges[edge, EDGE_MOVE])
    # Only stones matter to a zone, so it does not matter which ban is in force.
    play_goal_move(after, move, tree.meta[GRAPH_ATTACKER], EVERYBODY, scratch.zobrist)
    child = tree.edges[edge, EDGE_CHILD]
    attack_zone(board, tree.meta[GRAPH_GOAL], move, after, tree.zones[child], tree.zones[node])
    tree.values[node] = TRUE
    tree.nodes[node, NODE_PROOF] = edge
