"""Distributions of value for tests, and trees of them from nested lists."""

from typing import NamedTuple

import numpy as np

from engine.arrays import ROOT
from scripts.reproduce.papers.bpip import add_children, empty_tree, put_on_grid


class Distribution(NamedTuple):
    """A discrete distribution: rising values and their masses."""

    values: np.ndarray
    masses: np.ndarray


def distribution(masses):
    """Return the distribution with these masses by value."""
    values = sorted(masses)
    return Distribution(np.array(values, np.float64), np.array([masses[v] for v in values]))


def leaves_of(node):
    if isinstance(node, Distribution):
        return [node]
    return [leaf for child in node for leaf in leaves_of(child)]


def tree_from(nested):
    """Return the tree of a nested list: a leaf is a Distribution, the root moves first.

    Every value lies exactly on the grid, which is the union of all leaves' values.
    """
    leaves = leaves_of(nested)
    values = np.concatenate([leaf.values for leaf in leaves])
    grid = np.union1d(values, values.min() - 1.0)
    level = [(ROOT, nested)]
    sizes = [nested]
    for node in sizes:
        if not isinstance(node, Distribution):
            sizes.extend(node)
    tree = empty_tree(grid, len(sizes))
    for number, node in level:
        if isinstance(node, Distribution):
            put_on_grid(tree.grid, tree.cdf, number, node.values, node.masses, 0.0)
        else:
            first = add_children(tree, number, len(node))
            level.extend((first + i, child) for i, child in enumerate(node))
    return tree
