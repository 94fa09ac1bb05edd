"""Growing the graph: the root, children and their first values, replies that a proof still lacks.

Source: Stern, Herbrich & Graepel (2007), Algorithm 3. A defender's node becomes TRUE only when
every reply that could disturb the proof against a pass was tried (``zones``).
"""

import numpy as np

from engine.go.board import COLOR, EMPTY, KO, KO_COLOR, Board, copy_into, is_legal
from engine.go.geometry import PASS
from engine.go.zobrist import hash_position
from engine.jit import kernel
from engine.tactics.goals import (
    EVERYBODY,
    FALSE,
    TRUE,
    UNKNOWN,
    list_attacks,
    list_defenses,
    play_goal_move,
    value_of,
)
from engine.tactics.priors import Knowledge, leaf_log_odds
from engine.tactics.propagation import believe
from engine.tactics.tree import (
    ATTACKER,
    BY_MOVE,
    BY_PROBABILITY,
    CHILD,
    DEFENDER_MOVES,
    DISPROOF_NUMBER,
    EXPANDED,
    EXPANSIONS,
    FIRST_CHILD,
    GOAL,
    KO_USED,
    LIMIT,
    METHOD,
    NEXT_CHILD,
    NONE,
    OBEYS_BAN,
    PROOF,
    PROOF_NUMBER,
    WIDTH,
    ProofTree,
    Scratch,
    add_edge,
    add_node,
    cell_of,
    clear,
    node_key,
    rebuild,
    to_move,
)
from engine.tactics.zones import (
    ZONE_BYTES,
    add_captures,
    add_suicide,
    add_zone,
    attack_zone,
    begin_zone,
    first_legal_zone,
    seal,
)


@kernel
def set_up(tree: ProofTree, scratch: Scratch, defender_moves: bool) -> None:
    """Make the root node from ``tree.root`` and the goal in ``tree.meta``."""
    clear(tree)
    board = tree.root
    position = hash_position(board, scratch.zobrist)
    key = node_key(position, defender_moves, np.int64(board[KO]), scratch.zobrist)
    node = add_node(tree, key, cell_of(tree, key), NONE, PASS)
    judge(tree, scratch, node, board, defender_moves)


@kernel
def judge(tree: ProofTree, scratch: Scratch, node: int, board: Board, defender_moves: bool) -> None:
    """Give a new node its value, its zone if it is TRUE already, and an even belief.

    The number of the goal chain's liberties is in ``scratch.count`` afterwards.
    """
    goal = tree.meta[GOAL]
    if defender_moves:
        tree.flags[node] = DEFENDER_MOVES
    value, found = value_of(board, goal, tree.meta[LIMIT], not defender_moves, scratch.liberties)
    scratch.count[0] = found
    tree.values[node] = value
    if value == TRUE and board[COLOR + goal] != EMPTY:
        first_legal_zone(board, goal, scratch.liberties, tree.zones[node])
    if tree.meta[METHOD] == BY_PROBABILITY:
        believe(tree, node, 0.0)
    else:
        tree.beliefs[node, PROOF_NUMBER] = 1.0
        tree.beliefs[node, DISPROOF_NUMBER] = 1.0


@kernel
def add_child(
    tree: ProofTree, scratch: Scratch, knowledge: Knowledge, node: int, board: Board, move: int
) -> int:
    """Add one move of a node to the graph and return the child; new positions are judged.

    board  uint16[BOARD_CELLS], the node's position, the same after as before
    """
    mover = to_move(tree, node)
    after = scratch.boards[1]
    copy_into(board, after)
    change = play_goal_move(after, move, mover, EVERYBODY, scratch.zobrist)
    if after[KO] != 0:
        tree.meta[KO_USED] = 1
        if after[KO_COLOR] != tree.meta[OBEYS_BAN]:
            after[KO] = 0
    ko = np.int64(after[KO])
    banned = np.int64(board[KO])
    key = tree.keys[node] ^ node_key(change, True, ko, scratch.zobrist)
    if banned != 0:
        key ^= scratch.zobrist[banned]
    cell = cell_of(tree, key)
    if tree.cells[cell] != 0:
        child = np.int64(tree.cells[cell]) - 1
    else:
        child = add_node(tree, key, cell, node, move)
        judge(tree, scratch, child, after, mover == tree.meta[ATTACKER])
        if tree.values[child] == UNKNOWN and tree.meta[METHOD] == BY_PROBABILITY:
            log_odds = leaf_log_odds(
                knowledge,
                board,
                after,
                tree.meta[GOAL],
                move,
                mover != tree.meta[ATTACKER],
                scratch.count[0],
                tree.meta[LIMIT],
            )
            believe(tree, child, log_odds)
    add_edge(tree, node, child, move)
    return child


