"""Beliefs about the moves at the root."""

import math
from typing import NamedTuple

import numpy as np

from engine.arrays import ROOT, Floats, Ints
from engine.belief.posterior import NORMAL, Posterior
from engine.gaussian import pdf
from engine.go.board import BLACK, EMPTY_COUNT, SIZE, Board
from engine.go.geometry import PASS
from engine.patterns.position import Position
from engine.search.best_first import child_values
from engine.search.model import SearchModel
from engine.search.tree import (
    EVIDENCE_PI,
    EVIDENCE_TAU,
    NO_NODE,
    STEP_MEAN,
    Tree,
    most_visited,
    root_moves,
)


class MoveModel(NamedTuple):
    """The constants of the beliefs about the root's moves."""

    # A roll-out's margin deviates by 60 points on 19x19 and 25 on 9x9, the margins of sibling moves
    # by a tenth of that. A move's own mean therefore weighs as much as the position's after about
    # 100 of them.
    margin_rollouts: int = 100
    # A longer search meets other replies. A move's own roll-outs, however many, do not tell how
    # much that changes its mean margin. The change is as large as the uncertainty of this number of
    # roll-outs.
    lasting_rollouts: int = 500
    # Smallest board with openings like those the model has learned
    opening_size: int = 19
    # Up to this number of stones it is an opening, at twice the number no more
    opening_stones: float = 20.0
    # Visits of a move without any: behind all that were tried, whatever else is said
    untried: float = 1e-9


MOVES = MoveModel()


class MoveBelief(NamedTuple):
    """The belief about one move at the root. All values are the mover's."""

    point: int
    playouts: int
    won: float  # share of the roll-outs through it that were won
    won_by: float  # their mean margin [points]
    # Probability to win after it, by the posterior of the position and the move's loss beside the
    # best one
    win_rate: float
    win_rate_deviation: float
    value: float  # mean of its value [roll-out steps]
    deviation: float  # its uncertainty beside the other moves, without the position's own
    margin: float  # expected final margin, by the same posterior [points]
    prior: float  # probability that it is the best, before any roll-out: the ranking model's
    line: tuple[int, ...]  # the principal variation, this move first
    line_visits: tuple[int, ...] = ()  # roll-outs through each move of the line
    best: float = 0.0  # probability that a search many times as long would choose it
    margin_deviation: float = 0.0  # uncertainty of the margin beside the other moves' [points]
    weight: float = 0.0  # exp(merit); the move with the largest weight is played
    equals: tuple[int, ...] = ()  # moves equal by symmetry, which it stands for; sorted


class MoveEstimate(NamedTuple):
    """The search's estimate of one move by itself, without the posterior; as in ``MoveBelief``."""

    value: float
    deviation: float
    margin: float  # mean margin of its roll-outs, drawn to the position's [points]
    margin_deviation: float  # uncertainty of the margin [points]


class Opinions(NamedTuple):
    """The beliefs about the root's moves, by move. Values are the mover's.

    nodes, visits      int64[n]
    means, deviations  float64[n], of the value relative to the other moves' [roll-out steps]
    """

    color: int
    nodes: Ints
    visits: Ints
    means: Floats
    deviations: Floats
    merits: Floats  # float64[n], as ``merits`` returns them


class RootBelief(NamedTuple):
    """The belief about the root itself. Values are Black's."""

    mean: float  # of its value [roll-out steps]
    variance: float
    margin: float  # mean final margin of its roll-outs [points]


class Scales(NamedTuple):
    """The scales that turn a value into a winning probability and give a margin its uncertainty."""

    length: float  # mean number of moves of a roll-out from the root
    sharpness: float  # factor of confidence beyond that of roll-outs, see calibration
    # Deviation of one roll-out's margin, as far as two moves may differ by it [points]
    margins: float


def root_belief(tree: Tree, model: SearchModel) -> RootBelief:
    """Return the belief about the root."""
    pi = 1.0 / model.root_variance + float(tree.evidence[ROOT, EVIDENCE_PI])
    margin = float(tree.margins[ROOT]) / max(int(tree.visits[ROOT]), 1)
    return RootBelief(float(tree.evidence[ROOT, EVIDENCE_TAU]) / pi, 1.0 / pi, margin)


def occupied_share(board: Board) -> float:
    """Return the share of a board's points that have a stone."""
    return 1.0 - int(board[EMPTY_COUNT]) / int(board[SIZE]) ** 2


def opening_share(board: Board) -> float:
    """Return how far a position is an opening of a large board: 1 wholly, 0 not at all.

    There a search of 25,600 roll-outs moves away from the ranking model's first move for worse.
    """
    if int(board[SIZE]) < MOVES.opening_size:
        return 0.0
    stones = int(board[SIZE]) ** 2 - int(board[EMPTY_COUNT])
    return min(max(2.0 - stones / MOVES.opening_stones, 0.0), 1.0)


def opinions_of(tree: Tree, position: Position, model: SearchModel) -> Opinions:
    """Return the beliefs about the root's moves, for the side to move in its position."""
    sign = 1.0 if position.color == BLACK else -1.0
    nodes = np.array(list(root_moves(tree).values()), np.int64)
    pi, tau = np.zeros((2, len(nodes)))
    child_values(tree, nodes, root_belief(tree, model).mean, model, pi, tau)
    vote = model.prior_vote + model.opening_vote * opening_share(position.board)
    means = sign * tau / pi
    return Opinions(
        color=position.color, nodes=nodes, visits=tree.visits[nodes].astype(np.int64), means=means,
        deviations=1.0 / np.sqrt(pi),
        merits=merits(tree, nodes, position.color, means, model._replace(prior_vote=vote)),
    )  # fmt: skip


