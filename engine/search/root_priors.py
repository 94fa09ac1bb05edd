"""Prior steps of single moves at the root, from sources that know more than the ranking model.

A move may be urged or discouraged: its step is at least, or at most, a given value. Setting a step
twice changes nothing, so a tree that is kept from move to move needs no bookkeeping.

The module also adds moves that the ranking model leaves out but that must not be missing.
"""

from collections.abc import Iterable, Set
from typing import NamedTuple

import numpy as np

from engine.arrays import ROOT
from engine.go.board import BLACK, Board
from engine.jit import kernel
from engine.picture.picture import picture_of
from engine.search.tree import (
    NO_NODE,
    STEP_MEAN,
    TREE_CAPACITY,
    TREE_COUNT,
    Tree,
    add_node,
    adopt_children,
    copy_node,
    find_child,
)


class PriorStep(NamedTuple):
    """A belief about the step to one move: the mover's mean and the variance [roll-out steps]."""

    point: int
    # True: the mean is raised to this value, with this variance, and the move becomes a child if it
    # was none; False: the mean is lowered to this value, the variance stays
    at_least: bool
    mean: float  # the mover's
    variance: float


def set_prior_steps(tree: Tree, color: int, steps: Iterable[PriorStep]) -> None:
    """Give some of the root's children their prior steps, for the color to move there."""
    sign = 1.0 if color == BLACK else -1.0
    for point, at_least, mean, variance in steps:
        child = find_child(tree, ROOT, point)
        if child == NO_NODE:
            # The move was left out as too far behind: only a reason to play it brings it in.
            if at_least:
                bring_in(tree, point, sign * mean, variance)
        elif at_least:
            tree.step[child] = sign * max(sign * tree.step[child, STEP_MEAN], mean), variance
        else:
            tree.step[child, STEP_MEAN] = sign * min(sign * tree.step[child, STEP_MEAN], mean)


def bring_in(tree: Tree, point: int, mean: float, variance: float) -> None:
    """Make a move a new child of the root, with Black's step, unless the tree is full."""
    if make_room(tree, ROOT):
        child = int(add_node(tree, ROOT, point))
        tree.children[ROOT] += 1
        tree.step[child] = mean, variance


def add_last_liberties(
    tree: Tree, board: Board, moves: Set[int], mean: float, variance: float
) -> None:
    """Bring in the moves at the last liberty of a chain: they capture it, or rescue it.

    Experts rarely take stones that cannot be saved, so the ranking model leaves such moves out. But
    some of these moves make the second eye, and a move that is no child of the root is never
    played.
    """
    last = {chain.liberties[0] for chain in picture_of(board).chains if chain.in_atari}
    for point in sorted(last & moves):
        if find_child(tree, ROOT, point) == NO_NODE:
            bring_in(tree, point, mean, variance)


@kernel
def make_room(tree: Tree, node: int) -> bool:
    """Make the children of a node the last nodes of the arena, so that one more can follow.

    Their old places are lost until the tree is copied. False: the tree is too full, as it was.
    """
    first = tree.first_child[node]
    count = np.int64(tree.children[node])
    if first != NO_NODE and first + count == tree.meta[TREE_COUNT]:
        return tree.meta[TREE_COUNT] < tree.meta[TREE_CAPACITY]
    if tree.meta[TREE_COUNT] + count + 1 > tree.meta[TREE_CAPACITY]:
        return False
    moved = tree.meta[TREE_COUNT]
    for child in range(first, first + count):
        copy = add_node(tree, node, np.int64(tree.move[child]))
        copy_node(tree, child, tree, copy)
        tree.first_child[copy] = tree.first_child[child]
        tree.children[copy] = tree.children[child]
        adopt_children(tree, copy)
    tree.first_child[node] = moved
    return True
