"""The search tree: an arena of node arrays with a free counter.

The children of a node lie side by side, first_child .. first_child + children - 1. Evidence about a
node's value is kept in natural parameters (pi, tau) = (1/variance, mean/variance), which add up. No
evidence is (0, 0). All values are Black's.

Several threads may grow one tree. Sums are then updated atomically (fetch_add), and the nodes of an
expansion are reserved at once. ``first_child`` shows them when they are complete; until then it is
ADDING for all other threads. Everything else is done between searches.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import ROOT, Floats, ShortInts
from engine.go.geometry import PASS
from engine.jit import fetch_add, kernel

NO_NODE, ADDING = -1, -2

TREE_COUNT, TREE_CAPACITY = 0, 1  # slots of Tree.meta
STEP_MEAN, STEP_VARIANCE = 0, 1  # columns of Tree.step
EVIDENCE_PI, EVIDENCE_TAU = 0, 1  # columns of Tree.lateral and Tree.evidence

BYTES_PER_NODE = 5 * 4 + 3 * 16 + 2 * 8  # five int32, three pairs and two single float64


class Tree(NamedTuple):
    """All nodes of one search, by index; ROOT is node 0."""

    meta: npt.NDArray[np.int64]  # (2,) TREE_COUNT of nodes in use, TREE_CAPACITY.
    move: ShortInts  # (capacity,) the point played to get here, or PASS.
    parent: ShortInts  # (capacity,) NO_NODE at the root.
    first_child: ShortInts  # (capacity,) NO_NODE until expanded, ADDING meanwhile.
    children: ShortInts  # (capacity,) number of children.
    visits: ShortInts  # (capacity,) roll-outs through this node.
    step: Floats  # (capacity, 2) moments: prior of this value minus the parent's.
    lateral: Floats  # (capacity, 2) natural: all-moves-as-first evidence on the value.
    evidence: Floats  # (capacity, 2) natural: messages of the roll-outs through this node.
    wins: Floats  # (capacity,) sum of the roll-outs' results: 1 Black won, 0.5 jigo, 0 White won.
    margins: Floats  # (capacity,) sum of Black's final margins, komi included [points].


def new_tree(capacity: int) -> Tree:
    """Return a tree with room for ``capacity`` nodes (BYTES_PER_NODE each) and a bare root."""
    # Not zeroed: set_node does it, and most of the room is never used.
    tree = Tree(
        meta=np.array([0, capacity], np.int64), move=np.empty(capacity, np.int32),
        parent=np.empty(capacity, np.int32), first_child=np.empty(capacity, np.int32),
        children=np.empty(capacity, np.int32), visits=np.empty(capacity, np.int32),
        step=np.empty((capacity, 2)), lateral=np.empty((capacity, 2)),
        evidence=np.empty((capacity, 2)), wins=np.empty(capacity), margins=np.empty(capacity),
    )  # fmt: skip
    clear_tree(tree)
    return tree


@kernel
def clear_tree(tree: Tree) -> None:
    """Forget everything but the bare root."""
    tree.meta[TREE_COUNT] = 0
    add_node(tree, NO_NODE, PASS)


@kernel
def reserve(tree: Tree, count: int) -> int:
    """Return the first of ``count`` new nodes, reserved for this caller; NO_NODE without room."""
    first = fetch_add(tree.meta, TREE_COUNT, count)
    if first + count <= tree.meta[TREE_CAPACITY]:
        return first
    # The nodes are given back. A thread that asked meanwhile met a full tree anyway.
    fetch_add(tree.meta, TREE_COUNT, -count)
    return NO_NODE


@kernel
def add_node(tree: Tree, parent: int, move: int) -> int:
    """Append a bare node and return its index; the caller ensures that there is room."""
    node = reserve(tree, 1)
    set_node(tree, node, parent, move)
    return node


@kernel
def set_node(tree: Tree, node: int, parent: int, move: int) -> None:
    """Make a reserved node a bare one."""
    tree.move[node] = move
    tree.parent[node] = parent
    tree.first_child[node] = NO_NODE
    tree.children[node] = 0
    tree.visits[node] = 0
    for column in range(2):
        tree.step[node, column] = 0.0
        tree.lateral[node, column] = 0.0
        tree.evidence[node, column] = 0.0
    tree.wins[node] = 0.0
    tree.margins[node] = 0.0


@kernel
def copy_node(source: Tree, node: int, target: Tree, place: int) -> None:
    """Copy the values of a node, but not its links."""
    target.move[place] = source.move[node]
    target.visits[place] = source.visits[node]
    for column in range(2):
        target.step[place, column] = source.step[node, column]
        target.lateral[place, column] = source.lateral[node, column]
        target.evidence[place, column] = source.evidence[node, column]
    target.wins[place] = source.wins[node]
    target.margins[place] = source.margins[node]


@kernel
def copy_subtree(source: Tree, top: int, target: Tree) -> None:
    """Make ``target`` the part of ``source`` below a node, which becomes the root.

    Breadth first: the copies are their own queue. ``target`` has at least the same capacity.
    """
    clear_tree(target)
    copy_node(source, top, target, ROOT)
    original = target.parent  # the original of each copy until the copy's children are placed
    original[ROOT] = top
    node = ROOT
    while node < target.meta[TREE_COUNT]:
        old = original[node]
        first = source.first_child[old]
        if first != NO_NODE:
            target.first_child[node] = target.meta[TREE_COUNT]
            target.children[node] = source.children[old]
            for child in range(first, first + source.children[old]):
                copy = add_node(target, NO_NODE, PASS)
                copy_node(source, child, target, copy)
                original[copy] = child
        node += 1
    for node in range(target.meta[TREE_COUNT]):
        adopt_children(target, node)
    target.parent[ROOT] = NO_NODE


@kernel
def adopt_children(tree: Tree, node: int) -> None:
    """Set the parent link of all children of a node."""
    first = tree.first_child[node]
    if first != NO_NODE:
        for child in range(first, first + tree.children[node]):
            tree.parent[child] = node


@kernel
def drop_child(tree: Tree, child: int) -> None:
    """Take a child away from its parent; the last of its siblings moves to its place."""
    parent = tree.parent[child]
    last = tree.first_child[parent] + tree.children[parent] - 1
    copy_node(tree, last, tree, child)
    tree.first_child[child] = tree.first_child[last]
    tree.children[child] = tree.children[last]
    adopt_children(tree, child)
    tree.children[parent] -= 1


# These are not compiled: a slice of an array costs Python less than passing a tree to a kernel.
def children_of(tree: Tree, node: int) -> slice:
    """Return where the children of a node lie in the tree; empty without children."""
    first = int(tree.first_child[node])
    return slice(first, first + int(tree.children[node]))


def find_child(tree: Tree, node: int, move: int) -> int:
    """Return the child of a node that a move leads to, or NO_NODE."""
    children = children_of(tree, node)
    places = np.flatnonzero(tree.move[children] == move)
    return children.start + int(places[0]) if len(places) else NO_NODE


def most_visited(tree: Tree, node: int) -> int:
    """Return the child with the most visits, the first of equals; NO_NODE without children."""
    children = children_of(tree, node)
    visits = tree.visits[children]
    return children.start + int(visits.argmax()) if len(visits) else NO_NODE


def root_children(tree: Tree) -> range:
    """Return the nodes of the root's moves, as they lie in the tree."""
    children = children_of(tree, ROOT)
    return range(children.start, children.stop)


def root_moves(tree: Tree) -> dict[int, int]:
    """Return the nodes of the root's moves, by point and in their order."""
    return dict(sorted((int(tree.move[node]), node) for node in root_children(tree)))
