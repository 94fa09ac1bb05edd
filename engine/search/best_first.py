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
# maximum's optimism at few visits. The printed algorithm is in ``artificial``.

The slow twin is tests/reference/search.py.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import (
    BLACK,
    BOARD_CELLS,
    EMPTIES,
    EMPTY,
    EMPTY_COUNT,
    KO,
    SIZE,
    WHITE,
    Board,
    Mask,
    Points,
    copy_into,
    place,
)
from engine.go.geometry import AREA, MAX_SIZE, PASS, STRIDE
from engine.go.scoring import own_points
from engine.jit import kernel
from engine.patterns.evidence import MEMORY, new_memory, remember_move
from engine.patterns.matching import (
    Candidates,
    Matcher,
    match_moves_into,
    new_candidates,
    new_matcher,
)
from engine.patterns.valuing import PatternKnowledge, value_moves
from engine.rollout.guided import GuidedPolicy, LocalWork, guided_roll_out, new_local_work
from engine.rollout.uniform import RandomState, final_owner, is_playable, roll_out
from engine.search.messages import rollout_message
from engine.search.tree import (
    CAPACITY,
    COUNT,
    MEAN,
    NO_NODE,
    PI,
    ROOT,
    TAU,
    VARIANCE,
    Floats,
    Tree,
    add_node,
)

MAX_PLIES = 512
GULP = 64  # descents that policy RELEVANCE shares out at a time
MARGIN_SQUARES, LENGTHS = 0, 1  # slots of SearchWork.sums
UNIFORM_SCALE = math.sqrt(3.0) / 65536.0


THOMPSON, OPTIMISTIC, RELEVANCE = 0, 1, 2  # SearchModel.policy


class SearchModel(NamedTuple):
    """Constants of the model; the unit of scores is one step of a roll-out."""

    root_variance: float = 25.0  # prior of the root's value
    step_variance: float = 2.0  # prior of a step where nothing is known of the move
    bias_variance: float = 0.2  # how far all-moves-as-first evidence may be off
    exploration: float = 0.3  # deviations of the sampled values, 1 = Thompson's own
    guided: bool = True  # roll-outs by the learned policy; else uniform
    informed: bool = True  # prior steps by the ranking model; else all moves alike
    expand_visits: int = 2  # roll-outs through a node before its children are added
    informed_variance: float = 1.0  # prior of a step where the ranking model has its say
    prior_scale: float = 0.5  # roll-out steps that a unit of the ranking model's value is worth
    prior_window: float = 5.0  # moves further behind the best are no children
    lateral: bool = True  # all-moves-as-first evidence
    policy: int = THOMPSON  # how a child is chosen
    optimism: float = 1.0  # OPTIMISTIC: deviations added to every mean


class SearchWork(NamedTuple):
    """Scratch space and tallies of one search thread."""

    board: Board  # (BOARD_CELLS,)
    first: Mask  # (AREA,) color that first played each point
    path: npt.NDArray[np.int64]  # (MAX_PLIES,) nodes from the root down
    beliefs: Floats  # (MAX_PLIES, 2) moments of the values on the path
    local: LocalWork
    rng: RandomState
    matcher: Matcher
    memory: npt.NDArray[np.int64]  # (MEMORY,) the last moves before the node
    candidates: Candidates
    values: Floats  # (MAX_SIZE ** 2,) the ranking model's, by candidate
    owned: npt.NDArray[np.int64]  # (AREA,) roll-outs that Black owned a point minus White's
    sums: Floats  # (2,) of squared final margins, of lengths from the root; see below
    turns: npt.NDArray[np.int64]  # (1 + GULP,) how many follow, then root children to descend into
    no_dead: Mask  # (AREA,) zeros
    stack: Points  # (AREA,)


