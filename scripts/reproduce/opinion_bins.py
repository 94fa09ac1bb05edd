"""Bins of positions by a decision tree, and how much they explain of later opinions.

Baum (1993), footnote 2, divides positions by a feature-based decision tree. ``compare_bins`` asks
on artificial trees whether such bins explain more than those by level alone: the log likelihood of
changes of opinion on trees that were not learned from.
"""

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats, Ints
from scripts.reproduce.artificial_players import GRID, NODES_PER_LEVEL, evaluations
from scripts.reproduce.papers.bpip.opinions import FeatureBins, OpinionChanges
from scripts.reproduce.papers.hennig.trees import grow_tree, level_starts

LEAST_MEMBERS = 500  # of a leaf of the decision tree
LEAST_GAIN = 15.0  # nats on the training positions for a split
COARSE = 4  # values of GRID in a cell of the histograms that choose splits
FEATURES = ("level", "step from the parent", "distance from the siblings", "the parent's step")


def positions_of(
    branching: int, depth: int, noise: float, trees: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return features float64[n, len(FEATURES)] of random positions and their changes float64[n].

    All are Black's; positions at the root and the end are left out.
    """
    starts = level_starts(branching, depth)
    features, changes = [], []
    for _ in range(trees):
        tree = grow_tree(branching, depth, rng)
        found = evaluations(tree, branching, depth, noise, rng)
        for level in range(1, depth):
            nodes = np.unique(rng.integers(starts[level], starts[level + 1], NODES_PER_LEVEL))
            parents = (nodes - 1) // branching
            family = parents[:, np.newaxis] * branching + 1 + np.arange(branching)
            others = (found[family].sum(axis=1) - found[nodes]) / (branching - 1)
            above = found[parents] - found[np.maximum((parents - 1) // branching, 0)]
            steps = found[nodes] - found[parents], found[nodes] - others, above
            features.append(np.column_stack([np.full(len(nodes), level), *steps]))
            changes.append(tree.values[nodes] - found[nodes])
    return np.concatenate(features), np.concatenate(changes)


def _log_likelihood(counts: npt.NDArray[np.float64]) -> float:
    """Return the log likelihood of a histogram under its own shares."""
    filled = counts[counts > 0]
    return float((filled * np.log(filled / counts.sum())).sum())


def split_positions(features: Floats, changes: Floats, tested: Floats) -> tuple[Ints, Ints]:
    """Grow a decision tree greedily; return the leaf of each learned and each tested position.

    features, changes  float64[n, f], float64[n], to learn from
    tested             float64[m, f]
    """
    edges = 0.5 * (GRID[1:] + GRID[:-1])
    cells = np.searchsorted(edges, changes) // COARSE
    count = len(GRID) // COARSE + 1
    learned, asked = np.zeros(len(features), np.int64), np.zeros(len(tested), np.int64)
    waiting, leaves = [0], 1
    while waiting:
        leaf = waiting.pop()
        members = np.flatnonzero(learned == leaf)
        whole = np.bincount(cells[members], minlength=count).astype(float)
        best = LEAST_GAIN, -1, 0.0
        for feature in range(features.shape[1]):
            values = features[members, feature]
            for edge in np.unique(np.quantile(values, np.linspace(0.1, 0.9, 9))):
                low = values <= edge
                if LEAST_MEMBERS <= low.sum() <= len(members) - LEAST_MEMBERS:
                    part = np.bincount(cells[members[low]], minlength=count).astype(float)
                    gain = _log_likelihood(part) + _log_likelihood(whole - part)
                    best = max(best, (gain - _log_likelihood(whole), feature, float(edge)))
        if best[1] >= 0:
            for rows, where in ((features, learned), (tested, asked)):
                where[(where == leaf) & (rows[:, best[1]] > best[2])] = leaves
            waiting += [leaf, leaves]
            leaves += 1
    return learned, asked


def explained(learned: Ints, changes: Floats, asked: Ints, tested: Floats) -> float:
    """Return the mean log likelihood, in nats, of tested changes by bins learned from others."""
    bins = FeatureBins((tuple(number + 0.5 for number in range(int(learned.max()))),))
    opinions = OpinionChanges(bins, GRID, bandwidth=GRID[1] - GRID[0])
    for number, change in zip(learned.tolist(), changes.tolist(), strict=True):
        opinions.record((number,), change)
    cells = np.searchsorted(0.5 * (GRID[1:] + GRID[:-1]), tested)
    return float(np.log(opinions.smoothed()[asked, cells]).mean())


def compare_bins(
    branching: int, depth: int, noise: float, trees: int, rng: np.random.Generator
) -> list[list[float | int | str]]:
    """Return rows (bins, their number, nats a position more than one bin) on new trees."""
    features, changes = positions_of(branching, depth, noise, trees, rng)
    tested, expected = positions_of(branching, depth, noise, trees, rng)
    nothing = np.zeros(len(features), np.int64), np.zeros(len(tested), np.int64)
    levels = features[:, 0].astype(np.int64) - 1, tested[:, 0].astype(np.int64) - 1
    tree = split_positions(features, changes, tested)
    base = explained(nothing[0], changes, nothing[1], expected)
    rows: list[list[float | int | str]] = []
    for name, (learned, asked) in (("levels", levels), ("decision tree", tree)):
        gain = explained(learned, changes, asked, expected) - base
        rows.append([name, int(learned.max()) + 1, gain])
    return rows
