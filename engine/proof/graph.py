"""The proof tree: an arena of nodes and edges, in which positions are found by their keys.

A node is a position with the side to move and the ko ban in force. Positions that are reached in
two ways are one node, so the "tree" is a graph, in which ko may even close circles. A value is
derived from decided children only, never from a repetition, and may therefore be shared (no graph-
history interaction). A solver keeps its question in slots and flags of its own, from
``FIRST_GOAL_SLOT`` and ``FIRST_GOAL_FLAG`` on.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import ROOT
from engine.go.board import BLACK, BOARD_CELLS, WHITE, ZobristKeys
from engine.go.geometry import AREA
from engine.jit import kernel

UNKNOWN, TRUE, FALSE = 0, 1, 2  # values of a node: the attacker succeeds, or not

# Slots of ProofTree.meta: the sides, the method, and the state of the search.
(
    META_ATTACKER,  # Color.
    META_OBEYS_BAN,  # Color that obeys the simple-ko ban, or BOTH.
    META_METHOD,  # BY_PROBABILITY or BY_PROOF_NUMBERS.
    META_NODES,  # Number of nodes in use.
    META_EDGES,
    META_EXPANSIONS,  # Number of developed leaves.
    META_ROUND,  # Number of the search; marks of earlier ones in MARK_... need no clearing.
    META_KO_USED,  # 1: some line took a ko, so the other side's ban may matter.
    META_DEPTH,  # Moves from the root to the leaf developed last.
    META_QUEUE_HEAD,  # The first node of ``queue`` to be updated.
    META_QUEUE_LENGTH,
    META_STEPS,  # Nodes that all descents of the search have met.
    FIRST_GOAL_SLOT,  # solvers use the slots from here on
) = range(13)
META_SLOTS = 15
BOTH = BLACK | WHITE  # in META_OBEYS_BAN
BY_PROBABILITY, BY_PROOF_NUMBERS = 0, 1

# Columns of ProofTree.nodes. BIRTH is the parent that first led to a node, by the move MOVE.
(
    NODE_FIRST_CHILD,
    NODE_LAST_CHILD,
    NODE_FIRST_PARENT,
    NODE_BIRTH,
    NODE_MOVE,
    NODE_PROOF,
    NODE_COLUMNS,
) = range(7)
# Columns of ProofTree.edges. Nodes and edges are linked lists of numbers; NONE ends a list.
EDGE_CHILD, EDGE_PARENT, EDGE_NEXT_CHILD, EDGE_NEXT_PARENT, EDGE_MOVE, EDGE_COLUMNS = range(6)
# As a child: the move has not been played yet; a reply that cannot matter.
NONE, DROPPED = -1, -2

# Columns of ProofTree.beliefs and .guesses. Each method uses two of them.
(
    # of TRUE; the tail is softplus(-|log odds|)
    BELIEF_LOG_ODDS,
    BELIEF_TAIL,
    BELIEF_PROOF_NUMBER,
    BELIEF_DISPROOF_NUMBER,
    BELIEF_COLUMNS,
) = range(5)

# Columns of ProofTree.marks: 1 while in the queue; the last round on the path; visits in a round.
MARK_QUEUED, MARK_ON_PATH, MARK_VISITS, MARK_COLUMNS = range(4)

# Bits of ProofTree.flags; solvers use FIRST_GOAL_FLAG and larger ones.
DEFENDER_MOVES, EXPANDED, FIRST_GOAL_FLAG = 1, 2, 4
ZONE_BYTES = (AREA + 7) // 8  # bytes of a set of points, one bit a point

# Any constant works that is unlikely to be the exclusive or of some stones' keys.
_TURN_KEY = np.uint64(0x9E3779B97F4A7C15)


class ProofTree(NamedTuple):
    """A search graph. N nodes, E edges, H = 2**k hash cells > N (section 2.1)."""

    meta: npt.NDArray[np.int64]  # (META_SLOTS,) named slots.
    root: npt.NDArray[np.uint16]  # (BOARD_CELLS,) the position searched.
    keys: npt.NDArray[np.uint64]  # (N,) position, side to move, ban.
    cells: npt.NDArray[np.int32]  # (H,) node + 1, 0 is free; open addressing.
    nodes: npt.NDArray[np.int32]  # (N, NODE_COLUMNS)
    values: npt.NDArray[np.uint8]  # (N,) UNKNOWN, TRUE, FALSE.
    flags: npt.NDArray[np.uint8]  # (N,)
    beliefs: npt.NDArray[np.float64]  # (N, BELIEF_COLUMNS)
    edges: npt.NDArray[np.int32]  # (E, EDGE_COLUMNS)
    guesses: npt.NDArray[np.float32]  # (E, BELIEF_COLUMNS) beliefs about moves not played yet.
    zones: npt.NDArray[np.uint8]  # (N, ZONE_BYTES) points on which a TRUE node rests.
    queue: npt.NDArray[np.int32]  # (N,) nodes to be updated.
    marks: npt.NDArray[np.int32]  # (N, MARK_COLUMNS)


def proof_tree(max_nodes: int, edges_per_node: int) -> ProofTree:
    """Return an empty arena: 186 bytes a node and 36 an edge, touched only when used."""
    # There is always room for the moves of one more node; see ``has_room``.
    edges = edges_per_node * max_nodes + AREA
    # The table is at most two thirds full, so that probe sequences stay short.
    cells = 1 << int(max_nodes * 1.5).bit_length()
    return ProofTree(
        meta=np.zeros(META_SLOTS, np.int64),
        root=np.zeros(BOARD_CELLS, np.uint16),
        keys=np.zeros(max_nodes, np.uint64),
        cells=np.zeros(cells, np.int32),
        nodes=np.zeros((max_nodes, NODE_COLUMNS), np.int32),
        values=np.zeros(max_nodes, np.uint8),
        flags=np.zeros(max_nodes, np.uint8),
        beliefs=np.zeros((max_nodes, BELIEF_COLUMNS), np.float64),
        edges=np.zeros((edges, EDGE_COLUMNS), np.int32),
        guesses=np.zeros((edges, BELIEF_COLUMNS), np.float32),
        zones=np.zeros((max_nodes, ZONE_BYTES), np.uint8),
        queue=np.zeros(max_nodes, np.int32),
        marks=np.zeros((max_nodes, MARK_COLUMNS), np.int32),
    )


@kernel
def cell_of(tree: ProofTree, key: np.uint64) -> int:
    """Return the hash cell that holds a key, or the free cell where it belongs."""
    mask = np.uint64(len(tree.cells) - 1)
    cell = np.int64(key & mask)
    # Linear probing needs no tombstones: nodes are removed all together only.
    while tree.cells[cell] != 0 and tree.keys[tree.cells[cell] - 1] != key:
        cell = np.int64(np.uint64(cell + 1) & mask)
    return cell


@kernel
def clear(tree: ProofTree) -> None:
    """Forget all nodes and reset the counters; the slots of the goal stay."""
    # The newest nodes go first, so that no probe sequence is cut before it is followed.
    for node in range(tree.meta[META_NODES] - 1, -1, -1):
        tree.cells[cell_of(tree, tree.keys[node])] = 0
    for slot in (META_NODES, META_EDGES, META_KO_USED, META_ROUND, META_EXPANSIONS, META_STEPS):
        tree.meta[slot] = 0


@kernel
def node_key(position: np.uint64, defender_moves: bool, ko: int, zobrist: ZobristKeys) -> np.uint64:
    """Return the key of a node: its stones, the side to move, and the ban in force (0: none)."""
    key = position
    if defender_moves:
        key ^= _TURN_KEY
    # Another ban, another node. The keys of empty points serve as keys of bans.
    if ko != 0:
        key ^= zobrist[ko]
    return key


@kernel
def add_node(tree: ProofTree, key: np.uint64, cell: int, parent: int, move: int) -> int:
    """Append an undecided node, for which there is room; its parent's opponent is to move."""
    node = tree.meta[META_NODES]
    tree.meta[META_NODES] = node + 1
    tree.cells[cell] = node + 1
    tree.keys[node] = key
    for column in (NODE_FIRST_CHILD, NODE_LAST_CHILD, NODE_FIRST_PARENT, NODE_PROOF):
        tree.nodes[node, column] = NONE
    tree.nodes[node, NODE_BIRTH] = parent
    tree.nodes[node, NODE_MOVE] = move
    tree.values[node] = UNKNOWN
    attacker_moved = parent != NONE and tree.flags[parent] & DEFENDER_MOVES == 0
    tree.flags[node] = DEFENDER_MOVES if attacker_moved else 0
    for column in range(MARK_COLUMNS):
        tree.marks[node, column] = 0
    return node


