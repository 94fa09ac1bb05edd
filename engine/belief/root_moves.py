"""Beliefs about the moves at the root."""

import math
from collections.abc import Sequence
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
    """The belief about one move at the root. All values are the mover's.

    won         share of the roll-outs through it that were won; won_by: their mean margin [points]
    win_rate    probability to win after it, by the posterior of the position and the move's loss
                beside the best one; with its deviation
    prior       probability that it is the best, before any roll-out: the ranking model's
    value       mean of its value [roll-out steps]; deviation: its uncertainty beside the other
                moves, without the position's own uncertainty that all share
    margin      expected final margin, by the same posterior [points]
    line        the principal variation, this move first
    line_visits roll-outs through each move of the line
    best        probability that a search many times as long would choose it
    margin_deviation  uncertainty of the margin beside the other moves' [points]
    weight      exp(merit); the move with the largest weight is played
    equals      the moves that a symmetry of the position makes equal to this one, which it stands
                for; sorted
    """

    point: int
    playouts: int
    won: float
    won_by: float
    win_rate: float
    win_rate_deviation: float
    value: float
    deviation: float
    margin: float
    prior: float
    line: tuple[int, ...]
    line_visits: tuple[int, ...] = ()
    best: float = 0.0
    margin_deviation: float = 0.0
    weight: float = 0.0
    equals: tuple[int, ...] = ()


class MoveEstimate(NamedTuple):
    """The search's estimate of one move by itself, without the posterior. Values are the mover's.

    node              the move's, in the tree
    value, deviation  as in ``MoveBelief`` [roll-out steps]
    margin            mean margin of its roll-outs, drawn to the position's [points]
    margin_deviation  uncertainty of the margin [points]
    """

    node: int
    value: float
    deviation: float
    margin: float
    margin_deviation: float


class Standing(NamedTuple):
    """A move's place among the root's moves: three fields of ``MoveBelief``."""

    prior: float
    best: float
    weight: float


class Opinions(NamedTuple):
    """The beliefs about the root's moves, by move. Values are the mover's.

    means, deviations  float64[n], of the value relative to the other moves' [roll-out steps]
    visits             int64[n]
    length             mean number of moves of a roll-out from here: Phi(value / sqrt(length)) is
                       the winning probability
    occupied           share of the board's points with a stone
    merits             float64[n], as ``merits`` returns them
    """

    means: Floats
    deviations: Floats
    visits: Ints
    length: float
    occupied: float
    merits: Floats


class RootBelief(NamedTuple):
    """The belief about the root itself. Values are Black's.

    mean, variance  of its value [roll-out steps]
    margin          mean final margin of its roll-outs [points]
    """

    mean: float
    variance: float
    margin: float


