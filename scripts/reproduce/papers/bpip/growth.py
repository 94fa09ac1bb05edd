"""The choice of the next leaf and of the end of a search: relevance by influence functions.

Source: Baum (1993), "Tree growth". The influence functions of a node n below root child i,

    A_n(x) = E[max_j V_j | value(n) = x],    B_n(x) = E[V_i | value(n) = x],

are carried from the root to the leaves on the common grid. Prefix and suffix products give the
distributions of the other children; division would fail, because cdfs contain zeros. One upward
and one downward pass serve all leaves: O(nodes x grid).
Twin: tests/reference/bpip.py (enumeration of all leaf configurations)
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import ROOT, Floats, Ints
from engine.jit import kernel
from scripts.reproduce.papers.bpip.grid import mean_of_row
from scripts.reproduce.papers.bpip.valuation import ValueTree, best_move, propagate, utility


class Relevance(NamedTuple):
    """The relevance of each leaf (0 at inner nodes), and scratch space to compute it."""

    ess: Floats  # (capacity,) expected absolute change of U when the leaf is expanded
    frozen: Floats  # (capacity,) the same with the favorite move held fixed
    metagreedy: Floats  # (capacity,) expected fall of U: the gain from this leaf alone
    best: Floats  # (capacity, m) A, influence on the best move's value
    own: Floats  # (capacity, m) B, influence on the value of the leaf's own root move
    prefix: Floats  # (most children + 1, m) products over a node's children
    suffix: Floats  # (most children + 1, m)
    move: Ints  # (capacity,) the root's child each node is below


def relevance_for(tree: ValueTree, most_children: int) -> Relevance:
    """Return room for the relevance of every leaf with at most ``most_children`` siblings."""
    capacity, m = tree.cdf.shape
    ess, frozen, metagreedy = np.zeros((3, capacity))
    best, own = np.zeros((2, capacity, m))
    prefix, suffix = np.zeros((2, most_children + 1, m))
    move = np.zeros(capacity, np.int64)
    return Relevance(ess, frozen, metagreedy, best, own, prefix, suffix, move)


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
def judge_leaf(
    tree: ValueTree,
    relevance: Relevance,
    leaf: int,
    favorite: int,
    favorite_mean: float,
    runner_up_mean: float,
    total: float,
) -> None:
    """Write the three relevances of one leaf from its influence functions.

    favorite, favorite_mean  the move with the best mean
    runner_up_mean             the best mean of the other moves
    total                      U
    """
    below_favorite = relevance.move[leaf] == favorite
    rival = runner_up_mean if below_favorite else favorite_mean
    ess = 0.0
    frozen = 0.0
    remaining = 0.0
    for k in range(len(tree.grid)):
        mass = tree.cdf[leaf, k] - (tree.cdf[leaf, k - 1] if k > 0 else 0.0)
        # Rounding can make a difference of cdfs slightly negative.
        if mass <= 0.0:
            continue
        best = relevance.best[leaf, k]
        own = relevance.own[leaf, k]
        left = best - max(own, rival)
        ess += mass * abs(total - left)
        remaining += mass * left
        frozen += mass * abs(total - best + (own if below_favorite else favorite_mean))
    relevance.ess[leaf] = ess
    relevance.frozen[leaf] = frozen
    relevance.metagreedy[leaf] = max(total - remaining, 0.0)


@kernel
def weigh_leaves(tree: ValueTree, relevance: Relevance) -> float:
    """Renew all distributions and the relevance of every leaf; return U.

    Source: Baum (1993), "Tree growth". ESS = sum_x P(x) |U - U(leaf = x)|. The metagreedy gain is
    the same without the absolute value. If the favorite is frozen, U(leaf = x) is the best move's
    expected lead over it. All are 0 when there are fewer than two moves.
    tree, relevance  change in place
    """
    propagate(tree)
    total = utility(tree)
    favorite, favorite_mean = best_move(tree)
    runner_up_mean = second_best_mean(tree, favorite)
    carry_influence(tree, relevance)
    for node in range(tree.count[0]):
        relevance.ess[node] = 0.0
        relevance.frozen[node] = 0.0
        relevance.metagreedy[node] = 0.0
        if tree.child_count[node] == 0 and tree.child_count[ROOT] > 1:
            judge_leaf(tree, relevance, node, favorite, favorite_mean, runner_up_mean, total)
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
