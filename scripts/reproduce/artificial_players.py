"""Players of artificial game trees: full-width minimax and BPIP, growth by relevance, alpha-beta.

Baum (1993) in a game with known truth. A position is a node of a complete artificial tree. Its
evaluation is its score plus noise. The change by deeper search is learned from other trees, by
plies left. All values are the mover's, relative to the root position's evaluation.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import ROOT, Floats, Ints
from engine.jit import kernel
from scripts.reproduce.papers.bpip import (
    Relevance,
    ValueTree,
    add_children,
    best_move,
    choose_gulp,
    empty_tree,
    mean_of_row,
    propagate,
    put_on_grid,
    relevance_for,
    weigh_leaves,
)
from scripts.reproduce.papers.hennig.trees import ArtificialTree, grow_tree, level_starts

# Odd, so that 0 is on it: the end of a game changes no opinion.
GRID = np.linspace(-6.0, 6.0, 97)
POOLED = 20.0  # changes from all levels in each level's histogram
NODES_PER_LEVEL = 20  # of each training tree; more of one tree say the same again


def evaluations(
    tree: ArtificialTree, branching: int, depth: int, noise: float, rng: np.random.Generator
) -> Floats:
    """Return Black's static evaluation of every node: score + noise, exact at the end."""
    errors = noise * rng.standard_normal(len(tree.scores))
    # The end is counted, not estimated.
    errors[level_starts(branching, depth)[depth] :] = 0.0
    return tree.scores + errors


