"""The ranking model's predictions: the probability of each legal move.

Source: Stern, Herbrich & Graepel (2006), Sec. 3.1. The paper ranks by the mean value. The order of
the probabilities is the same only if all variances are equal.
Twin: tests/reference/ranking.py.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.gaussian import cdf, pdf
from engine.go.board import SIZE
from engine.go.geometry import MAX_SIZE
from engine.go.history import Game
from engine.jit import kernel
from engine.patterns.choice import (
    BELOW,
    CHANCE,
    CHOICE_GROUPS,
    MESSAGE_PI,
    PRIOR_MEAN,
    PRIOR_VARIANCE,
    SCORE,
    VARIANCE,
    Choice,
    group_candidates,
    new_choice,
)
from engine.patterns.contender_facts import rank_moves
from engine.patterns.matching import Candidates, Matcher, Matchers, list_slots, new_candidates
from engine.patterns.position import Position, position_of
from engine.patterns.ranking import weigh_groups
from engine.patterns.responses import add_responses
from engine.patterns.trees import sum_leaves
from engine.patterns.valuing import PatternKnowledge, load_leaves, summands_into

# Shared by play and evaluation, so that the evaluated model is the one that plays.
GRID_POINTS = 64  # of the quadrature, in play and in evaluation
CERTAIN_SCORE = 8.3  # Phi(8.3) is 1 in float64
NEGLIGIBLE = 1e-18  # a probability too small to affect any result
REACH_DEVIATIONS = 8.0  # extent of the grid around the best candidates, in deviations


@kernel
def add_grid_point(choice: Choice, x: float, step: float) -> bool:
    """Add to each group's probability that its x is the largest and near ``x`` (Sec. 3.1).

    choice   weighed; row changes in place, MESSAGE_PI holds 1 / deviation
    x, step  float64, place and width of the grid cell
    returns  bool, False if nothing at x or below matters any more
    """
    star = choice.star
    row = choice.row
    groups = choice.meta[CHOICE_GROUPS]
    product = 1.0
    for group in range(groups):
        z = (x - star[group, PRIOR_MEAN]) * star[group, MESSAGE_PI]
        below = 1.0
        if z < CERTAIN_SCORE:  # most groups are far below the contenders and need no cdf
            below = cdf(z)
            product *= below
            if product < NEGLIGIBLE:  # and even smaller at every lower x
                return False
        row[group, SCORE] = z
        row[group, BELOW] = below
    for group in range(groups):
        z = row[group, SCORE]
        if z < CERTAIN_SCORE:
            others = product / row[group, BELOW]
            row[group, CHANCE] += others * pdf(z) * star[group, MESSAGE_PI] * step
    return True


@kernel
def predict(
    choice: Choice, count: int, beta_squared: float, points: int, probability: Floats
) -> float:
    """Compute the probability of each candidate to be the expert's move.

    P(v) is the integral of N(x; v) times the product of all others' Phi. It is computed on
    one common grid, from above until the product vanishes. Each group divides its own factor out.
    Source: Stern et al. (2006), Sec. 3.1, P(v | c).
    choice        with beliefs; star and row change in place
    points        int64, grid points
    probability   float64[>= count], filled in; sums to 1; 0 if below some 1e-16
    returns       float64, the sum before normalization: 1 apart from the quadrature's error
    Twin: tests/reference/ranking.py::best_probabilities
    """
    weigh_groups(choice, beta_squared)
    star = choice.star
    groups = choice.meta[CHOICE_GROUPS]
    low = -math.inf
    high = -math.inf
    for group in range(groups):
        deviation = math.sqrt(star[group, PRIOR_VARIANCE])
        # The largest x is above every group's low end, so the grid begins at the highest low end.
        low = max(low, star[group, PRIOR_MEAN] - REACH_DEVIATIONS * deviation)
        high = max(high, star[group, PRIOR_MEAN] + REACH_DEVIATIONS * deviation)
        star[group, MESSAGE_PI] = 1.0 / deviation  # the column is free during prediction
        choice.row[group, CHANCE] = 0.0
    step = (high - low) / points
    for i in range(points):
        if not add_grid_point(choice, high - (i + 0.5) * step, step):
            break
    # Normalized, because the sum would otherwise lack the probability outside the grid.
    total = 0.0
    for group in range(groups):
        total += choice.row[group, CHANCE]
    for candidate in range(count):
        group = choice.group_of[candidate]
        probability[candidate] = choice.row[group, CHANCE] / (total * choice.size[group])
    return total


class PredictionWork(NamedTuple):
    """Scratch for predicting a sequence of positions, and the latest result."""

    candidates: Candidates
    summands: Ints  # (MAX_SIZE ** 2, width)
    choice: Choice  # of width summands
    behind: Floats  # (MAX_SIZE ** 2,) distance of each candidate's value from the best
    probability: Floats  # (MAX_SIZE ** 2,) by candidate


def new_prediction_work(width: int) -> PredictionWork:
    """Return scratch for any position whose candidates have ``width`` summands each."""
    most = MAX_SIZE * MAX_SIZE
    summands, choice = np.zeros((most, width), np.int64), new_choice(most, width)
    return PredictionWork(new_candidates(), summands, choice, np.zeros(most), np.zeros(most))


@kernel
def group_moves(work: PredictionWork, count: int, slots: int) -> None:
    """Write the summands of candidates with slots and evidence, and group equal ones.

    slots  int64, of the table
    """
    summands_into(work.candidates, count, slots, False, work.summands)
    group_candidates(work.choice, work.summands, count)


@kernel
def load_moves(
    knowledge: PatternKnowledge, matcher: Matcher, position: Position, work: PredictionWork
) -> int:
    """Match and group the legal moves of a position, with the beliefs about their summands.

    position  superko is ignored
    work      of the knowledge's summands; all but probability are overwritten
    returns   int64, number of legal moves
    """
    count = rank_moves(knowledge, knowledge.trees, matcher, position, work.candidates, work.behind)
    if count > 0:
        list_slots(matcher, position.color, work.candidates, count)
        group_moves(work, count, np.int64(len(knowledge.keys)))
        contenders, trees = work.candidates.contenders, knowledge.trees
        sum_leaves(trees.questions, trees.variances, contenders, VARIANCE)
        if len(knowledge.responses.keys) > 0:
            add_responses(knowledge.responses.variances, contenders, VARIANCE)
        load_leaves(work.choice, knowledge, contenders.sums)
    return count


@kernel
def predict_moves(
    knowledge: PatternKnowledge, matcher: Matcher, position: Position, work: PredictionWork
) -> int:
    """Do as ``load_moves``, and compute the probability of each move; they sum to 1."""
    count = load_moves(knowledge, matcher, position, work)
    if count > 0:
        predict(work.choice, count, knowledge.beta_squared, GRID_POINTS, work.probability)
    return count


class Predictor:
    """A predictor of moves; successive positions are matched incrementally."""

    def __init__(self, knowledge: PatternKnowledge) -> None:
        self.knowledge = knowledge
        self._matchers = Matchers()
        self.work = new_prediction_work(knowledge.summands)  # the latest prediction
        self._predicted, self._count = (b"", b"", 0), 0  # key of its position, number of moves

    def probabilities(self, position: Position) -> dict[int, float]:
        """Return the probability of each legal move by its point; the sum is 1.

        Superko is ignored, and a pass is never a candidate.
        """
        return self._by_point(position, self.work.probability)

    def behind(self, position: Position) -> dict[int, float]:
        """Return how far the mean value of each legal move is behind the best one, by point.

        The unit is that of ``valuing.value_moves``; moves are those of ``probabilities``.
        """
        return self._by_point(position, self.work.behind)

    def _by_point(self, position: Position, numbers: Floats) -> dict[int, float]:
        """Predict a position, and return some numbers of the work by the moves' points."""
        key = position.board.tobytes(), position.memory.tobytes(), position.color
        if key != self._predicted:
            matcher = self._matchers[int(position.board[SIZE])]
            # One program for both: compiling a second one takes seconds, the probabilities 0.1 ms.
            self._count = int(predict_moves(self.knowledge, matcher, position, self.work))
            self._predicted = key
        points = self.work.candidates.points[: self._count].tolist()
        return dict(zip(points, numbers[: self._count].tolist(), strict=True))

    def of_game(self, game: Game, color: int) -> dict[int, float]:
        """Return the probability of each move of a color in a game's position."""
        return self.probabilities(position_of(game, color))
