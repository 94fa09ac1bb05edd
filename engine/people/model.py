"""People's choice of a move by rank: a softmax of weighted features, with weights by rank.

    P(move) ~ exp(weights . inputs + sum of the weights of the move's rows)

The inputs are of the ranking model (Stern, Herbrich & Graepel 2006): a move's log probability in
each phase, with two kinks, and the distance of its value from the best. The rows are ``features``.
Ranks are numbers of kyu: 1k is 1, 1d is 0, 2d is -1. Weights are known at knots, linear in between,
and constant beyond the last knots.

# Deviates: the ranking model has Gaussian noise, and its beliefs are learned by expectation
propagation. Here the noise is Gumbel's, so the posterior of the weights is log-concave. Laplace's
approximation around its one mode replaces expectation propagation (``patterns_db.people``).
Twin: tests/reference/people.py.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.go.geometry import AREA
from engine.jit import kernel
from engine.patterns.matching import Matcher, Matchers
from engine.patterns.position import Position
from engine.patterns.predictor import PredictionWork, new_prediction_work, predict_moves
from engine.patterns.valuing import PatternKnowledge
from engine.people.features import (
    GROUPS,
    PHASES,
    ROWS,
    Regions,
    new_regions,
    write_evidence_rows,
    write_order_rows,
    write_orders,
    write_place_rows,
)

# Inputs: the log probability in each phase, then no lower than each kink, then the value's gap.
KINKS = (-3.0, -6.0)
VALUE_GAP = PHASES + len(KINKS)
INPUTS = VALUE_GAP + 1
WEIGHTS = INPUTS + ROWS
# The model's quadrature gives 0 below about 1e-16; a move that people play must stay possible.
LEAST_PROBABILITY = 1e-12
FEATURE_VERSION = 2  # version of the meaning of the weights


class PeopleModel(NamedTuple):
    """Weights of people's choices by rank."""

    knots: Floats  # float64[n], numbers of kyu, falling
    weights: Floats  # float64[n, WEIGHTS], most probable values

    def at(self, kyu: float) -> Floats:
        """Return float64[WEIGHTS], the weights of a rank."""
        weights: Floats = knot_shares(self.knots, kyu) @ self.weights
        return weights


def knot_shares(knots: Floats, kyu: float) -> Floats:
    """Return float64[n], the share of each knot in the weights of a rank; they add up to 1."""
    place = float(np.interp(-kyu, -knots, np.arange(len(knots))))
    below = min(int(place), len(knots) - 2)
    shares = np.zeros(len(knots))
    shares[below : below + 2] = 1.0 - (place - below), place - below
    return shares


def model_of_patterns(temperature: float = 1.0) -> PeopleModel:
    """Return people of any rank who follow the ranking model, at a temperature."""
    weights = np.zeros((2, WEIGHTS))
    weights[:, :PHASES] = 1.0 / temperature
    return PeopleModel(np.array([30.0, -8.0]), weights)


class PeopleWork(NamedTuple):
    """Scratch for one position after the other, and the findings about the latest one."""

    prediction: PredictionWork
    values: Floats  # (MAX_SIZE ** 2,)
    orders: Ints  # (3, AREA) by color
    regions: Regions
    inputs: Floats  # (MAX_SIZE ** 2, INPUTS) by candidate
    rows: Ints  # (MAX_SIZE ** 2, GROUPS)


def new_people_work(summands: int) -> PeopleWork:
    """Return scratch for any position whose candidates have some number of summands."""
    prediction = new_prediction_work(summands)
    most = len(prediction.probability)
    return PeopleWork(
        prediction=prediction, values=np.zeros(most), orders=np.zeros((3, AREA), np.int64),
        regions=new_regions(), inputs=np.zeros((most, INPUTS)),
        rows=np.zeros((most, GROUPS), np.int64),
    )  # fmt: skip


@kernel
def order_rivals(rival: int, count: int, work: PeopleWork) -> None:
    """Write the order of the opponent's moves, which were predicted last, to work.orders."""
    for i in range(count):
        work.values[i] = -work.prediction.behind[i]
    work.orders[rival, :] = 0
    write_orders(work.prediction.candidates.points, work.values, count, work.orders[rival])


@kernel
def study_choice(matcher: Matcher, position: Position, count: int, work: PeopleWork) -> None:
    """Find the inputs and rows of a position's moves, predicted last, after ``order_rivals``."""
    candidates = work.prediction.candidates
    color, rival = position.color, 3 - position.color
    write_orders(candidates.points, work.prediction.probability, count, work.orders[color])
    phase = write_place_rows(position.board, color, candidates, count, work.regions, work.rows)
    write_evidence_rows(matcher, color, candidates, count, phase, work.rows)
    write_order_rows(candidates, count, work.orders[color], work.orders[rival], work.rows)
    for i in range(count):
        chance = math.log(max(work.prediction.probability[i], LEAST_PROBABILITY))
        for other in range(PHASES):
            work.inputs[i, other] = chance if other == phase else 0.0
        for kink in range(len(KINKS)):
            work.inputs[i, PHASES + kink] = max(chance, KINKS[kink])
        work.inputs[i, VALUE_GAP] = -work.prediction.behind[i]


@kernel
def log_chances_into(weights: Floats, inputs: Floats, rows: Ints, count: int, logs: Floats) -> None:
    """Write the log probability of each candidate for people with weights, float64[WEIGHTS].

    Twin: tests/reference/people.py::log_chances
    """
    most = -math.inf
    for i in range(count):
        total = 0.0
        for j in range(inputs.shape[1]):
            total += weights[j] * inputs[i, j]
        for group in range(rows.shape[1]):
            row = rows[i, group]
            if row > 0:
                total += weights[inputs.shape[1] + row]
        logs[i] = total
        most = max(most, total)
    mass = 0.0
    for i in range(count):
        mass += math.exp(logs[i] - most)
    norm = most + math.log(mass)
    for i in range(count):
        logs[i] -= norm


class PeoplePredictor:
    """A predictor of the moves of players, by rank."""

    def __init__(self, knowledge: PatternKnowledge, people: PeopleModel) -> None:
        self.knowledge, self.people = knowledge, people
        self._matchers = Matchers()
        self.work = new_people_work(knowledge.summands)
        self._logs = np.zeros(len(self.work.values))

    def study(self, position: Position, size: int) -> int:
        """Find the features of all legal moves; return the number of moves."""
        # Four calls instead of one kernel: the first move needs the largest, predict_moves, too.
        matcher, prediction, rival = self._matchers[size], self.work.prediction, 3 - position.color
        theirs = position._replace(color=rival)
        # The opponent first: the matcher must end with the evidence for the player's own moves.
        order_rivals(rival, predict_moves(self.knowledge, matcher, theirs, prediction), self.work)
        count = int(predict_moves(self.knowledge, matcher, position, prediction))
        if count:
            study_choice(matcher, position, np.int64(count), self.work)
        return count

    def of_position(self, position: Position, size: int, weights: Floats) -> dict[int, float]:
        """Return the probability of each legal move under a rank's weights; they sum to 1."""
        count, work = self.study(position, size), self.work
        if count:
            log_chances_into(weights, work.inputs, work.rows, count, self._logs)
        points = work.prediction.candidates.points[:count].tolist()
        return dict(zip(points, map(math.exp, self._logs[:count].tolist()), strict=True))
