"""Best play for imperfect players: trees whose leaves carry distributions of value.

Source: Baum (1993), "How a Bayesian approaches games like chess" (Baum & Smith 1997 in full).

    P_L(x)  distribution of a leaf: the value that searching it would find
    BPIP    valuation: distributions up the tree (as in Palay 1985), means only below the root
    U       utility: the expected gain from knowing every leaf before the move is chosen
    ESS     relevance of a leaf: the expected absolute change of U when it is expanded

Values here are the *root player's* (the paper: negamax). The caller negates Black's values when
White is to move. The root itself is not maximized: the move is chosen now, by its mean, while
deeper choices are made later with more information. engine.belief has the U that reviews use.

The influence functions of a node n below root child i,

    A_n(x) = E[max_j V_j | value(n) = x],    B_n(x) = E[V_i | value(n) = x],

are carried from the root to the leaves on the common grid. Prefix and suffix products give the
distributions of the other children; division would fail, because cdfs contain zeros. One upward
and one downward pass serve all leaves: O(nodes x grid).
Twin: tests/reference/bpip.py (enumeration of all leaf configurations)
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import ROOT, Floats, Ints
from engine.jit import kernel

NO_NODE = -1


@kernel
def put_on_grid(
    grid: Floats, cdf: Floats, row: int, values: Floats, masses: Floats, by: float
) -> None:
    """Write a shifted distribution as a row of cdfs on a common grid.

    A value between two grid points is split between them so that the mean is kept. Values
    beyond the ends of the grid move to the ends.
    # Deviates: the paper calculates with every value that a leaf can take. A fixed grid bounds
    the time of a valuation; the price is a slightly larger spread (the mean is kept).
    grid            float64[m], strictly rising, m >= 2
    cdf             float64[rows, m], row changes in place
    values, masses  float64[n], the distribution
    by              added to every value
    """
    m = len(grid)
    for k in range(m):
        cdf[row, k] = 0.0
    right = 0
    for i in range(len(values)):
        value = values[i] + by
        while right < m and grid[right] < value:
            right += 1
        # No two neighbors: the value is beyond the grid's ends or on its first point.
        if right == m or right == 0:
            cdf[row, min(right, m - 1)] += masses[i]
            continue
        share = (grid[right] - value) / (grid[right] - grid[right - 1])
        cdf[row, right - 1] += share * masses[i]
        cdf[row, right] += (1.0 - share) * masses[i]
    total = 0.0
    for k in range(m):
        total += cdf[row, k]
        cdf[row, k] = total


@kernel
def mean_of_row(grid: Floats, cdf: Floats, row: int) -> float:
    """Return the mean of a row of cdfs on a grid."""
    total = grid[0] * cdf[row, 0]
    for k in range(1, len(grid)):
        total += grid[k] * (cdf[row, k] - cdf[row, k - 1])
    return total


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


class Relevance(NamedTuple):
    """The relevance of each leaf (0 at inner nodes), and scratch space to compute it."""

    ess: Floats  # (capacity,) expected absolute change of U when the leaf is expanded
    best: Floats  # (capacity, m) A, influence on the best move's value
    own: Floats  # (capacity, m) B, influence on the value of the leaf's own root move
    prefix: Floats  # (most children + 1, m) products over a node's children
    suffix: Floats  # (most children + 1, m)
    move: Ints  # (capacity,) the root's child each node is below


def relevance_for(tree: ValueTree, most_children: int) -> Relevance:
    """Return room for the relevance of every leaf with at most ``most_children`` siblings."""
    capacity, m = tree.cdf.shape
    best, own = np.zeros((2, capacity, m))
    prefix, suffix = np.zeros((2, most_children + 1, m))
    move = np.zeros(capacity, np.int64)
    return Relevance(np.zeros(capacity), best, own, prefix, suffix, move)


@kernel
def multiply_siblings(tree: ValueTree, relevance: Relevance, node: int) -> None:
    """Fill prefix and suffix with products over the node's children, from both ends.

    Factors are cdfs P(<= x) where MAX moves, and survival functions P(>= x) where MIN moves.
    Here prefix[i] is the product over the children before the i-th, suffix[i] from the i-th on.
    """
    m = len(tree.grid)
    first = tree.first_child[node]
    count = tree.child_count[node]
    for k in range(m):
        relevance.prefix[0, k] = 1.0
        relevance.suffix[count, k] = 1.0
    for i in range(count):
        for k in range(m):
            factor = sibling_factor(tree, node, first + i, k)
            relevance.prefix[i + 1, k] = relevance.prefix[i, k] * factor
    for i in range(count - 1, -1, -1):
        for k in range(m):
            factor = sibling_factor(tree, node, first + i, k)
            relevance.suffix[i, k] = relevance.suffix[i + 1, k] * factor


@kernel
def sibling_factor(tree: ValueTree, node: int, child: int, k: int) -> float:
    """Return P(child <= grid[k]) below a MAX node, P(child >= grid[k]) below a MIN node."""
    if tree.is_max[node]:
        return tree.cdf[child, k]
    if k == 0:
        return 1.0
    return 1.0 - tree.cdf[child, k - 1]


@kernel
def influence_into(
    tree: ValueTree, relevance: Relevance, influence: Floats, node: int, i: int
) -> None:
    """Carry one influence function from a node to its i-th child.

    MAX: Z_c(x) = Z(x) H(x) + sum_{y > x} Z(y) h(y), with H, h the cdf and masses of the largest
    sibling. MIN: Z_c(x) = Z(x) S(x) + sum_{y < x} Z(y) s(y), with S, s those of the smallest.
    relevance  its prefix and suffix are those of ``node``
    influence  float64[capacity, m], A or B; the child's row changes in place
    """
    m = len(tree.grid)
    child = tree.first_child[node] + i
    rest = 0.0
    beyond = 0.0  # the siblings' H or S at the grid point before this one
    for step in range(m):
        k = m - 1 - step if tree.is_max[node] else step
        others = relevance.prefix[i, k] * relevance.suffix[i + 1, k]
        if step > 0:
            before = k + 1 if tree.is_max[node] else k - 1
            rest += influence[node, before] * (beyond - others)
        influence[child, k] = influence[node, k] * others + rest
        beyond = others


@kernel
def second_best_mean(tree: ValueTree, favorite: int) -> float:
    """Return the best mean of the root's other children; -inf if there is none."""
    best = -np.inf
    first = tree.first_child[ROOT]
    for child in range(first, first + tree.child_count[ROOT]):
        if child != favorite:
            best = max(best, mean_of_row(tree.grid, tree.cdf, child))
    return best


