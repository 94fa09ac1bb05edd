"""What one move lost: one number with a 90 % interval and a word, the same in every output."""

import math
from typing import Literal, NamedTuple

LossWord = Literal["small", "medium", "large", "decisive"]


class LossModel(NamedTuple):
    """The size of losses by a strong judge, and the words for them.

    The powers of the interval are learned from 587 judged moves of 13 games on 9x9 (players of 29k
    to 8d), by quantile regressions of the error at 0.95 on either side; the factors from 3,100
    judgements of moves of 15 games (25k to 9d, five on 19x19); how much larger losses are from
    1,182 judged moves of 22 games on 9x9 (28k to 5d).
    """

    # Searches see a part of a loss: judged ones are larger * points^power.
    larger: float = 2.1
    power: float = 0.85
    # Half widths of the interval: factor * (1 + points)^power * wildness^share [points]
    above: tuple[float, float, float] = (2.0, 0.74, 0.7)
    below: tuple[float, float, float] = (0.8, 1.01, 0.17)
    settled: float = 0.1  # wildness of a settled position
    wildest: float = 2.0  # largest wildness that counts: nothing was learned beyond it
    medium: float = 3.0  # least points of a medium loss; smaller ones are small
    # The same of a large one; no other losses are named of players stronger than the engine.
    large: float = 6.0


LOSS = LossModel()


def points_words(points: float) -> str:
    """Return points as every output shows them, "5.4"."""
    return f"{points:.1f}"


class MoveLoss(NamedTuple):
    """Points that a move lost to the best one, the mover's.

    low, high  90 % interval of it; the more is at stake on the board, the wider
    """

    points: float  # expected loss by a strong judge, at least 0
    low: float
    high: float
    # By the points; "decisive": at least medium, and the other side surely leads then
    word: LossWord = "small"


def wildness(size: int, deviation: float) -> float:
    """Return how much is at stake in a position: the margin's deviation [points] a line."""
    return min(deviation / size + LOSS.settled, LOSS.wildest)


def loss_of(mean: float, wild: float, lead: float, later: float) -> MoveLoss:
    """Return the loss of a move.

    mean         expected by the searches of the game [points]; a gain is no loss
    wild         wildness of the position before it
    lead, later  the mover's lead before the move, and the most that it is after it [points]
    """
    points = LOSS.larger * math.pow(max(mean, 0.0), LOSS.power)
    above, below = (
        factor * math.pow(1.0 + points, power) * math.pow(wild, share)
        for factor, power, share in (LOSS.above, LOSS.below)
    )
    word: LossWord = "small"
    if points >= LOSS.medium:
        word = "large" if points >= LOSS.large else "medium"
        if later < 0.0 < lead:
            word = "decisive"
    return MoveLoss(points, max(points - below, 0.0), points + above, word)