@kernel
def add_edge(tree: ProofTree, parent: int, child: int, move: int) -> None:
    """Link a node to a child, or to a move not played yet; there must be room."""
    edge = tree.meta[META_EDGES]
    tree.meta[META_EDGES] = edge + 1
    tree.edges[edge, EDGE_CHILD] = tree.edges[edge, EDGE_NEXT_CHILD] = NONE
    tree.edges[edge, EDGE_PARENT] = parent
    tree.edges[edge, EDGE_MOVE] = move
    if child != NONE:
        link_child(tree, edge, child)
    # Edges are appended: the pass must stay first, and ties go to the first child.
    last = tree.nodes[parent, NODE_LAST_CHILD]
    if last == NONE:
        tree.nodes[parent, NODE_FIRST_CHILD] = edge
    else:
        tree.edges[last, EDGE_NEXT_CHILD] = edge
    tree.nodes[parent, NODE_LAST_CHILD] = edge


@kernel
def link_child(tree: ProofTree, edge: int, child: int) -> None:
    """Let an edge lead to a node."""
    tree.edges[edge, EDGE_CHILD] = child
    tree.edges[edge, EDGE_NEXT_PARENT] = tree.nodes[child, NODE_FIRST_PARENT]
    tree.nodes[child, NODE_FIRST_PARENT] = edge


