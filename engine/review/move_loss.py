"""What one move lost: one number with a 90 % interval and a word, the same in every output."""

from typing import Literal, NamedTuple

import numpy as np

from engine.go.board import Ownership
from engine.go.geometry import board_points

LossWord = Literal["small", "medium", "large", "decisive"]


class LossWords(NamedTuple):
    """Least points of a loss that has a word; below ``medium`` it is small."""

    medium: float = 3.0
    # A loss of this size changes the plan of a game. Only such losses of players who are stronger
    # than the engine are named.
    large: float = 6.0


LOSS_WORDS = LossWords()


class MoveLoss(NamedTuple):
    """Points that a move lost to the best one, the mover's.

    points     expected loss, at least 0 and at most what was at stake
    low, high  90 % interval; a judge's loss lies there
    word       by the points; "decisive": at least medium, and the other side leads from then on
    """

    points: float
    low: float
    high: float
    word: LossWord = "small"


def loss_within(mean: float, low: float, high: float, stake: float) -> MoveLoss:
    """Return a loss that is neither a gain nor more than was at stake [points]."""
    points, low, high = (min(max(value, 0.0), stake) for value in (mean, low, high))
    return MoveLoss(points, min(low, points), max(high, points))


def with_word(loss: MoveLoss, lead: float, later: float) -> MoveLoss:
    """Return a loss with its word.

    lead, later  the mover's lead before the move and after it [points]
    """
    word: LossWord = "small"
    if loss.points >= LOSS_WORDS.medium:
        word = "large" if loss.points >= LOSS_WORDS.large else "medium"
        if later < 0.0 < lead:
            word = "decisive"
    return loss._replace(word=word)


def at_stake(size: int, before: Ownership, after: Ownership) -> float:
    """Return the most points that a move could lose, by the owners in roll-outs.

    A point that is open on the mean of both positions may become either side's, which is two
    points. A settled one may not.
    before, after  float64[AREA], -1 White .. 1 Black
    """
    points = list(board_points(size))
    middle = 0.5 * (before[points] + after[points])
    return float(2.0 * np.sum(1.0 - np.abs(middle)))

    middle = 0.5 * (before[points] + after[points])
    return float(2.0 * np.sum(1.0 - np.abs(middle)))


def points_words(points: float) -> str:
    """Return points as every output shows them, "5.4"."""
    return f"{points:.1f}"


def shown_chance(chance: float) -> float:
    """Return a probability as every output shows it, in whole percents; nothing is certain."""
    return round(min(max(chance, 0.01), 0.99), 2)


def chance_words(chance: float) -> str:
    """Return a probability in words, "92 %"."""
    return f"{100 * shown_chance(chance):.0f} %"
