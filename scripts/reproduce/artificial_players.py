"""Players of artificial game trees: full-width minimax and BPIP, and trees grown by relevance.

Baum (1993) in a game with known truth. A position is a node of a complete artificial tree. Its
evaluation is its score plus noise. The change by deeper search is learned from other trees, by
plies left. All values are the mover's, relative to the root position's evaluation.
"""

import numpy as np
import numpy.typing as npt

from engine.arrays import ROOT, Floats, Ints
from engine.jit import kernel
from scripts.reproduce.papers.bpip.grid import mean_of_row, put_on_grid
from scripts.reproduce.papers.bpip.growth import Relevance, choose_gulp, relevance_for, weigh_leaves
from scripts.reproduce.papers.bpip.opinions import FeatureBins, OpinionChanges
from scripts.reproduce.papers.bpip.valuation import (
    ValueTree,
    add_children,
    best_move,
    empty_tree,
    propagate,
)
from scripts.reproduce.papers.hennig.trees import ArtificialTree, grow_tree, level_starts

# Odd, so that 0 is on it: the end of a game changes no opinion.
GRID = np.linspace(-6.0, 6.0, 97)
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
) -> npt.NDArray[np.float64]:
    """Return the distributions of Black's value - evaluation; float64[depth + 1, m], by depth.

    # Deviates: the paper takes values backed up from a search to depth 6. Here they are the true
    ones, which a search to the end would find.
    """
    # One bin a level, because the spread of later opinions depends on the plies left.
    bins = FeatureBins((tuple(level + 0.5 for level in range(depth)),))
    changes = OpinionChanges(bins, GRID, bandwidth=GRID[1] - GRID[0])
    starts = level_starts(branching, depth)
    for _ in range(trees):
        tree = grow_tree(branching, depth, rng)
        found = tree.values - evaluations(tree, branching, depth, noise, rng)
        for level in range(depth + 1):
            for node in range(
                starts[level], min(starts[level + 1], starts[level] + NODES_PER_LEVEL)
            ):
                changes.record((level,), found[node])
    masses = changes.smoothed()
    masses[depth] = 0.0
    masses[depth, len(GRID) // 2] = 1.0  # the end is known exactly
    return masses


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
        # Deviates: values lie on a grid of 97 points; see ``put_on_grid`` in papers/bpip.
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
        self, evaluation: Floats, node: int, level: int, budget: int, measure: str, share: float
    ) -> tuple[int, int]:
        """Return the BPIP move after growth by relevance, and the evaluations it took.

        budget   most evaluations; every added node costs one
        measure  "ess", "frozen" or "metagreedy", a field of Relevance
        share    of the total relevance that one gulp expands
        """
        self._start(node, level)
        self._expand(ROOT, evaluation)
        while True:
            weigh_leaves(self._tree, self._relevance)
            used = int(self._tree.count[0]) - 1
            weights = getattr(self._relevance, measure)[: used + 1].copy()
            weights[self._level[: used + 1] == self.depth] = 0.0  # the end has no children
            gulp = choose_gulp(weights, share, (budget - used) // self.branching)
            if not len(gulp):
                break
            for leaf in gulp:
                self._expand(int(leaf), evaluation)
        return int(self._position[best_move(self._tree)[0]]), used
