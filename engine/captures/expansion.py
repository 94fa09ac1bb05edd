"""Growth of a capture's graph: the root, and the moves of a leaf.

Source: Stern, Herbrich & Graepel (2007), Algorithm 3 and section 4.1. A move is an edge with a
belief, from the patterns around it, and becomes a node when a descent follows it.

# Deviates: the paper puts all children into the tree (scripts/reproduce does). Here a move that
decides its node is the last, and the others wait.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import ROOT
from engine.captures.goals import (
    EVERYBODY,
    MAX_LIMIT,
    META_GOAL,
    META_LIMIT,
    META_WIDE,
    list_candidates,
    play_goal_move,
    value_of,
)
from engine.captures.priors import SolverPriors, leaf_log_odds
from engine.captures.zones import attack_zone
from engine.go.board import BOARD_CELLS, COLOR, EMPTY, KO, KO_COLOR, Board, copy_into
from engine.go.geometry import AREA, PASS
from engine.go.zobrist import hash_position, zobrist_keys
from engine.jit import kernel
from engine.proof import graph
from engine.proof.beliefs import guess_edge, set_even, take_guess
from engine.proof.descent import MOST_PLIES
from engine.proof.graph import DEFENDER_MOVES, FALSE, NONE, TRUE, UNKNOWN, ProofTree


class Scratch(NamedTuple):
    """Working space of one search, allocated once a reader; contents mean nothing between calls."""

    boards: npt.NDArray[np.uint16]  # (3, BOARD_CELLS)
    path: npt.NDArray[np.int64]  # (MOST_PLIES,) nodes from a leaf to the root
    moves: npt.NDArray[np.int64]  # (AREA,) candidates
    liberties: npt.NDArray[np.int64]  # (MAX_LIMIT,)
    marks: npt.NDArray[np.uint8]  # (AREA,)
    zone: npt.NDArray[np.uint8]  # (ZONE_BYTES,)
    zobrist: npt.NDArray[np.uint64]  # (3 * AREA,)


def new_scratch() -> Scratch:
    """Return fresh working space."""
    return Scratch(
        boards=np.zeros((3, BOARD_CELLS), np.uint16),
        path=np.zeros(MOST_PLIES, np.int64),
        moves=np.zeros(AREA, np.int64),
        liberties=np.zeros(MAX_LIMIT, np.int64),
        marks=np.zeros(AREA, np.uint8),
        zone=np.zeros(graph.ZONE_BYTES, np.uint8),
        zobrist=zobrist_keys(),
    )


@kernel
def rebuild(tree: ProofTree, node: int, board: Board, scratch: Scratch) -> bool:
    """Play the moves that first led to a node on a board; return whether there was room for all."""
    length = 0
    while node != ROOT:
        # Kos can make lines arbitrarily long.
        if length == len(scratch.path):
            return False
        scratch.path[length] = node
        length += 1
        node = np.int64(tree.nodes[node, graph.NODE_BIRTH])
    tree.meta[graph.META_DEPTH] = length
    copy_into(tree.root, board)
    obeys = tree.meta[graph.META_OBEYS_BAN]
    for i in range(length - 1, -1, -1):
        child = scratch.path[i]
        mover = 3 - graph.to_move(tree, child)
        play_goal_move(
            board, np.int64(tree.nodes[child, graph.NODE_MOVE]), mover, obeys, scratch.zobrist
        )
    return True


@kernel
def judge(tree: ProofTree, scratch: Scratch, node: int, board: Board) -> None:
    """Give a new node its value, a zone if it is TRUE already, and an even belief (Algorithm 3)."""
    goal, attacks = tree.meta[META_GOAL], tree.flags[node] & DEFENDER_MOVES == 0
    value, _ = value_of(board, goal, tree.meta[META_LIMIT], attacks, scratch.liberties)
    tree.values[node] = value
    if value == TRUE and board[COLOR + goal] != EMPTY:
        # In atari: its capture is the proof.
        zone = tree.zones[node]
        attack_zone(board, goal, scratch.liberties[0], True, board, zone, zone)
    set_even(tree, node)


@kernel
def try_move(tree: ProofTree, scratch: Scratch, board: Board, move: int, mover: int) -> np.uint64:
    """Play a move on ``scratch.boards[1]``; return the keys of all stones that changed."""
    after = scratch.boards[1]
    copy_into(board, after)
    change = play_goal_move(after, move, mover, EVERYBODY, scratch.zobrist)
    if after[KO] != 0:
        tree.meta[graph.META_KO_USED] = 1
        # A ko on the way means that a second search is needed, in which the other side obeys.
        if after[KO_COLOR] != tree.meta[graph.META_OBEYS_BAN]:
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
    # The key is the parent's with every change: stones, turn, the new ban in, the old ban out.
    key = tree.keys[node] ^ graph.node_key(change, True, ko, scratch.zobrist)
    if banned != 0:
        key ^= scratch.zobrist[banned]
    cell = graph.cell_of(tree, key)
    # Reached before on another way: values do not depend on the way, so the node is shared.
    if tree.cells[cell] != 0:
        return np.int64(tree.cells[cell]) - 1
    child = graph.add_node(tree, key, cell, node, move)
    judge(tree, scratch, child, after)
    return child


@kernel
def offer_move(
    tree: ProofTree,
    scratch: Scratch,
    priors: SolverPriors,
    node: int,
    board: Board,
    move: int,
    is_kept: bool,
) -> int:
    """Add a move of a node as an edge that waits; return the value of its position (Algorithm 3).

    A move with a decided result becomes a child at once when it decides the node, or is to be kept.
    Other decided moves are not added, since they change nothing.
    """
    mover = graph.to_move(tree, node)
    attacks = mover == tree.meta[graph.META_ATTACKER]
    limit = tree.meta[META_LIMIT]
    change = try_move(tree, scratch, board, move, mover)
    after = scratch.boards[1]
    value, liberties = value_of(after, tree.meta[META_GOAL], limit, not attacks, scratch.liberties)
    # In the common case no node is made: most moves are never followed.
    if value == UNKNOWN:
        edge = tree.meta[graph.META_EDGES]
        graph.add_edge(tree, node, NONE, move)
        log_odds = leaf_log_odds(
            priors, board, after, tree.meta[META_GOAL], move, not attacks, liberties, limit
        )
        guess_edge(tree, edge, log_odds)
    elif value == (TRUE if attacks else FALSE) or is_kept:
        graph.add_edge(tree, node, find_child(tree, scratch, node, board, move, change), move)
    return value


@kernel
def follow_edge(tree: ProofTree, scratch: Scratch, node: int, edge: int, board: Board) -> int:
    """Turn an edge's move into a node, on ``scratch.boards[1]``; return it (section 4.1)."""
    move = np.int64(tree.edges[edge, graph.EDGE_MOVE])
    change = try_move(tree, scratch, board, move, graph.to_move(tree, node))
    count = tree.meta[graph.META_NODES]
    child = find_child(tree, scratch, node, board, move, change)
    # Only a new node takes the guess; a node that was reached before has a better belief.
    if child == count and tree.values[child] == UNKNOWN:
        take_guess(tree, child, edge)
    graph.link_child(tree, edge, child)
    return child


