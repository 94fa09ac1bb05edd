"""The search for a capture: descend, develop the leaf, settle its changes (Algorithm 4)."""

from engine.arrays import ROOT
from engine.captures.completion import complete_replies, prove_attack
from engine.captures.expansion import develop, follow_edge, rebuild
from engine.captures.goals import GRAPH_LAZY, NARROWED
from engine.captures.priors import SolverPriors
from engine.captures.scratch import Scratch
from engine.go.board import copy_into
from engine.jit import kernel
from engine.proof.descent import FULL, PAUSED, SOLVED, next_leaf
from engine.proof.graph import (
    DEFENDER_MOVES,
    EDGE_CHILD,
    EXPANDED,
    FALSE,
    GRAPH_DEPTH,
    NODE_FIRST_CHILD,
    NODE_PROOF,
    NONE,
    TRUE,
    UNKNOWN,
    ProofTree,
    has_room,
)
from engine.proof.proof_numbers import ALL_OTHERS
from engine.proof.updates import (
    begin_update,
    look_at_children,
    next_to_settle,
    settle_belief,
    tell_parents,
)


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
    """Recompute an undecided node from its children; return whether its parents must be told."""
    is_and = tree.flags[node] & DEFENDER_MOVES != 0
    edge, undecided = look_at_children(tree, node)
    # This precedes the value TRUE, because the list of defenses is incomplete (``goals``).
    if is_and and edge == NONE and (undecided == 0 or can_narrow(tree, node)):
        if not has_room(tree):
            return False
        board = scratch.boards[0]
        rebuild(tree, node, board, scratch)
        complete_replies(tree, scratch, priors, node, board)
        # Either all missing replies were TRUE, too, or none was missing.
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
    return settle_belief(tree, node, ALL_OTHERS, 0.0)


@kernel
def update(tree: ProofTree, scratch: Scratch, priors: SolverPriors, leaf: int) -> None:
    """Settle a developed leaf and everything above it that changes.

    Source: Stern et al. (2007), Algorithm 2.
    """
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
    """Develop at most ``expansions`` leaves (Algorithm 4).

    max_nodes  int64, largest number of nodes in the graph
    returns    int64, SOLVED, SPENT (max_nodes reached), FULL (no room) or PAUSED
    """
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
            if tree.values[leaf] != UNKNOWN or tree.flags[leaf] & EXPANDED:
                update(tree, scratch, priors, parent)
                continue
            tree.meta[GRAPH_DEPTH] += 1
            copy_into(scratch.boards[1], board)
        develop(tree, scratch, priors, leaf, board)
        update(tree, scratch, priors, leaf)
    return SOLVED if tree.values[ROOT] != UNKNOWN else PAUSED
