"""The children of a node: the moves worth considering, with their prior steps."""

import numpy as np

from engine.go.board import BLACK, EMPTIES, EMPTY_COUNT, SIZE
from engine.go.geometry import PASS
from engine.jit import kernel
from engine.patterns.matching import match_moves_into
from engine.patterns.position import Position
from engine.patterns.valuing import PatternKnowledge, value_moves
from engine.rollout.uniform import is_playable
from engine.search.model import SearchModel
from engine.search.tree import (
    STEP_MEAN,
    STEP_VARIANCE,
    TREE_CAPACITY,
    TREE_COUNT,
    Tree,
    add_node,
)
from engine.search.work import SearchWork


@kernel
def expand(
    tree: Tree,
    node: int,
    position: Position,
    model: SearchModel,
    patterns: PatternKnowledge,
    work: SearchWork,
) -> bool:
    """Add a child for every sensible move; return False when the tree is full.

    The step to a child is as far behind the best move's as the ranking model says, and moves far
    behind are left out. A pass is a child once somebody has passed, late in the game, and when
    nothing else is left.
    position  Position, the node's; only the order of the board's EMPTIES may change
    """
    board = position.board
    count = np.int64(board[EMPTY_COUNT])
    # Room for every empty point and a pass, so that nothing below has to ask again.
    if tree.meta[TREE_COUNT] + count + 1 > tree.meta[TREE_CAPACITY]:
        return False
    size = np.int64(board[SIZE])
    first = tree.meta[TREE_COUNT]  # children lie side by side, see tree
    if model.informed:
        add_informed(tree, node, position, model, patterns, work)
    else:
        for i in range(count):
            point = np.int64(board[EMPTIES + i])
            if is_playable(board, point, position.color):
                tree.step[add_node(tree, node, point), STEP_VARIANCE] = model.step_variance
    if tree.meta[TREE_COUNT] == first or position.passes > 0 or 3 * count < size * size:
        tree.step[add_node(tree, node, PASS), STEP_VARIANCE] = model.step_variance
    tree.first_child[node] = first
    tree.children[node] = tree.meta[TREE_COUNT] - first
    return True


@kernel
def add_informed(
    tree: Tree,
    node: int,
    position: Position,
    model: SearchModel,
    patterns: PatternKnowledge,
    work: SearchWork,
) -> None:
    """Add the children that the ranking model finds worth considering, with its prior steps."""
    board, color = position.board, position.color
    sign = 1.0 if color == BLACK else -1.0
    found = work.candidates
    count = match_moves_into(
        work.matcher, patterns.keys, board, position.memory, color, True, found
    )
    best = value_moves(patterns, work.matcher, color, found, count, work.values)
    for i in range(count):
        behind = best - work.values[i]
        # The ranking model knows legal moves, own eyes among them; roll-outs fill none.
        if behind > model.prior_window or not is_playable(board, found.points[i], color):
            continue
        child = add_node(tree, node, found.points[i])
        # Relative to the best: the parent's value is already that of playing well.
        tree.step[child, STEP_MEAN] = -sign * model.prior_scale * behind
        tree.step[child, STEP_VARIANCE] = model.informed_variance
