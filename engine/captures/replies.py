"""The attacker's answers to the moves of the owner of a chain that is proved dead.

Such a proof of a capture, with the owner to move first, answers every move that might save the
chain. The same move may occur in several positions of the proof. The listed answer is that of the
position nearest to the root.
"""

import numpy as np

from engine.arrays import ROOT
from engine.captures.expansion import Scratch, rebuild
from engine.captures.goals import META_GOAL
from engine.go.board import Points
from engine.go.chains import list_liberties
from engine.go.geometry import PASS
from engine.jit import kernel
from engine.proof import graph
from engine.proof.graph import NONE, TRUE, ProofTree


@kernel
def list_replies(tree: ProofTree, scratch: Scratch, replies: Points) -> None:
    """List the attacker's answers in a proof whose root is TRUE with the defender to move.

    replies  int64[AREA], set in place: the answer to a defender's move at each point; PASS: unknown
    """
    replies[:] = PASS
    # No search goes on, so its marks and its queue are free. A node is queued once: it has room.
    tree.meta[graph.META_ROUND] += 1
    current = tree.meta[graph.META_ROUND]
    tree.queue[0] = ROOT
    tree.marks[ROOT, graph.MARK_ON_PATH] = current
    head, end = 0, 1
    while head < end:
        node = np.int64(tree.queue[head])
        head += 1
        edge = np.int64(tree.nodes[node, graph.NODE_FIRST_CHILD])
        while edge != NONE:
            child = np.int64(tree.edges[edge, graph.EDGE_CHILD])
            # Dropped children are no part of the proof.
            if child >= 0 and tree.values[child] == TRUE:
                move = np.int64(tree.edges[edge, graph.EDGE_MOVE])
                if move != PASS and replies[move] == PASS:
                    replies[move] = answer_at(tree, scratch, child)
                proof = np.int64(tree.nodes[child, graph.NODE_PROOF])
                after = np.int64(tree.edges[proof, graph.EDGE_CHILD]) if proof != NONE else NONE
                if after >= 0 and tree.marks[after, graph.MARK_ON_PATH] != current:
                    tree.marks[after, graph.MARK_ON_PATH] = current
                    tree.queue[end] = after
                    end += 1
            edge = np.int64(tree.edges[edge, graph.EDGE_NEXT_CHILD])


@kernel
def answer_at(tree: ProofTree, scratch: Scratch, node: int) -> int:
    """Return the attacker's move that proves a TRUE node with the attacker to move, or PASS."""
    proof = tree.nodes[node, graph.NODE_PROOF]
    if proof != NONE:
        return np.int64(tree.edges[proof, graph.EDGE_MOVE])
    # At a leaf the chain is in atari.
    board = scratch.boards[0]
    if not rebuild(tree, node, board, scratch):
        return PASS
    count = list_liberties(board, tree.meta[META_GOAL], scratch.liberties)
    return scratch.liberties[0] if count == 1 else PASS