def new_search_work(size: int, *entropy: int) -> SearchWork:
    """Return fresh scratch space for a board size; ``entropy`` seeds the random numbers."""
    return SearchWork(
        np.zeros(BOARD_CELLS, np.uint16),
        np.zeros(AREA, np.uint8),
        np.zeros(MAX_PLIES, np.int64),
        np.zeros((MAX_PLIES, 2)),
        new_local_work(),
        np.random.SeedSequence(entropy).generate_state(1, np.uint64) | np.uint64(1),
        new_matcher(size),
        new_memory(),
        new_candidates(),
        np.zeros(MAX_SIZE * MAX_SIZE),
        np.zeros(AREA, np.int64),
        np.zeros(2),
        np.zeros(1 + GULP, np.int64),
        np.zeros(AREA, np.uint8),
        np.zeros(AREA, np.int64),
    )


@kernel
def draw_normal(rng: RandomState) -> float:
    """Return a nearly normal random number: four 16-bit uniforms added up (Irwin-Hall).

    Bounded by 3.46 deviations, which is plenty for choosing, and ten times as fast as exact.
    """
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x
    low = np.uint64(0xFFFF)
    total = np.int64(x & low) + np.int64((x >> np.uint64(16)) & low)
    total += np.int64((x >> np.uint64(32)) & low) + np.int64(x >> np.uint64(48))
    return (total - 131070) * UNIFORM_SCALE


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
def expand(
    tree: Tree,
    node: int,
    board: Board,
    color: int,
    passes: int,
    model: SearchModel,
    patterns: PatternKnowledge,
    work: SearchWork,
) -> bool:
    """Add a child for every sensible move; return False when the tree is full.

    The step to a child is as far behind the best move's as the ranking model says, and moves far
    behind are left out. A pass is a child once somebody has passed, late in the game, and when
    nothing else is left.
    board  uint16[BOARD_CELLS], the node's position; only the order of EMPTIES may change
    """
    count = np.int64(board[EMPTY_COUNT])
    if tree.meta[COUNT] + count + 1 > tree.meta[CAPACITY]:
        return False
    size = np.int64(board[SIZE])
    first = tree.meta[COUNT]
    if model.informed:
        add_informed(tree, node, board, color, model, patterns, work)
    else:
        for i in range(count):
            point = np.int64(board[EMPTIES + i])
            if is_playable(board, point, color):
                tree.step[add_node(tree, node, point), VARIANCE] = model.step_variance
    if tree.meta[COUNT] == first or passes > 0 or 3 * count < size * size:
        tree.step[add_node(tree, node, PASS), VARIANCE] = model.step_variance
    tree.first_child[node] = first
    tree.children[node] = tree.meta[COUNT] - first
    return True


@kernel
def add_informed(
    tree: Tree,
    node: int,
    board: Board,
    color: int,
    model: SearchModel,
    patterns: PatternKnowledge,
    work: SearchWork,
) -> None:
    """Add the children that the ranking model finds worth considering, with its prior steps."""
    sign = 1.0 if color == BLACK else -1.0
    found = work.candidates
    count = match_moves_into(work.matcher, patterns.keys, board, work.memory, color, True, found)
    best = value_moves(patterns, found, count, work.values)
    for i in range(count):
        behind = best - work.values[i]
        if behind > model.prior_window or not is_playable(board, found.points[i], color):
            continue
        child = add_node(tree, node, found.points[i])
        tree.step[child, MEAN] = -sign * model.prior_scale * behind
        tree.step[child, VARIANCE] = model.informed_variance


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
    descents  int64, how many roll-outs to add
    memory    int64[MEMORY], the moves before the position (patterns.evidence.remember_move)
    work      SearchWork, changes in place
    """
    for _ in range(descents):
        copy_into(board, work.board)
        for i in range(MEMORY):
            work.memory[i] = memory[i]
        depth, mover, passed = descend(tree, color, passes, model, patterns, work)
        length, area = play_to_end(tree, depth, mover, passed, last, model, policy, work)
        margin = area - komi
        work.sums[MARGIN_SQUARES] += margin * margin
        work.sums[LENGTHS] += depth + length
        back_up(tree, depth, mover, length, margin, work)
