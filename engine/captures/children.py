"""Moves in the graph: played at once, or kept as edges until the search follows them.

Without knowledge all moves of a developed node become nodes, as in Algorithm 3. With learned
priors a move is worth what the patterns around it say (Stern, Herbrich & Graepel 2007, section
4.1), which is known before its position is: so it stays an edge with a belief, and becomes a node
when a descent follows it. Most moves never do.
# Deviates: the paper puts all children into the tree.
"""

import math

import numpy as np

from engine.captures.goals import EVERYBODY, FALSE, TRUE, UNKNOWN, play_goal_move, value_of
from engine.captures.priors import SolverPriors, leaf_log_odds
from engine.captures.scratch import Scratch
from engine.captures.zones import first_legal_zone
from engine.go.board import COLOR, EMPTY, KO, KO_COLOR, Board, copy_into
from engine.go.geometry import PASS
from engine.jit import kernel
from engine.proof.graph import (
    BELIEF_COLUMNS,
    BELIEF_DISPROOF_NUMBER,
    BELIEF_LOG_ODDS,
    BELIEF_PROOF_NUMBER,
    BELIEF_TAIL,
    BY_PROBABILITY,
    DEFENDER_MOVES,
    EDGE_MOVE,
    EDGE_NEXT_CHILD,
    GRAPH_ATTACKER,
    GRAPH_DEPTH,
    GRAPH_EDGES,
    GRAPH_GOAL,
    GRAPH_KO_USED,
    GRAPH_LIMIT,
    GRAPH_METHOD,
    GRAPH_NODES,
    GRAPH_OBEYS_BAN,
    NODE_FIRST_CHILD,
    NONE,
    ProofTree,
    add_edge,
    add_node,
    cell_of,
    link_child,
    node_key,
    to_move,
)
from engine.proof.propagation import set_belief

# Tuned on a quarter of the training problems, with priors learned from the others.
TRUST = 0.7  # c in guess_edge
DEPTH_PENALTY = 0.2  # log-odds for each move from the root
LEAST_NUMBER = 0.1  # a first proof or disproof number is never smaller


@kernel
def judge(tree: ProofTree, scratch: Scratch, node: int, board: Board, defender_moves: bool) -> None:
    """Give a new node its value, its zone if it is TRUE already, and an even belief."""
    goal = tree.meta[GRAPH_GOAL]
    if defender_moves:
        tree.flags[node] = DEFENDER_MOVES
    value, _ = value_of(board, goal, tree.meta[GRAPH_LIMIT], not defender_moves, scratch.liberties)
    tree.values[node] = value
    if value == TRUE and board[COLOR + goal] != EMPTY:
        first_legal_zone(board, goal, scratch.liberties, tree.zones[node])
    if tree.meta[GRAPH_METHOD] == BY_PROBABILITY:
        set_belief(tree, node, 0.0)
    else:
        tree.beliefs[node, BELIEF_PROOF_NUMBER] = 1.0
        tree.beliefs[node, BELIEF_DISPROOF_NUMBER] = 1.0


@kernel
def try_move(tree: ProofTree, scratch: Scratch, board: Board, move: int, mover: int) -> np.uint64:
    """Play a move on ``scratch.boards[1]``; return the keys of the stones that came or went.

    board  uint16[BOARD_CELLS], the position before; it stays
    """
    after = scratch.boards[1]
    copy_into(board, after)
    change = play_goal_move(after, move, mover, EVERYBODY, scratch.zobrist)
    if after[KO] != 0:
        tree.meta[GRAPH_KO_USED] = 1
        # The ban is seen before it is lifted: that a ko was there decides whether a second search
        # with the other side obeying is needed.
        if after[KO_COLOR] != tree.meta[GRAPH_OBEYS_BAN]:
            after[KO] = 0
    return change


@kernel
def find_child(
    tree: ProofTree, scratch: Scratch, node: int, board: Board, move: int, change: np.uint64
) -> int:
    """Return the node of the position on ``scratch.boards[1]``; a new one is judged."""
    after = scratch.boards[1]
    ko = np.int64(after[KO])
    banned = np.int64(board[KO])
    # From the parent's key by what changed: stones, turn, the new ban in and the old one out.
    key = tree.keys[node] ^ node_key(change, True, ko, scratch.zobrist)
    if banned != 0:
        key ^= scratch.zobrist[banned]
    cell = cell_of(tree, key)
    # Reached before on another way: values do not depend on the way, so it is shared (``tree``).
    if tree.cells[cell] != 0:
        return np.int64(tree.cells[cell]) - 1
    child = add_node(tree, key, cell, node, move)
    judge(tree, scratch, child, after, to_move(tree, node) == tree.meta[GRAPH_ATTACKER])
    return child


