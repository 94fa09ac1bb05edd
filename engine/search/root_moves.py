"""What all threads together believe of the moves at the root.

Each thread grows its own tree. A move's prior counts once, the evidence of all its nodes adds up
(natural parameters), as if one tree had seen all the roll-outs.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, EMPTY_COUNT, SIZE
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
    most_visited,
)
from engine.search.utility import Opinions

Nodes = list[tuple[Tree, int]]  # of one move, in each tree that has it
RootMoves = dict[int, Nodes]  # by point


class MoveBelief(NamedTuple):
    """What is known of one move at the root. Everything is the mover's.

    win_rate    share of the roll-outs through it that were won
    prior       probability that it is the best, before any roll-out: the ranking model's
    value       mean of its value [roll-out steps]; deviation: how sure that is beside the other
                moves, for they all share the position's own uncertainty
    margin      mean final margin of its roll-outs [points]
    line        the principal variation, this move first
    """

    point: int
    playouts: int
    win_rate: float
    win_rate_deviation: float
    value: float
    deviation: float
    margin: float
    prior: float
    line: tuple[int, ...]


def root_children(tree: Tree) -> range:
    """Return the nodes of the root's moves."""
    first = int(tree.first_child[ROOT])
    return range(first, first + int(tree.children[ROOT]))


def root_mean(moves: RootMoves, model: SearchModel) -> float:
    """Return the mean of the root's own value, Black's."""
    trees = {id(tree): tree for nodes in moves.values() for tree, _ in nodes}.values()
    pi = 1.0 / model.root_variance + sum(float(tree.evidence[ROOT, EVIDENCE_PI]) for tree in trees)
    return sum(float(tree.evidence[ROOT, EVIDENCE_TAU]) for tree in trees) / pi


def move_value(nodes: Nodes, mean: float, model: SearchModel) -> tuple[float, float]:
    """Return (pi, tau) of a move's value given the root's mean; as ``best_first.child_value``."""
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


def opinions_of(
    moves: RootMoves, position: Position, model: SearchModel, length: float
) -> Opinions:
    """Return what is believed of some root moves, for the side that moves.

    position  the root's
    length    mean number of moves of a roll-out from the root
    """
    board = position.board
    occupied = 1.0 - int(board[EMPTY_COUNT]) / int(board[SIZE]) ** 2
    sign = 1.0 if position.color == BLACK else -1.0
    mean = root_mean(moves, model)
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
    point: int, nodes: Nodes, color: int, mean: float, model: SearchModel, prior: float
) -> MoveBelief:
    """Return what is known of one move.

    color  to move at the root
    mean   of the root's value
    prior  see MoveBelief
    """
    sign = 1.0 if color == BLACK else -1.0
    pi, tau = move_value(nodes, mean, model)
    visits = sum(int(tree.visits[node]) for tree, node in nodes)
    wins = sum(float(tree.wins[node]) for tree, node in nodes)
    margin = sum(float(tree.margins[node]) for tree, node in nodes)
    rate = wins / visits if visits else 0.5
    rate = rate if color == BLACK else 1.0 - rate
    tree, node = max(nodes, key=lambda pair: int(pair[0].visits[pair[1]]))
    return MoveBelief(
        point,
        visits,
        rate,
        math.sqrt((rate * (1.0 - rate) + 0.25 / (visits + 1)) / (visits + 1)),
        sign * tau / pi,
        math.sqrt(1.0 / pi),
        sign * margin / max(visits, 1),
        prior,
        (point, *principal_variation(tree, node)) if visits else (point,),
    )


def principal_variation(tree: Tree, node: int) -> list[int]:
    """Return the most visited moves below a node, as long as they were visited twice."""
    moves = []
    while (node := int(most_visited(tree, node))) != NO_NODE and tree.visits[node] > 1:
        moves.append(int(tree.move[node]))
    return moves
