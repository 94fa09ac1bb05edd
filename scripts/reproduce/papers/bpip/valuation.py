"""Best play for imperfect players: distributions propagated up a tree on one grid.

Source: Baum (1993), "Tree valuation" (propagation as in Palay 1985). The root itself is not
maximized: the move is chosen now, by its mean, while deeper choices are made later with more
information. One pass is O(nodes x grid).
Twin: tests/reference/bpip.py (enumeration of all leaf configurations)
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import ROOT, Floats, Ints
from engine.jit import kernel
from scripts.reproduce.papers.bpip.grid import mean_of_row

NO_NODE = -1


class ValueTree(NamedTuple):
    """A tree of value distributions.

    Node 0 is the root. The children of a node are contiguous and follow it.
    """

    grid: Floats  # (m,) strictly rising, the root player's values
    cdf: Floats  # (capacity, m) P(value of the node <= grid[k]); a leaf's is given
    parent: Ints  # (capacity,) NO_NODE at the root
    first_child: Ints  # (capacity,)
    child_count: Ints  # (capacity,) 0 at a leaf
    is_max: npt.NDArray[np.uint8]  # (capacity,) 1 where the root player moves
    count: Ints  # (1,) nodes in use


def empty_tree(grid: Floats, capacity: int) -> ValueTree:
    """Return a tree of one leaf, the root; the caller sets its value.

    Raises ValueError unless the grid is strictly rising and has at least two points.
    """
    if len(grid) < 2 or not (np.diff(grid) > 0.0).all():
        raise ValueError("a grid needs at least two strictly rising values")
    parent, first, children = np.zeros((3, capacity), np.int64)
    parent[ROOT] = NO_NODE
    is_max = np.zeros(capacity, np.uint8)
    is_max[ROOT] = 1
    cdf = np.ones((capacity, len(grid)))
    grid = np.ascontiguousarray(grid, np.float64)
    return ValueTree(grid, cdf, parent, first, children, is_max, np.ones(1, np.int64))


@kernel
def add_children(tree: ValueTree, node: int, count: int) -> int:
    """Turn a leaf into a node with ``count`` leaves and return the first of them.

    The caller sets their values and ensures the capacity:
    tree.count[0] + count <= len(tree.parent).
    """
    first = tree.count[0]
    tree.count[0] = first + count
    tree.first_child[node] = first
    tree.child_count[node] = count
    for child in range(first, first + count):
        tree.parent[child] = node
        tree.child_count[child] = 0
        tree.is_max[child] = 1 - tree.is_max[node]
    return first


@kernel
def propagate(tree: ValueTree) -> None:
    """Renew the distribution of every inner node; the root gets its best child's.

    Source: Baum (1993), "Tree valuation".
    MAX: the product of the children's cdfs. MIN: 1 - the product of their survival functions.
    """
    m = len(tree.grid)
    # Children come after their parents, so the loop runs backwards.
    for node in range(tree.count[0] - 1, -1, -1):
        count = tree.child_count[node]
        first = tree.first_child[node]
        if count == 0:
            continue
        for k in range(m):
            product = 1.0
            if tree.is_max[node]:
                for child in range(first, first + count):
                    product *= tree.cdf[child, k]
                tree.cdf[node, k] = product
            else:
                for child in range(first, first + count):
                    product *= 1.0 - tree.cdf[child, k]
                tree.cdf[node, k] = 1.0 - product


@kernel
def best_move(tree: ValueTree) -> tuple[int, float]:
    """Return the root's child with the largest mean, and that mean; (NO_NODE, -inf) at a leaf.

    The tree must have been propagated.
    """
    best = NO_NODE
    best_mean = -np.inf
    first = tree.first_child[ROOT]
    for child in range(first, first + tree.child_count[ROOT]):
        mean = mean_of_row(tree.grid, tree.cdf, child)
        if mean > best_mean:
            best, best_mean = child, mean
    return best, best_mean


@kernel
def utility(tree: ValueTree) -> float:
    """Return U = E[max_i V_i] - max_i E[V_i] >= 0, the gain from expanding every leaf.

    Source: Baum (1993), "Tree growth".
    The tree must have been propagated. At the root the player (MAX) moves.
    """
    if tree.child_count[ROOT] == 0:
        return 0.0
    return max(mean_of_row(tree.grid, tree.cdf, np.int64(ROOT)) - best_move(tree)[1], 0.0)