def merits(tree: Tree, nodes: Ints, color: int, means: Floats, model: SearchModel) -> Floats:
    """Return float64[n], the merits of moves; the move with the largest one is played.

    A merit is log(visits) + 0.55 * prior step + value. # Deviates: the paper leaves the choice
    open, and most programs play the most visited move. The number of visits of two good moves is
    half luck. In openings the prior step counts for more (``opening_share``).
    means  float64[n], the moves' values, the mover's
    Twin: tests/reference/search.py::played
    """
    sign = 1.0 if color == BLACK else -1.0
    steps = sign * tree.step[nodes, STEP_MEAN]
    # The ranking model knows no passes: it says neither that one is good nor that it is bad.
    steps[tree.move[nodes] == PASS] = steps.max()
    visited = np.log(np.maximum(tree.visits[nodes], MOVES.untried))
    return np.asarray(visited + model.prior_vote * steps + model.value_vote * means)


def rollouts_to_overtake(visits: Ints, merits_now: Floats) -> int:
    """Return how many roll-outs would have to go through another move for it to be played.

    A single move, n = 1, is ahead of an equal one without visits.
    """
    best = int(merits_now.argmax())
    counted = np.maximum(np.delete(visits, best), MOVES.untried)
    behind = merits_now[best] - np.delete(merits_now, best)
    needed = counted * np.expm1(behind)
    # If only visits count, it is a whole number apart from rounding.
    return math.ceil(float(np.append(needed, visits[best]).min()) - 1e-6)


def move_beliefs(
    tree: Tree,
    opinions: Opinions,
    odds: tuple[Floats, Floats],
    posterior: Posterior,
    root: RootBelief,
    scale: Scales,
) -> tuple[MoveBelief, ...]:
    """Return the beliefs about the root's moves that follow from one posterior, best first.

    The best move is worth as much as the position; every other one is worse by its expected loss.
    No move promises more than the best: otherwise the search would have preferred it. Two
    observations of the loss are multiplied: the difference of margins, and that of values. The
    latter becomes probits by P(result | value) = Phi(sharpness * value / sqrt(length + variance)).
    odds  float64[n] each: ``MoveBelief.prior`` and ``MoveBelief.best``
    """
    nodes, is_black = opinions.nodes, opinions.color == BLACK
    sign = 1.0 if is_black else -1.0
    counted = opinions.visits + MOVES.margin_rollouts
    margins = sign * (tree.margins[nodes] + MOVES.margin_rollouts * root.margin) / counted
    unsure = scale.margins * np.sqrt(1.0 / counted + 1.0 / MOVES.lasting_rollouts)
    weights = np.array([math.exp(merit) for merit in opinions.merits])
    order = np.argsort(-weights, kind="stable")
    # Python's numbers, all at once: a large board has 300 moves, and this is done after each move.
    own = opinions.means, opinions.deviations, margins, unsure
    estimates = list(map(MoveEstimate, *(column[order].tolist() for column in own)))
    best = estimates[0]
    unit = scale.sharpness / math.sqrt(scale.length + best.deviation**2 + root.variance)
    counts = nodes, tree.move[nodes], opinions.visits, tree.wins[nodes], tree.margins[nodes]
    rows = zip(*(column[order].tolist() for column in (*counts, *odds, weights)), strict=True)
    beliefs = []
    for move, row in zip(estimates, rows, strict=True):
        node, point, visits, wins, total, prior, chance_of_best, weight = row
        lost = expected_loss(best, move, unit * posterior.deviation) if move is not best else 0.0
        after = posterior.nearest(posterior.mean - sign * lost)
        chance = posterior.chance_at(after)
        chance = chance if is_black else 1.0 - chance
        # The search's own uncertainty: a value's deviation as a deviation of the win rate.
        slope = unit * pdf(NORMAL.inv_cdf(chance))
        won = wins / visits if visits else 0.5
        # With two visits the next move has at most one, which is a guess.
        line = principal_variation(tree, node) if visits > 2 else ((point,), (visits,))
        beliefs.append(
            MoveBelief(
                point=point,
                playouts=visits,
                won=won if is_black else 1.0 - won,
                won_by=sign * total / max(visits, 1),
                win_rate=chance,
                win_rate_deviation=slope * math.hypot(move.deviation, math.sqrt(root.variance)),
                value=move.value,
                deviation=move.deviation,
                margin=sign * after,
                prior=prior,
                line=line[0],
                line_visits=line[1],
                best=chance_of_best,
                margin_deviation=move.margin_deviation,
                weight=weight,
            )
        )
    return tuple(beliefs)


def expected_loss(best: MoveEstimate, move: MoveEstimate, points_per_step: float) -> float:
    """Return by how many points a move is expected to be worse than the best one; >= 0."""
    by_margin = best.margin - move.margin
    by_value = points_per_step * (best.value - move.value)
    unsure_margin = best.margin_deviation**2 + move.margin_deviation**2
    unsure_value = points_per_step**2 * (best.deviation**2 + move.deviation**2)
    # Precisions add up, so the less certain observation weighs less. Before the first roll-out
    # nothing is known of margins, and both may be 0.
    total = unsure_margin + unsure_value
    if unsure_margin <= 0.0 or total <= 0.0:
        return max(by_value, 0.0)
    return max((by_margin * unsure_value + by_value * unsure_margin) / total, 0.0)


def principal_variation(tree: Tree, node: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the most visited line from a move on, while it has two visits, with its visits."""
    line = [node]
    if tree.visits[node] > 0:
        while (node := most_visited(tree, node)) != NO_NODE and tree.visits[node] > 1:
            line.append(node)
    return tuple(int(tree.move[n]) for n in line), tuple(int(tree.visits[n]) for n in line)