@kernel
def set_up(tree: ProofTree, scratch: Scratch, defender_moves: bool) -> None:
    """Make the root node from ``tree.root`` and the goal in ``tree.meta``."""
    graph.clear(tree)
    board = tree.root
    position = hash_position(board, scratch.zobrist)
    key = graph.node_key(position, defender_moves, np.int64(board[KO]), scratch.zobrist)
    node = graph.add_node(tree, key, graph.cell_of(tree, key), NONE, PASS)
    tree.flags[node] = DEFENDER_MOVES if defender_moves else 0
    judge(tree, scratch, node, board)


@kernel
def develop(
    tree: ProofTree, scratch: Scratch, priors: SolverPriors, node: int, board: Board
) -> None:
    """Add the moves of a leaf; a move that decides it at once is the last (Algorithm 3)."""
    goal = tree.meta[META_GOAL]
    tree.flags[node] |= graph.EXPANDED
    tree.meta[graph.META_EXPANSIONS] += 1
    defends = tree.flags[node] & DEFENDER_MOVES != 0
    deciding = FALSE if defends else TRUE
    wide = tree.meta[META_WIDE]
    count = list_candidates(board, goal, defends, wide, scratch.marks, scratch.moves)
    # -1 is the pass. The attacker may not pass; for the defender the pass must be the first child.
    for i in range(-1 if defends else 0, count):
        move = scratch.moves[i] if i >= 0 else PASS
        # The pass is added whatever its value: its refutation narrows the other replies. The
        # siblings of a deciding move would never be visited.
        if offer_move(tree, scratch, priors, node, board, move, i < 0) == deciding:
            break