class Scales(NamedTuple):
    """The scales that turn a value into a winning probability and give a margin its uncertainty.

    length     mean number of moves of a roll-out from the root
    sharpness  factor of confidence beyond that of roll-outs, see calibration
    margins    deviation of one roll-out's margin, as far as two moves may differ by it [points]
    """

    length: float
    sharpness: float
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

    There the ranking model's first move loses a quarter of a point. A search of 25,600 roll-outs
    moves away from it for worse.
    """
    if int(board[SIZE]) < MOVES.opening_size:
        return 0.0
    stones = int(board[SIZE]) ** 2 - int(board[EMPTY_COUNT])
    return min(max(2.0 - stones / MOVES.opening_stones, 0.0), 1.0)


def opinions_of(tree: Tree, position: Position, model: SearchModel, length: float) -> Opinions:
    """Return the beliefs about the root's moves, for the side to move.

    position  the root's
    length    mean number of moves of a roll-out from the root
    """
    occupied = occupied_share(position.board)
    sign = 1.0 if position.color == BLACK else -1.0
    mean = root_belief(tree, model).mean
    nodes = list(root_moves(tree).values())
    pi, tau = np.zeros((2, len(nodes)))
    child_values(tree, np.array(nodes, np.int64), mean, model, pi, tau)
    visits = tree.visits[nodes].astype(np.int64)
    means, deviations = sign * tau / pi, 1.0 / np.sqrt(pi)
    vote = model.prior_vote + model.opening_vote * opening_share(position.board)
    most = merits(tree, nodes, position.color, means, model._replace(prior_vote=vote))
    return Opinions(
        means=means, deviations=deviations, visits=visits, length=length, occupied=occupied,
        merits=most,
    )  # fmt: skip


def merits(
    tree: Tree, nodes: Sequence[int], color: int, means: Floats, model: SearchModel
) -> Floats:
    """Return float64[n], the merits of moves; the move with the largest one is played.

    A merit is log(visits) + 0.55 * prior step + value. # Deviates: the paper leaves the choice
    open, and most programs play the most visited move. The number of visits of two good moves is
    half luck. In openings the prior step counts for more (``opening_share``).
    nodes  of the root's moves
    color  to move at the root
    means  float64[n], their values, the mover's
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

    This holds as long as only visits change. A single move is ahead of an equal one without visits.
    visits      int64[n], n >= 1
    merits_now  float64[n], as ``merits`` returns them
    """
    best = int(merits_now.argmax())
    counted = np.maximum(np.delete(visits, best), MOVES.untried)
    behind = merits_now[best] - np.delete(merits_now, best)
    needed = counted * np.expm1(behind)
    # If only visits count, it is a whole number apart from rounding.
    return math.ceil(float(np.append(needed, visits[best]).min()) - 1e-6)


def estimates_of(
    tree: Tree, opinions: Opinions, color: int, root: RootBelief, scale: Scales
) -> list[MoveEstimate]:
    """Return the search's estimates of the moves, each by itself.

    color  to move at the root
    """
    sign = 1.0 if color == BLACK else -1.0
    nodes = list(root_moves(tree).values())
    weights = opinions.visits + MOVES.margin_rollouts
    margins = sign * (tree.margins[nodes] + MOVES.margin_rollouts * root.margin) / weights
    unsure = scale.margins * np.sqrt(1.0 / weights + 1.0 / MOVES.lasting_rollouts)
    columns = nodes, opinions.means, opinions.deviations, margins, unsure
    rows = zip(*(np.asarray(column).tolist() for column in columns), strict=True)
    return [
        MoveEstimate(
            node=node, value=value, deviation=deviation, margin=margin, margin_deviation=spread
        )
        for node, value, deviation, margin, spread in rows
    ]


def move_beliefs(
    tree: Tree,
    ranked: Sequence[tuple[MoveEstimate, Standing]],
    color: int,
    posterior: Posterior,
    root: RootBelief,
    scale: Scales,
) -> tuple[MoveBelief, ...]:
    """Return the beliefs about the root's moves that follow from one posterior.

    The best move is worth as much as the position; every other one is worse by its expected loss.
    No move promises more than the best: otherwise the search would have preferred it. Two
    observations of the loss are multiplied: the difference of margins, and that of values. The
    latter becomes probits by P(result | value) = Phi(sharpness * value / sqrt(length + variance)).
    ranked  moves, best first
    """
    sign = 1.0 if color == BLACK else -1.0
    best = ranked[0][0]
    unit = scale.sharpness / math.sqrt(scale.length + best.deviation**2 + root.variance)
    beliefs = []
    # Python's numbers, all at once: a large board has 300 moves, and this is done after each move.
    nodes = [move.node for move, _ in ranked]
    counts = zip(
        tree.move[nodes].tolist(),
        tree.visits[nodes].tolist(),
        tree.wins[nodes].tolist(),
        tree.margins[nodes].tolist(),
        strict=True,
    )
    for (move, standing), (point, visits, wins, margins) in zip(ranked, counts, strict=True):
        lost = expected_loss(best, move, unit * posterior.deviation) if move is not best else 0.0
        after = posterior.nearest(posterior.mean - sign * lost)
        chance = posterior.chance_at(after)
        chance = chance if color == BLACK else 1.0 - chance
        # The search's own uncertainty: a value's deviation as a deviation of the win rate.
        slope = unit * pdf(NORMAL.inv_cdf(chance))
        won = wins / visits if visits else 0.5
        line: tuple[int, ...] = (point,)
        line_visits: tuple[int, ...] = (visits,)
        if visits > 2:  # the next move has at least a visit less
            line, line_visits = principal_variation(tree, move.node)
        beliefs.append(
            MoveBelief(
                point=point,
                playouts=visits,
                won=won if color == BLACK else 1.0 - won,
                won_by=sign * margins / max(visits, 1),
                win_rate=chance,
                win_rate_deviation=slope * math.hypot(move.deviation, math.sqrt(root.variance)),
                value=move.value,
                deviation=move.deviation,
                margin=sign * after,
                prior=standing.prior,
                line=line,
                line_visits=line_visits,
                best=standing.best,
                margin_deviation=move.margin_deviation,
                weight=standing.weight,
            )
        )
    return tuple(beliefs)


def expected_loss(best: MoveEstimate, move: MoveEstimate, points_per_step: float) -> float:
    """Return by how many points a move is expected to be worse than the best one; >= 0.

    points_per_step  margin of one roll-out step of value
    """
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
    """Return the line that begins with a move, and the roll-outs through each move of it.

    The line continues with the most visited moves while they have two visits or more: one visit is
    a guess.
    """
    line = [node]
    if tree.visits[node] > 0:
        while (node := most_visited(tree, node)) != NO_NODE and tree.visits[node] > 1:
            line.append(node)
    return tuple(int(tree.move[n]) for n in line), tuple(int(tree.visits[n]) for n in line)
