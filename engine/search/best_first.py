"""The playing search: descents by sampled values, roll-outs, messages back to the root.

The model is Hennig, Stern & Graepel's (2010): a position has a latent score, its children differ
from it by Gaussian steps, and a roll-out of length l shows the sign of a Gaussian of variance l
around it. Each descent samples a value for every child from its belief and follows the best one
(Thompson sampling), until it leaves the tree; the roll-out from there becomes a Gaussian message
to every node on the way. A child's belief is the product of

    step      the parent's value plus a prior step (ranking model, or the same for all)
    lateral   all-moves-as-first evidence, with the variance of its bias added
    evidence  the messages of the roll-outs that went through it

# Deviates: the paper passes a message up through the steps (Eq. 5), which keeps no more than
# 1/variance of a step of whatever was learned below, because it takes roll-outs for random from
# the root on. Ours follow beliefs about values, so their results are evidence on the *value* and
# reach every ancestor in full. # Deviates: so there is no separate maximum over children (Eq. 3):
# the mean result of descents that follow the best child converges to its value, without the
# maximum's optimism at few visits. The printed algorithm is engine.hennig.

The slow twin is tests/reference/search.py.
"""

import math

import numpy as np
import numpy.typing as npt

from engine.go.board import BLACK, EMPTY, KO, SIZE, WHITE, Board, copy_into, place
from engine.go.geometry import AREA, PASS, STRIDE
from engine.go.scoring import own_points
from engine.jit import kernel
from engine.patterns.evidence import MEMORY, remember_move
from engine.patterns.valuing import PatternKnowledge
from engine.randomness import RandomState, draw_normal
from engine.rollout.guided import GuidedPolicy, guided_roll_out
from engine.rollout.message import rollout_message
from engine.rollout.uniform import final_owner, roll_out
from engine.search.children import expand
from engine.search.model import (
    LENGTHS,
    MARGIN_SQUARES,
    MAX_PLIES,
    OPTIMISTIC,
    SearchModel,
    SearchWork,
)
from engine.search.tree import MEAN, NO_NODE, PI, ROOT, TAU, VARIANCE, Tree


@kernel
def child_value(tree: Tree, child: int, mean: float, model: SearchModel) -> tuple[float, float]:
    """Return the belief about a child's value, given its parent's mean.

    returns  (pi, tau), natural parameters
    """
    pi = 1.0 / tree.step[child, VARIANCE]
    tau = (mean + tree.step[child, MEAN]) * pi
    weight = tree.lateral[child, PI]
    if model.lateral and weight > 0.0:
        shrink = 1.0 / (1.0 + weight * model.bias_variance)
        pi += weight * shrink
        tau += tree.lateral[child, TAU] * shrink
    return pi + tree.evidence[child, PI], tau + tree.evidence[child, TAU]


@kernel
def choose_child(
    tree: Tree, node: int, sign: float, mean: float, model: SearchModel, rng: RandomState
) -> int:
    """Sample each child's value from its belief and return the child with the mover's best.

    OPTIMISTIC adds a share of the deviation instead of a random number; RELEVANCE differs at the
    root alone, where the turns are shared out beforehand (utility.relevances).
    Source: Thompson (1933); Hennig et al. (2010), Sec. 2.5.
    sign  float64, +1.0 Black moves, -1.0 White
    mean  float64, of the node's own value
    """
    first = tree.first_child[node]
    best = np.int64(first)
    best_value = -np.inf
    for child in range(first, first + tree.children[node]):
        pi, tau = child_value(tree, child, mean, model)
        if model.policy == OPTIMISTIC:
            noise = model.optimism
        else:
            noise = model.exploration * draw_normal(rng)
        value = sign * tau / pi + noise / math.sqrt(pi)
        if value > best_value:
            best_value = value
            best = np.int64(child)
    return best


@kernel
def descend(
    tree: Tree,
    color: int,
    passes: int,
    model: SearchModel,
    patterns: PatternKnowledge,
    work: SearchWork,
) -> tuple[int, int, int]:
    """Go from the root to a node outside of the tree's inner part, playing the moves.

    color    int64, to move at the root
    passes   int64, passes in a row before the root
    work     SearchWork; board holds the root's position and becomes the node's; path, beliefs
    returns  (depth of the node, color to move there, passes in a row there), all int64
    """
    node = ROOT
    depth = 0
    pi = 1.0 / model.root_variance + tree.evidence[ROOT, PI]
    work.path[0] = ROOT
    work.beliefs[0, MEAN] = tree.evidence[ROOT, TAU] / pi
    work.beliefs[0, VARIANCE] = 1.0 / pi
    while passes < 2 and depth < MAX_PLIES - 1:
        if tree.first_child[node] == NO_NODE and (
            (tree.visits[node] < model.expand_visits and node != ROOT)
            or not expand(tree, node, work.board, color, passes, model, patterns, work)
        ):
            break
        sign = 1.0 if color == BLACK else -1.0
        mean = work.beliefs[depth, MEAN]
        if node == ROOT and work.turns[0] > 0:
            node = work.turns[work.turns[0]]
            work.turns[0] -= 1
        else:
            node = choose_child(tree, node, sign, mean, model, work.rng)
        pi, tau = child_value(tree, node, mean, model)
        depth += 1
        work.path[depth] = node
        work.beliefs[depth, MEAN] = tau / pi
        work.beliefs[depth, VARIANCE] = 1.0 / pi
        move = np.int64(tree.move[node])
        if move == PASS:
            passes += 1
            work.board[KO] = 0
        else:
            passes = 0
            place(work.board, move, color)
        remember_move(work.board, work.memory, move)
        color = 3 - color
    return depth, color, passes


