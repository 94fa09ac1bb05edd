"""What all threads together believe of the moves at the root.

Each thread grows its own tree. A move's prior counts once, the evidence of all its nodes adds up
(natural parameters), as if one tree had seen all the roll-outs.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.gaussian import cdf, pdf
from engine.go.board import BLACK, EMPTY_COUNT, SIZE, Board
from engine.patterns.position import Position
from engine.search.model import RELEVANCE, SearchModel
from engine.search.tree import (
    EVIDENCE_PI,
    EVIDENCE_TAU,
    NO_NODE,
    ROOT,
    STEP_MEAN,
    STEP_VARIANCE,
    Tree,
    find_child,
    most_visited,
)
from engine.search.utility import Opinions

Nodes = list[tuple[Tree, int]]  # of one move, in each tree that has it
RootMoves = dict[int, Nodes]  # by point

# A roll-out's margin deviates by 60 points on 19x19 and 25 on 9x9, the margins of sibling moves by
# a tenth of that: so a move's own mean weighs as much as the position's after about so many.
MARGIN_ROLLOUTS = 100


class MoveBelief(NamedTuple):
    """What is known of one move at the root. Everything is the mover's.

    won         share of the roll-outs through it that were won; won_by: their mean margin [points]
    win_rate    probability to win after it, given all that is believed: the posterior mean; with
                its deviation
    prior       probability that it is the best, before any roll-out: the ranking model's
    value       mean of its value [roll-out steps]; deviation: how sure that is beside the other
                moves, for they all share the position's own uncertainty
    margin      posterior mean of the final margin [points]
    line        the principal variation, this move first
    line_visits roll-outs through each move of the line, by all trees
    best        probability that a search many times as long would choose it
    margin_deviation  how sure the margin is beside the other moves' [points]
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


def root_children(tree: Tree) -> range:
    """Return the nodes of the root's moves."""
    first = int(tree.first_child[ROOT])
    return range(first, first + int(tree.children[ROOT]))


class RootBelief(NamedTuple):
    """What is known of the root itself, by all trees together. Values are Black's.

    mean, variance  of its value [roll-out steps]
    margin          mean final margin of its roll-outs [points]
    """

    mean: float
    variance: float
    margin: float


class Scales(NamedTuple):
    """What makes a value a winning probability, and says how sure a margin is.

    length     mean number of moves of a roll-out from the root
    sharpness  how much surer than roll-outs one may be, see calibration
    margins    deviation of one roll-out's margin, as far as two moves may differ by it [points]
    """

    length: float
    sharpness: float
    margins: float


def root_belief(moves: RootMoves, model: SearchModel) -> RootBelief:
    """Return what the roots of all trees that have some of the moves know."""
    # Each tree once, though every move has a node in it.
    trees = list({id(tree): tree for nodes in moves.values() for tree, _ in nodes}.values())
    pi = 1.0 / model.root_variance + sum(float(tree.evidence[ROOT, EVIDENCE_PI]) for tree in trees)
    tau = sum(float(tree.evidence[ROOT, EVIDENCE_TAU]) for tree in trees)
    visits = max(sum(int(tree.visits[ROOT]) for tree in trees), 1)
    margin = sum(float(tree.margins[ROOT]) for tree in trees) / visits
    return RootBelief(tau / pi, 1.0 / pi, margin)


def move_value(nodes: Nodes, mean: float, model: SearchModel) -> tuple[float, float]:
    """Return (pi, tau) of a move's value given the root's mean; as ``best_first.child_value``."""
    # The same prior step in all trees: it counts once, or n threads would believe it n times.
    tree, node = nodes[0]
    pi = 1.0 / float(tree.step[node, STEP_VARIANCE])
    tau = (mean + float(tree.step[node, STEP_MEAN])) * pi
    if model.lateral:
        weight = sum(float(tree.lateral[node, EVIDENCE_PI]) for tree, node in nodes)
        shrink = 1.0 / (1.0 + weight * model.bias_variance)
        pi += weight * shrink
        tau += sum(float(tree.lateral[node, EVIDENCE_TAU]) for tree, node in nodes) * shrink
    pi += sum(float(tree.evidence[node, EVIDENCE_PI]) for tree, node in nodes)
    tau += sum(float(tree.evidence[node, EVIDENCE_TAU]) for tree, node in nodes)
    return pi, tau