@kernel
def is_open(tree: ProofTree, edge: int) -> bool:
    """Return whether the child of an edge, or its unplayed move, is undecided and matters."""
    child = tree.edges[edge, EDGE_CHILD]
    return child == NONE or (child >= 0 and tree.values[child] == UNKNOWN)


@kernel
def edge_belief(tree: ProofTree, edge: int, column: int) -> float:
    """Return one of the two numbers that judge an edge, by its child or by its guess."""
    child = tree.edges[edge, EDGE_CHILD]
    if child == NONE:
        # One type for both. Guesses are float32, since there are many more of them.
        return np.float64(tree.guesses[edge, column])
    return tree.beliefs[child, column]


@kernel
def has_room(tree: ProofTree) -> bool:
    """Return whether one more expansion is sure to fit."""
    return tree.meta[META_NODES] + AREA <= len(tree.keys) and tree.meta[META_EDGES] + AREA <= len(
        tree.edges
    )


@kernel
def to_move(tree: ProofTree, node: int) -> int:
    """Return the color to move at a node."""
    attacker = tree.meta[META_ATTACKER]
    return 3 - attacker if tree.flags[node] & DEFENDER_MOVES else attacker


@kernel
def depth_of(tree: ProofTree, node: int) -> int:
    """Return the number of moves that first led to a node."""
    depth = 0
    while node != ROOT:
        node = np.int64(tree.nodes[node, NODE_BIRTH])
        depth += 1
    return depth


@kernel
def has_child(tree: ProofTree, node: int, move: int) -> bool:
    """Return whether a move of a node is in the graph."""
    edge = tree.nodes[node, NODE_FIRST_CHILD]
    while edge != NONE:
        if tree.edges[edge, EDGE_MOVE] == move:
            return True
        edge = tree.edges[edge, EDGE_NEXT_CHILD]
    return False


def edges_of(tree: ProofTree, node: int) -> Iterator[int]:
    """Yield the edges to the children of a node, as rows of ``tree.edges``."""
    edge = int(tree.nodes[node, NODE_FIRST_CHILD])
    while edge != NONE:
        yield edge
        edge = int(tree.edges[edge, EDGE_NEXT_CHILD])
