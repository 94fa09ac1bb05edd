"""The ranking model's predictions in play: the probability of each move.

It uses the same sums of beliefs as ``valuing``, but normalized over all legal moves: the
probability that a move is the expert's (Stern, Herbrich & Graepel 2006, Sec. 3.1). Candidates
of the same classes have the same probability.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.go.board import SIZE
from engine.go.geometry import MAX_SIZE
from engine.go.history import Game
from engine.jit import kernel
from engine.patterns.choice import VARIANCE, Choice, group_candidates, new_choice
from engine.patterns.contender_facts import rank_moves
from engine.patterns.matching import (
    Candidates,
    Matcher,
    Matchers,
    list_slots,
    new_candidates,
)
from engine.patterns.position import Position, position_of
from engine.patterns.prediction import GRID_POINTS, predict
from engine.patterns.trees import sum_leaves
from engine.patterns.valuing import (
    PatternKnowledge,
    load_leaves,
    summands_into,
)


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
    return PredictionWork(
        new_candidates(),
        np.zeros((most, width), np.int64),
        new_choice(most, width),
        np.zeros(most),
        np.zeros(most),
    )


@kernel
def group_moves(work: PredictionWork, count: int, slots: int) -> None:
    """Write the summands of a position's candidates and group candidates with equal summands.

    work   PredictionWork, its candidates with slots and evidence; summands and choice change
    count  int64, number of candidates
    slots  int64, of the table
    """
    summands_into(work.candidates, count, slots, False, work.summands)
    group_candidates(work.choice, work.summands, count)


@kernel
def load_moves(
    knowledge: PatternKnowledge,
    matcher: Matcher,
    position: Position,
    work: PredictionWork,
) -> int:
    """Match the legal moves of a position and group them, with the beliefs about their summands.

    position  Position; superko is ignored
    work      PredictionWork of the knowledge's summands; all but probability are overwritten
    returns   int64, number of legal moves
    """
    count = rank_moves(knowledge, knowledge.trees, matcher, position, work.candidates, work.behind)
    if count > 0:
        list_slots(matcher, position.color, work.candidates, count)
        group_moves(work, count, np.int64(len(knowledge.keys)))
        contenders, trees = work.candidates.contenders, knowledge.trees
        sum_leaves(trees.questions, trees.variances, contenders, VARIANCE)
        load_leaves(work.choice, knowledge, contenders.sums)
    return count


@kernel
def predict_moves(
    knowledge: PatternKnowledge,
    matcher: Matcher,
    position: Position,
    work: PredictionWork,
) -> int:
    """Match the legal moves of a position and compute the probability of each; ``load_moves``.

    work  PredictionWork; probability (sum 1) is overwritten, too
    """
    count = load_moves(knowledge, matcher, position, work)
    if count > 0:
        predict(work.choice, count, knowledge.beta_squared, GRID_POINTS, work.probability)
    return count


class Predictor:
    """A predictor of moves; successive positions are matched incrementally.

    knowledge  the trained model
    """

    def __init__(self, knowledge: PatternKnowledge) -> None:
        self.knowledge = knowledge
        self._matchers = Matchers()
        self.work = new_prediction_work(knowledge.summands)  # the latest prediction
        self._predicted, self._count = (b"", b"", 0), 0  # its position, and number of moves

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
        asked = position.board.tobytes(), position.memory.tobytes(), position.color
        if asked != self._predicted:
            matcher = self._matchers[int(position.board[SIZE])]
            # One program for both: compiling a second one takes seconds, the probabilities 0.1 ms.
            self._count = int(predict_moves(self.knowledge, matcher, position, self.work))
            self._predicted = asked
        points = self.work.candidates.points[: self._count].tolist()
        return dict(zip(points, numbers[: self._count].tolist(), strict=True))

    def of_game(self, game: Game, color: int) -> dict[int, float]:
        """Return the probability of each move of a color in a game's position."""
        return self.probabilities(position_of(game, color))