@kernel
def carry_influence(tree: ValueTree, relevance: Relevance) -> None:
    """Fill both influence functions of every node, and the root move above it."""
    first = tree.first_child[ROOT]
    for k in range(len(tree.grid)):
        relevance.best[ROOT, k] = tree.grid[k]
        for move in range(first, first + tree.child_count[ROOT]):
            relevance.own[move, k] = tree.grid[k]
    for node in range(tree.count[0]):
        if tree.child_count[node] > 0:
            multiply_siblings(tree, relevance, node)
        for i in range(tree.child_count[node]):
            child = tree.first_child[node] + i
            influence_into(tree, relevance, relevance.best, node, i)
            relevance.move[child] = child
            if node != ROOT:
                influence_into(tree, relevance, relevance.own, node, i)
                relevance.move[child] = relevance.move[node]


@kernel
def change_of_utility(
    tree: ValueTree, relevance: Relevance, leaf: int, rival: float, total: float
) -> float:
    """Return the ESS of a leaf, sum_x P(x) |U - U(leaf = x)|, from its influence functions.

    rival  the best mean of the moves that are not above the leaf; total: U
    """
    ess = 0.0
    for k in range(len(tree.grid)):
        mass = tree.cdf[leaf, k] - (tree.cdf[leaf, k - 1] if k > 0 else 0.0)
        # Rounding can make a difference of cdfs slightly negative.
        if mass > 0.0:
            left = relevance.best[leaf, k] - max(relevance.own[leaf, k], rival)
            ess += mass * abs(total - left)
    return ess


@kernel
def weigh_leaves(tree: ValueTree, relevance: Relevance) -> float:
    """Renew all distributions and the relevance of every leaf; return U.

    Source: Baum (1993), "Tree growth". All are 0 when there are fewer than two moves.
    tree, relevance  change in place
    """
    propagate(tree)
    total = utility(tree)
    favorite, favorite_mean = best_move(tree)
    runner_up_mean = second_best_mean(tree, favorite)
    carry_influence(tree, relevance)
    for node in range(tree.count[0]):
        relevance.ess[node] = 0.0
        if tree.child_count[node] == 0 and tree.child_count[ROOT] > 1:
            rival = runner_up_mean if relevance.move[node] == favorite else favorite_mean
            relevance.ess[node] = change_of_utility(tree, relevance, node, rival, total)
    return total


def choose_gulp(weights: Floats, share: float, most: int) -> Ints:
    """Return the fewest leaves that hold a share of the total weight, the heaviest first.

    Source: Baum (1993), the "gulp trick". Many leaves are expanded between two valuations, so
    the tree grows by a factor each round. The total work is thus linear in the final tree. The
    paper does not give the share to expand; ``share`` is our tuning constant.
    weights  float64[nodes] >= 0, for example ``Relevance.ess``
    share    0 < share <= 1
    most     maximal number of leaves
    """
    # A stable sort takes equal leaves in the order of the tree, in every run.
    order = np.argsort(-weights, kind="stable")
    held = np.cumsum(weights[order])
    if not held.size or held[-1] <= 0.0:
        return order[:0]
    # The tiny factor keeps a rounding error of the sum from requiring one leaf more.
    needed = int(np.searchsorted(held, share * held[-1] * (1.0 - 1e-12))) + 1
    return order[: min(needed, most, int((weights > 0.0).sum()))]