def occupied_share(board: Board) -> float:
    """Return the share of a board's points that have a stone."""
    return 1.0 - int(board[EMPTY_COUNT]) / int(board[SIZE]) ** 2


def opinions_of(
    moves: RootMoves, position: Position, model: SearchModel, length: float
) -> Opinions:
    """Return what is believed of some root moves, for the side that moves.

    position  the root's
    length    mean number of moves of a roll-out from the root
    """
    occupied = occupied_share(position.board)
    sign = 1.0 if position.color == BLACK else -1.0
    mean = root_belief(moves, model).mean
    values = np.array([move_value(nodes, mean, model) for nodes in moves.values()])
    visits = [sum(int(tree.visits[node]) for tree, node in nodes) for nodes in moves.values()]
    pi, tau = values.reshape(-1, 2).T
    visits_of = np.array(visits, np.int64)
    means, deviations = sign * tau / pi, 1.0 / np.sqrt(pi)
    played = max(range(len(visits)), key=lambda i: merit(visits[i], float(means[i]), model))
    return Opinions(means, deviations, visits_of, length, occupied, sign * mean, played)


def merit(visits: int, value: float, model: SearchModel) -> tuple[float, float]:
    """Return what the move that is played has most of; of equals the first is played.

    With RELEVANCE turns go where there is something to learn, and visits say little.
    """
    return (value, visits) if model.policy == RELEVANCE else (visits, value)


def belief_of(
    point: int, nodes: Nodes, color: int, root: RootBelief, scale: Scales, model: SearchModel
) -> MoveBelief:
    """Return what is known of one move, its prior and its chance to be the best aside.

    The belief about its value, not the share of roll-outs won, says how probable it is to win: a
    few roll-outs tell next to nothing. Judged by searches 20 times as long it errs by a third of
    what shares err (scripts.check.shown_values).
    color  to move at the root
    """
    sign = 1.0 if color == BLACK else -1.0
    pi, tau = move_value(nodes, root.mean, model)
    visits = sum(int(tree.visits[node]) for tree, node in nodes)
    wins = sum(float(tree.wins[node]) for tree, node in nodes)
    margins = sum(float(tree.margins[node]) for tree, node in nodes)
    won = wins / visits if visits else 0.5
    # P(result | value) = Phi(value / sqrt(length)), and the value is not known exactly either.
    variance = 1.0 / pi + root.variance
    unit = scale.sharpness / math.sqrt(scale.length + variance)
    score = unit * sign * tau / pi
    return MoveBelief(
        point,
        visits,
        won if color == BLACK else 1.0 - won,
        sign * margins / max(visits, 1),
        float(cdf(score)),
        float(pdf(score)) * unit * math.sqrt(variance),
        sign * tau / pi,
        math.sqrt(1.0 / pi),
        sign * (margins + MARGIN_ROLLOUTS * root.margin) / (visits + MARGIN_ROLLOUTS),
        0.0,
        *principal_variation(nodes),
        margin_deviation=scale.margins / math.sqrt(visits + MARGIN_ROLLOUTS),
    )


def none_above_the_best(moves: list[MoveBelief]) -> tuple[MoveBelief, ...]:
    """Return moves, best first, of which none promises more than the best.

    What another move's belief is above that of the one that would be played is luck, or it would
    have been looked at more. And programs show the largest number of all moves as the position's.
    """
    best = moves[0]
    return tuple(
        move._replace(
            win_rate=min(move.win_rate, best.win_rate), margin=min(move.margin, best.margin)
        )
        for move in moves
    )


def principal_variation(nodes: Nodes) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the line that begins with a move, and the roll-outs through each move of it.

    On go the most visited moves of the tree that knows the first one best, as long as they were
    visited twice there: one visit was anybody's guess.
    """
    best, node = max(nodes, key=lambda pair: int(pair[0].visits[pair[1]]))
    line = [int(best.move[node])]
    if best.visits[node] > 0:
        while (node := int(most_visited(best, node))) != NO_NODE and best.visits[node] > 1:
            line.append(int(best.move[node]))
    visits = [0] * len(line)
    for tree, node in nodes:
        for ply, move in enumerate(line):
            node = node if ply == 0 else int(find_child(tree, node, move))
            if node == NO_NODE:
                break
            visits[ply] += int(tree.visits[node])
    return tuple(line), tuple(visits)