@kernel
def add_child(tree: ProofTree, scratch: Scratch, node: int, board: Board, move: int) -> int:
    """Add one move of a node to the graph and return the child; new positions are judged.

    board  uint16[BOARD_CELLS], the node's position, the same after as before
    """
    change = try_move(tree, scratch, board, move, to_move(tree, node))
    child = find_child(tree, scratch, node, board, move, change)
    add_edge(tree, node, child, move)
    return child


@kernel
def guess_edge(tree: ProofTree, edge: int, log_odds: float) -> None:
    """Write the belief about a move that was not played yet.

    With the log-odds L of its pattern, probability propagation starts with c L less a penalty for
    its depth, proof-number search with exp(-c L) and exp(c L): an even leaf counts one.
    # Deviates: the paper has L. But siblings are not independent, so L claims too much, and the
    # propagation rules know no cost, so that without a penalty the search dives.
    """
    if tree.meta[GRAPH_METHOD] == BY_PROBABILITY:
        log_odds = TRUST * log_odds - DEPTH_PENALTY * tree.meta[GRAPH_DEPTH]
        tree.guesses[edge, BELIEF_LOG_ODDS] = log_odds
        # Here once, instead of at every update of the parent.
        tree.guesses[edge, BELIEF_TAIL] = math.log1p(math.exp(-abs(log_odds)))
        return
    # An even leaf counts one, as in proof-number search without knowledge.
    number = math.exp(-TRUST * log_odds)
    tree.guesses[edge, BELIEF_PROOF_NUMBER] = max(number, LEAST_NUMBER)
    tree.guesses[edge, BELIEF_DISPROOF_NUMBER] = max(1.0 / number, LEAST_NUMBER)


@kernel
def offer_move(
    tree: ProofTree, scratch: Scratch, priors: SolverPriors, node: int, board: Board, move: int
) -> int:
    """Add one move of a node to the graph as an edge that waits to be followed.

    A move whose result is plain becomes a child at once when it decides the node, or is a pass;
    others that are decided are not added, since they change nothing.
    board    uint16[BOARD_CELLS], the node's position
    returns  int64, the value of the position after the move
    """
    mover = to_move(tree, node)
    attacks = mover == tree.meta[GRAPH_ATTACKER]
    limit = tree.meta[GRAPH_LIMIT]
    change = try_move(tree, scratch, board, move, mover)
    after = scratch.boards[1]
    value, liberties = value_of(after, tree.meta[GRAPH_GOAL], limit, not attacks, scratch.liberties)
    # The common case makes no node: with learned priors most moves are never followed.
    if value == UNKNOWN:
        edge = tree.meta[GRAPH_EDGES]
        add_edge(tree, node, NONE, move)
        log_odds = leaf_log_odds(
            priors, board, after, tree.meta[GRAPH_GOAL], move, not attacks, liberties, limit
        )
        guess_edge(tree, edge, log_odds)
    # The pass is added whatever it is worth: its refutation is what narrows the other replies.
    elif value == (TRUE if attacks else FALSE) or move == PASS:
        add_edge(tree, node, find_child(tree, scratch, node, board, move, change), move)
    return value


@kernel
def follow_edge(tree: ProofTree, scratch: Scratch, node: int, edge: int, board: Board) -> int:
    """Make a node of what a move leads to, and return it; it is on ``scratch.boards[1]``.

    board  uint16[BOARD_CELLS], the node's position
    """
    move = np.int64(tree.edges[edge, EDGE_MOVE])
    change = try_move(tree, scratch, board, move, to_move(tree, node))
    count = tree.meta[GRAPH_NODES]
    child = find_child(tree, scratch, node, board, move, change)
    # Only a new node takes the guess; one that was reached before knows better.
    if child == count and tree.values[child] == UNKNOWN:
        for column in range(BELIEF_COLUMNS):
            tree.beliefs[child, column] = tree.guesses[edge, column]
    link_child(tree, edge, child)
    return child


@kernel
def has_child(tree: ProofTree, node: int, move: int) -> bool:
    """Return whether a move of a node is in the graph."""
    edge = tree.nodes[node, NODE_FIRST_CHILD]
    while edge != NONE:
        if tree.edges[edge, EDGE_MOVE] == move:
            return True
        edge = tree.edges[edge, EDGE_NEXT_CHILD]
    return False
