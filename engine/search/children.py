"""The children of a node: the moves worth considering, with their prior steps."""

import numpy as np

from engine.arrays import ROOT
from engine.go.board import BLACK, EMPTIES, EMPTY_COUNT, SIZE
from engine.go.geometry import PASS
from engine.jit import exchange_if, kernel, publish
from engine.patterns.contender_facts import rank_moves
from engine.patterns.position import Position
from engine.patterns.trees import Trees
from engine.patterns.valuing import PatternKnowledge
from engine.rollout.uniform import is_playable
from engine.search.model import SearchModel
from engine.search.tree import (
    ADDING,
    NO_NODE,
    STEP_MEAN,
    STEP_VARIANCE,
    Tree,
    reserve,
    set_node,
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
    """Add a child for every sensible move; False if the tree is full or another thread expands it.

    The ranking model's distance to the best move gives the prior step, and moves far behind are
    left out. A pass is a child after a pass, late in the game, and when no other move is left.
    """
    # One thread adds them. Another one that arrives meanwhile plays its roll-out from here.
    if not exchange_if(tree.first_child, node, NO_NODE, ADDING):
        return False
    board = position.board
    empties = np.int64(board[EMPTY_COUNT])
    size = np.int64(board[SIZE])
    count = 0
    if model.informed:
        trees = patterns.trees if node == ROOT else patterns.quick_trees
        count = list_informed(position, model, patterns, trees, work)
    else:
        for i in range(empties):
            point = np.int64(board[EMPTIES + i])
            if is_playable(board, point, position.color):
                count = list_move(work, count, point, 0.0, model.step_variance)
    if count == 0 or position.passes > 0 or 3 * empties < size * size:
        mean, variance = 0.0, model.step_variance
        # The ranking model knows no passes. A pass as good as the model's first move would keep a
        # search from looking at moves. A second pass that ends the game as it stands must be tried.
        ends = position.stands and position.passes > 0
        if model.informed and count > 0 and not ends:
            sign = 1.0 if position.color == BLACK else -1.0
            mean = -sign * model.prior_scale * model.pass_behind
            variance = model.informed_variance
        count = list_move(work, count, PASS, mean, variance)
    first = reserve(tree, count)  # children lie side by side, see tree
    if first != NO_NODE:
        for i in range(count):
            set_node(tree, first + i, node, work.moves[i])
            tree.step[first + i, STEP_MEAN] = work.steps[i, STEP_MEAN]
            tree.step[first + i, STEP_VARIANCE] = work.steps[i, STEP_VARIANCE]
        tree.children[node] = count
    publish(tree.first_child, node, first)
    return first != NO_NODE


@kernel
def list_move(work: SearchWork, count: int, move: int, mean: float, variance: float) -> int:
    """Note a future child and its prior step; return the new count."""
    work.moves[count] = move
    work.steps[count, STEP_MEAN] = mean
    work.steps[count, STEP_VARIANCE] = variance
    return count + 1


@kernel
def refine_steps(
    tree: Tree,
    node: int,
    position: Position,
    model: SearchModel,
    patterns: PatternKnowledge,
    work: SearchWork,
) -> None:
    """Set the prior steps of a node's children again, by all trees of the ranking model."""
    found = work.candidates
    sign = 1.0 if position.color == BLACK else -1.0
    count = rank_moves(patterns, patterns.trees, work.matcher, position, found, work.behind)
    for child in range(tree.first_child[node], tree.first_child[node] + tree.children[node]):
        for i in range(count):
            if found.points[i] == tree.move[child]:
                tree.step[child, STEP_MEAN] = -sign * model.prior_scale * work.behind[i]


@kernel
def list_informed(
    position: Position,
    model: SearchModel,
    patterns: PatternKnowledge,
    trees: Trees,
    work: SearchWork,
) -> int:
    """List the moves that the ranking model finds worth considering; return their number."""
    board, color = position.board, position.color
    sign = 1.0 if color == BLACK else -1.0
    found = work.candidates
    candidates = rank_moves(patterns, trees, work.matcher, position, found, work.behind)
    count = 0
    for i in range(candidates):
        behind = work.behind[i]
        # The ranking model knows all legal moves, own eyes included; roll-outs fill no eyes.
        if behind > model.prior_window or not is_playable(board, found.points[i], color):
            continue
        # Relative to the best move: the parent's value is already that of good play.
        mean = -sign * model.prior_scale * behind
        count = list_move(work, count, found.points[i], mean, model.informed_variance)
    return count