def learn_changes(
    branching: int, depth: int, noise: float, trees: int, rng: np.random.Generator
) -> Floats:
    """Return the distributions of Black's value - evaluation; float64[depth + 1, m], by depth.

    # Deviates: the paper takes values backed up from a search to depth 6. Here they are the true
    ones, which a search to the end would find. The paper divides positions by a decision tree; here
    they are divided by level, because the spread of later opinions depends on the plies left.
    """
    counts = np.zeros((depth + 1, len(GRID)))
    edges = 0.5 * (GRID[1:] + GRID[:-1])
    starts = level_starts(branching, depth)
    for _ in range(trees):
        tree = grow_tree(branching, depth, rng)
        found = tree.values - evaluations(tree, branching, depth, noise, rng)
        for level in range(depth + 1):
            first, end = starts[level], starts[level + 1]
            cells = np.searchsorted(edges, found[first : min(end, first + NODES_PER_LEVEL)])
            np.add.at(counts[level], cells, 1.0)
    masses = smoothed(counts)
    masses[depth] = 0.0
    masses[depth, len(GRID) // 2] = 1.0  # the end is known exactly
    return masses


def smoothed(counts: Floats) -> Floats:
    """Return the distribution of changes of each level; float64[levels, m], rows sum to 1.

    # Deviates: each histogram is mixed with POOLED changes from all levels, because a level with
    few positions has no reliable histogram. The paper only smooths.
    """
    pooled = counts.sum(axis=0)
    mixed = counts + POOLED * pooled / pooled.sum()
    distance = (GRID[:, np.newaxis] - GRID) / (GRID[1] - GRID[0])
    kernel = np.exp(-0.5 * distance**2)
    kernel /= kernel.sum(axis=1, keepdims=True)
    spread = mixed @ kernel
    return np.asarray(spread / spread.sum(axis=1, keepdims=True))


@kernel
def expand(
    tree: ValueTree,
    position: Ints,
    level: Ints,
    leaf: int,
    branching: int,
    evaluation: Floats,
    masses: Floats,
    sign: float,
) -> None:
    """Add a leaf's children, each with its learned distribution around its evaluation.

    tree, position, level  change in place: value tree, and each node's artificial node and depth
    evaluation  float64[nodes], Black's
    masses      float64[depth + 1, m], changes by depth, as the mover at the root sees them
    sign        +1.0 if Black moves at the root, else -1.0
    """
    first = add_children(tree, leaf, branching)
    # Relative to it, so that one grid works for positions of any score.
    root_value = sign * evaluation[position[ROOT]]
    for i in range(branching):
        child = first + i
        position[child] = position[leaf] * branching + 1 + i
        level[child] = level[leaf] + 1
        by = sign * evaluation[position[child]] - root_value
        put_on_grid(tree.grid, tree.cdf, child, tree.grid, masses[level[child]], by)


@kernel
def minimax_move(tree: ValueTree, backed_up: Floats) -> int:
    """Return the root's child with the best minimax value of the leaves' means.

    backed_up  float64[capacity], scratch
    """
    # Children have larger numbers than their parents, so a backward pass meets them first.
    for node in range(tree.count[0] - 1, ROOT, -1):
        first = tree.first_child[node]
        count = tree.child_count[node]
        if count == 0:
            backed_up[node] = mean_of_row(tree.grid, tree.cdf, node)
            continue
        value = backed_up[first]
        for child in range(first + 1, first + count):
            if tree.is_max[node]:
                value = max(value, backed_up[child])
            else:
                value = min(value, backed_up[child])
        backed_up[node] = value
    best = tree.first_child[ROOT]
    for child in range(best, tree.first_child[ROOT] + tree.child_count[ROOT]):
        if backed_up[child] > backed_up[best]:
            best = child
    return best


class SearchRoom:
    """Scratch memory for one search of one position after another.

    branching, depth  of the artificial trees
    masses            changes by depth from ``learn_changes``
    most              nodes a search may hold
    """

    def __init__(self, branching: int, depth: int, masses: Floats, most: int) -> None:
        self.branching, self.depth = branching, depth
        # White's view, mirrored; contiguous, or kernels would be compiled for a second type.
        self._views = {1.0: masses, -1.0: np.ascontiguousarray(masses[:, ::-1])}
        # Deviates: values lie on a grid of 97 points; see ``bpip.put_on_grid``.
        self._tree = empty_tree(GRID, most + branching + 1)
        self._relevance: Relevance = relevance_for(self._tree, branching)
        self._position, self._level = np.zeros((2, len(self._tree.parent)), np.int64)
        self._backed_up = np.zeros(len(self._tree.parent))

    def _start(self, node: int, level: int) -> None:
        self._tree.count[0] = 1
        self._tree.child_count[ROOT] = 0
        self._position[ROOT], self._level[ROOT] = node, level

    def _expand(self, leaf: int, evaluation: Floats) -> None:
        sign = 1.0 if self._level[ROOT] % 2 == 0 else -1.0
        expand(
            self._tree,
            self._position,
            self._level,
            leaf,
            self.branching,
            evaluation,
            self._views[sign],
            sign,
        )

    def full_width(self, evaluation: Floats, node: int, level: int, plies: int) -> tuple[int, int]:
        """Return the moves by BPIP and by minimax on the same full-width tree."""
        self._start(node, level)
        first, end = 0, 1
        for _ in range(min(plies, self.depth - level)):
            for leaf in range(first, end):
                self._expand(leaf, evaluation)
            first, end = end, int(self._tree.count[0])
        # Both moves come from one tree, so they differ only in the valuation.
        propagate(self._tree)
        choice = best_move(self._tree)[0]
        minimax = minimax_move(self._tree, self._backed_up)
        return int(self._position[choice]), int(self._position[minimax])

    def grown(
        self, evaluation: Floats, node: int, level: int, budget: int, share: float
    ) -> tuple[int, int]:
        """Return the BPIP move after growth by relevance, and the evaluations it took.

        budget   most evaluations; every added node costs one
        share    of the total relevance (ESS) that one gulp expands
        """
        self._start(node, level)
        self._expand(ROOT, evaluation)
        while True:
            weigh_leaves(self._tree, self._relevance)
            used = int(self._tree.count[0]) - 1
            weights = self._relevance.ess[: used + 1].copy()
            weights[self._level[: used + 1] == self.depth] = 0.0  # the end has no children
            gulp = choose_gulp(weights, share, (budget - used) // self.branching)
            if not len(gulp):
                break
            for leaf in gulp:
                self._expand(int(leaf), evaluation)
        return int(self._position[best_move(self._tree)[0]]), used


class AlphaBetaRoom(NamedTuple):
    """Scratch memory of one search; a row for each ply."""

    nodes: Ints  # int64[plies], the node of the line being searched
    tried: Ints  # int64[plies], the number of its moves that were searched
    order: Ints  # int64[plies, branching], its children, best first for its mover
    values: Floats  # float64[plies, 3], for its mover: best value so far, alpha, beta


def alpha_beta_room(branching: int, plies: int) -> AlphaBetaRoom:
    """Return scratch memory for searches of at most ``plies`` plies."""
    nodes, tried = np.zeros((2, plies), np.int64)
    return AlphaBetaRoom(nodes, tried, np.zeros((plies, branching), np.int64), np.zeros((plies, 3)))


@kernel
def _enter(
    room: AlphaBetaRoom,
    ply: int,
    node: int,
    evaluation: Floats,
    sign: float,
    alpha: float,
    beta: float,
) -> None:
    """Start a node at a ply: order its moves by their evaluations for the mover.

    sign         +1.0 if Black moves there, else -1.0
    alpha, beta  float64, for the mover
    """
    room.nodes[ply], room.tried[ply] = node, 0
    values = room.values[ply]
    values[0], values[1], values[2] = -np.inf, alpha, beta
    branching = room.order.shape[1]
    order = room.order[ply]
    # Insertion keeps equal moves in their order.
    for i in range(branching):
        child = node * branching + 1 + i
        place = i
        while place > 0 and sign * evaluation[order[place - 1]] < sign * evaluation[child]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = child


@kernel
def alpha_beta(
    room: AlphaBetaRoom, evaluation: Floats, node: int, plies: int, sign: float
) -> tuple[int, int, float]:
    """Return the best child of a node, the evaluations it took, and its value for the mover.

    Moves are ordered by their own evaluations, best first, as the paper's opponent is said to order
    well. These evaluations are paid for, even where a cut follows.
    Slow twin: tests/reference/bpip.py::alpha_beta

    room        AlphaBetaRoom of at least ``plies`` plies, overwritten
    evaluation  float64[nodes], Black's
    plies       int64 >= 1, not beyond the end of the tree
    sign        float64, +1.0 if Black moves at the node, else -1.0
    """
    branching = room.order.shape[1]
    _enter(room, 0, node, evaluation, sign, -np.inf, np.inf)
    used = branching
    chosen = room.order[0, 0]
    ply = 0
    mover = sign
    while True:
        values = room.values[ply]
        if room.tried[ply] == branching or values[0] >= values[2]:
            if ply == 0:
                return chosen, used, values[0]
            value = -values[0]
            ply -= 1
            mover = -mover
        else:
            child = room.order[ply, room.tried[ply]]
            room.tried[ply] += 1
            if ply + 1 < plies:
                ply += 1
                mover = -mover
                alpha, beta = -values[2], -max(values[1], values[0])
                _enter(room, ply, child, evaluation, mover, alpha, beta)
                used += branching
                continue
            value = mover * evaluation[child]
        if value > room.values[ply, 0]:
            room.values[ply, 0] = value
            if ply == 0:
                chosen = room.order[0, room.tried[0] - 1]
