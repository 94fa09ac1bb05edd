"""Calibration learned from games and longer searches, for all numbers that people are shown.

The search itself does not use it. It compares beliefs with one another, and all of them are off in
the same way. The posterior of a position has weights of its own (``posterior``), and so has P(a
move is the best) (``best_move``). Two factors were learned for differences between moves, each the
exponential of weights . features:

    P(win) = Phi(sharpness * value / sqrt(length + variance))
    a longer search's difference of two leads ~ N(difference, (gap * its deviation)^2)

``patterns_db.search_tables.calibrating`` learns all of it.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats
from engine.belief.open_points import KINDS
from engine.gaussian import NINETY_PERCENT

FEATURES = 5
BOARD, OCCUPIED = 1, 2  # Features: of the board's size, and the share of its points with a stone.
PLAYED = 4  # The feature that depends on the number of roll-outs.
MARGINS = 3  # Observations of the margin: roll-outs' mean, owners of stones and empty points.
SITUATION = PLAYED  # Number of first features that change the belief's weight, and the lean.
BELIEF = MARGINS  # The first weight of the belief.
EVIDENCE = MARGINS + 2 * SITUATION + KINDS
REACH = 6  # Variables of the interval of a lead.
CHOICES = 3  # Features of a move that ``best_move`` weighs.


class LearnedRange(NamedTuple):
    """The range of the positions that taught the calibration."""

    full_board: float = 361.0  # Points, where the effect of board size is zero.
    # Nothing was learned beyond it and the full board: size counts as these.
    small_board: float = 81.0
    playouts: float = 400.0  # Roll-outs, where the effect of their number is zero.
    # Larger numbers count as this one: nothing was learned there.
    most_playouts: float = 25_600.0
    # Below this share of occupied points nearly nothing was learned about open points.
    opening: float = 0.1
    # Deviation of the final margin without learning, on the full board.
    log_deviation: float = math.log(18.0)


LEARNED = LearnedRange()


class Calibration(NamedTuple):
    """The learned weights.

    sharpness  of differences between win rates: logarithms of a factor
    gap        of the difference between two moves' leads: logarithms of a factor
    choice     exponents of the best move, see ``best_move``, and their change with the roll-outs
    weights    of the evidence about the mean margin, see ``posterior``; of MARGINS never negative
    core       logarithm of the margin's deviation [points], which one probit is worth; the last one
               is of ``log_open``
    reach      logarithm of half of the interval that holds a strong judge's lead in 90 % of
               positions [points], see ``reach_variables``
    """

    sharpness: Floats  # (FEATURES,)
    gap: Floats  # (FEATURES,)
    choice: Floats  # (2, CHOICES)
    weights: Floats  # (EVIDENCE,)
    core: Floats  # (FEATURES + 1,)
    reach: Floats  # (REACH,)


def features_of(size: int, occupied: float, playouts: float) -> Floats:
    """Return float64[FEATURES]: one, and the variables of the factors; as ``Evidence`` has them."""
    board = math.log(
        min(max(size * size, LEARNED.small_board), LEARNED.full_board) / LEARNED.full_board
    )
    # On 9x9 beliefs are least sure early in a game, on 19x19 late; the product models this.
    played = math.log(min(max(playouts, 1.0), LEARNED.most_playouts) / LEARNED.playouts)
    return np.array([1.0, board, occupied, board * occupied, played])


def no_calibration() -> Calibration:
    """Return a calibration that keeps the beliefs of the search."""
    as_it_is = np.zeros(FEATURES)
    # Only the belief counts among the three factors: see best_move.
    choice = np.zeros((2, CHOICES))
    choice[0, 0] = 1.0
    # The probit of the belief alone: the chance to win is the search's own, and so is the interval.
    weights, core, reach = np.zeros(EVIDENCE), np.zeros(FEATURES + 1), np.zeros(REACH)
    weights[BELIEF], core[0], core[BOARD] = 1.0, LEARNED.log_deviation, 0.5
    reach[0], reach[BOARD] = core[0] + math.log(NINETY_PERCENT), core[BOARD]
    return Calibration(
        sharpness=as_it_is, gap=as_it_is, choice=choice, weights=weights, core=core, reach=reach
    )


def factor(weights: Floats, features: Floats) -> float:
    """Return the learned factor > 0 of weights and features, float64[FEATURES] both."""
    return math.exp(float(weights @ features))