@kernel
def back_up(
    tree: Tree, depth: int, color: int, length: int, margin: float, work: SearchWork
) -> None:
    """Tell every node on the path how the game from there ended.

    tree    Tree, changes in place
    depth   int64, of the node where the roll-out began
    color   int64, to move there
    length  int64, moves of the roll-out
    margin  float64, Black's final margin with komi; 0 is jigo
    work    SearchWork; first changes in place: moves of the path come before the roll-out's
    """
    win = 1.0 if margin > 0.0 else 0.5 if margin == 0.0 else 0.0
    result = 1.0 if margin > 0.0 else -1.0
    for up in range(depth, -1, -1):
        node = work.path[up]
        plies = np.float64(max(length + depth - up, 1))
        mean = work.beliefs[up, MEAN]
        pi, tau, _ = rollout_message(mean, work.beliefs[up, VARIANCE], result, plies)
        if margin == 0.0:  # a jigo says that the score is about 0
            tau = 0.0
        tree.visits[node] += 1
        tree.wins[node] += win
        tree.margins[node] += margin
        tree.evidence[node, PI] += pi
        tree.evidence[node, TAU] += tau
        first = tree.first_child[node]
        if first != NO_NODE:
            for child in range(first, first + tree.children[node]):
                if work.first[tree.move[child]] == color:
                    tree.lateral[child, PI] += pi
                    tree.lateral[child, TAU] += tau
        color = 3 - color
        if tree.move[node] != PASS:
            work.first[tree.move[node]] = color


@kernel
def tally_owners(board: Board, owned: npt.NDArray[np.int64]) -> int:
    """Count who owns each point of a finished board; return Black's margin without komi."""
    size = np.int64(board[SIZE])
    margin = 0
    for row in range(1, size + 1):
        for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
            owner = final_owner(board, point)
            owned[point] += owner
            margin += owner
    return margin


@kernel
def end_game(work: SearchWork) -> int:
    """Count the area after two passes, larger territories included; nobody plays any further.

    work     SearchWork; first and owned change in place
    returns  int64, Black's margin without komi
    """
    owner = work.first
    own_points(work.board, work.no_dead, owner, work.stack)
    margin = 0
    for point in range(AREA):
        sign = (owner[point] == BLACK) - np.int64(owner[point] == WHITE)
        work.owned[point] += sign
        margin += sign
        work.first[point] = EMPTY
    return margin


@kernel
def play_to_end(
    tree: Tree,
    depth: int,
    color: int,
    passes: int,
    last: int,
    model: SearchModel,
    policy: GuidedPolicy,
    work: SearchWork,
) -> tuple[int, int]:
    """Play a roll-out from where a descent ended.

    depth, color, passes  int64, as ``descend`` returned them
    last     int64, the move before the root, or PASS
    work     SearchWork; board and first change in place
    returns  (length of the roll-out, Black's margin without komi), both int64
    """
    if passes >= 2:
        return 0, end_game(work)
    size = np.int64(work.board[SIZE])
    limit = 3 * size * size
    if model.guided:
        before = np.int64(tree.move[work.path[depth]]) if depth > 0 else last
        length = guided_roll_out(
            work.board, color, before, work.rng, work.first, limit, policy, work.local
        )
    else:
        length = roll_out(work.board, color, work.rng, work.first, limit)
    return length, tally_owners(work.board, work.owned)


@kernel
def enter(board: Board, memory: npt.NDArray[np.int64], work: SearchWork) -> None:
    """Put the root's position and the moves before it on the work's board and memory."""
    copy_into(board, work.board)
    for i in range(MEMORY):
        work.memory[i] = memory[i]


@kernel
def search(
    tree: Tree,
    board: Board,
    color: int,
    last: int,
    passes: int,
    komi: float,
    descents: int,
    memory: npt.NDArray[np.int64],
    model: SearchModel,
    policy: GuidedPolicy,
    patterns: PatternKnowledge,
    work: SearchWork,
) -> None:
    """Grow the tree by a number of descents.

    tree      Tree, changes in place; its root is this position
    board     uint16[BOARD_CELLS], the position
    color     int64, to move
    last      int64, the move before, or PASS
    passes    int64, passes in a row before this position
    komi      float64, points for White, handicap compensation included
    descents  int64, how many roll-outs to add; 0: only the root gets its children
    memory    int64[MEMORY], the moves before the position (patterns.evidence.remember_move)
    work      SearchWork, changes in place
    """
    if descents == 0 and tree.first_child[ROOT] == NO_NODE:
        enter(board, memory, work)
        expand(tree, ROOT, work.board, color, passes, model, patterns, work)
    for _ in range(descents):
        enter(board, memory, work)
        depth, mover, passed = descend(tree, color, passes, model, patterns, work)
        length, area = play_to_end(tree, depth, mover, passed, last, model, policy, work)
        margin = area - komi
        work.sums[MARGIN_SQUARES] += margin * margin
        work.sums[LENGTHS] += depth + length
        back_up(tree, depth, mover, length, margin, work)