@kernel
def develop(
    tree: ProofTree, scratch: Scratch, knowledge: Knowledge, node: int, board: Board
) -> None:
    """Add the first children of a leaf.

    board  uint16[BOARD_CELLS], the leaf's position
    """
    goal = tree.meta[GOAL]
    tree.flags[node] |= EXPANDED
    tree.meta[EXPANSIONS] += 1
    if tree.flags[node] & DEFENDER_MOVES:
        add_child(tree, scratch, knowledge, node, board, PASS)
        count = list_defenses(board, goal, tree.meta[WIDTH], scratch.marks, scratch.moves)
    else:
        count = list_attacks(board, goal, tree.meta[WIDTH], scratch.marks, scratch.moves)
    for i in range(count):
        child = add_child(tree, scratch, knowledge, node, board, scratch.moves[i])
        if tree.values[child] == (FALSE if tree.flags[node] & DEFENDER_MOVES else TRUE):
            return


@kernel
def has_child(tree: ProofTree, node: int, move: int) -> bool:
    """Return whether a move of a node is in the graph."""
    edge = tree.nodes[node, FIRST_CHILD]
    while edge != NONE:
        if tree.edges[edge, BY_MOVE] == move:
            return True
        edge = tree.edges[edge, NEXT_CHILD]
    return False


@kernel
def complete_replies(
    tree: ProofTree, scratch: Scratch, knowledge: Knowledge, node: int, board: Board
) -> None:
    """Decide a defender's node whose children are all TRUE, or add the replies that it lacks.

    The first child is the pass. Every point of its sealed zone is a reply that must have been
    tried (``zones``); new ones are added as children, and the node is TRUE when none is missing.
    """
    goal = tree.meta[GOAL]
    attacker = tree.meta[ATTACKER]
    zone = tree.zones[node]
    passed = tree.nodes[node, FIRST_CHILD]
    begin_zone(board, goal, zone)
    add_zone(zone, tree.zones[tree.edges[passed, CHILD]])
    seal(board, attacker, goal, zone)
    for i in range(ZONE_BYTES):
        scratch.zone[i] = zone[i]
    complete = True
    for byte in range(ZONE_BYTES):
        if scratch.zone[byte] == 0:
            continue
        for bit in range(8):
            point = 8 * byte + bit
            if (scratch.zone[byte] >> bit) & 1 == 0 or board[COLOR + point] != EMPTY:
                continue
            if not is_legal(board, point, 3 - attacker):
                add_suicide(board, point, attacker, goal, zone)
            elif not has_child(tree, node, point):
                child = add_child(tree, scratch, knowledge, node, board, point)
                complete &= tree.values[child] == TRUE
    if not complete:
        return
    edge = passed
    while edge != NONE:
        move = np.int64(tree.edges[edge, BY_MOVE])
        add_zone(zone, tree.zones[tree.edges[edge, CHILD]])
        if move != PASS:
            add_captures(board, move, 3 - attacker, False, zone)
        edge = tree.edges[edge, NEXT_CHILD]
    seal(board, attacker, goal, zone)
    tree.values[node] = TRUE
    tree.nodes[node, PROOF] = passed


@kernel
def prove_attack(tree: ProofTree, scratch: Scratch, node: int, edge: int) -> None:
    """Make an attacker's node TRUE by one of its edges, with the zone of that proof."""
    board = scratch.boards[0]
    after = scratch.boards[2]
    rebuild(tree, node, board, scratch)
    copy_into(board, after)
    move = np.int64(tree.edges[edge, BY_MOVE])
    play_goal_move(after, move, tree.meta[ATTACKER], EVERYBODY, scratch.zobrist)
    child = tree.edges[edge, CHILD]
    attack_zone(board, tree.meta[GOAL], move, after, tree.zones[child], tree.zones[node])
    tree.values[node] = TRUE
    tree.nodes[node, PROOF] = edge
