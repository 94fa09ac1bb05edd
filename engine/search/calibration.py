"""What games and longer searches have taught about beliefs, so that what is shown can be believed.

Only what people are shown goes through this: the search compares beliefs with one another, and all
of them are off alike. The posterior of a position has weights of its own, see ``posterior``;
P(a move is the best), see ``best_move``. For differences between moves two factors were learned,
each the exponential of weights . features,

    P(win) = Phi(sharpness * value / sqrt(length + variance))
    a longer search's difference of two leads ~ N(difference, (gap * its deviation)^2)

``patterns_db.search_tables.calibrating`` learns all of it.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats
from engine.search.unsettled import KINDS

FEATURES = 5
BOARD, OCCUPIED = 1, 2  # features: of the board's size, and the share of its points with a stone
PLAYED = 4  # the feature that depends on the number of roll-outs
MARGINS = 3  # observations of the margin: roll-outs' mean, owners of stones, owners of empty points
SITUATION = PLAYED  # the first so many features change what the belief counts, and the lean
BELIEF = MARGINS  # the first weight of the belief
EVIDENCE = MARGINS + 2 * SITUATION + KINDS
CHOICES = 3  # features of a move that ``best_move`` weighs
FULL_BOARD = 361.0  # points, where board size plays no part
SMALL_BOARD = 81.0  # below it, and above the full board, nothing was learned: size counts as these
PLAYOUTS = 400.0  # where their number plays none
MOST_PLAYOUTS = 25_600.0  # beyond it nothing was learned: more count as these
OPENING = 0.1  # with fewer points occupied next to nothing was learned of what is open
LOG_DEVIATION = math.log(18.0)  # of the final margin where nothing was learned, on the full board


class Calibration(NamedTuple):
    """The learned weights.

    sharpness  of differences between win rates: logarithms of a factor
    gap        of the difference between two moves' leads, likewise
    choice     what makes a move the best, see ``best_move``, and its change with the roll-outs
    weights    of the evidence about the mean margin, see ``posterior``; of MARGINS never negative
    core       logarithm of the margin's deviation [points], which one probit is worth; the last one
               is of ``log_open``
    spread     of the final margin of counted games, in deviations: logarithms of a factor
    """

    sharpness: Floats  # (FEATURES,)
    gap: Floats  # (FEATURES,)
    choice: Floats  # (2, CHOICES)
    weights: Floats  # (EVIDENCE,)
    core: Floats  # (FEATURES + 1,)
    spread: Floats  # (FEATURES,)


def features_of(size: int, occupied: float, playouts: float) -> Floats:
    """Return float64[FEATURES]: one, and what the factors may depend on.

    size      points a side of the board
    occupied  share of its points with a stone
    playouts  roll-outs of the search
    """
    board = math.log(min(max(size * size, SMALL_BOARD), FULL_BOARD) / FULL_BOARD)
    # On 9x9 beliefs are least sure early in a game, on 19x19 late: hence the product.
    played = math.log(min(max(playouts, 1.0), MOST_PLAYOUTS) / PLAYOUTS)
    return np.array([1.0, board, occupied, board * occupied, played])


def no_calibration() -> Calibration:
    """Return what leaves everything as the search believes it."""
    as_it_is = np.zeros(FEATURES)
    # Of the three only the belief counts: see best_move.
    choice = np.zeros((2, CHOICES))
    choice[0, 0] = 1.0
    # The probit of the belief alone: the chance to win is the search's own.
    weights, core = np.zeros(EVIDENCE), np.zeros(FEATURES + 1)
    weights[BELIEF], core[0], core[BOARD] = 1.0, LOG_DEVIATION, 0.5
    return Calibration(as_it_is, as_it_is, choice, weights, core, as_it_is)


def factor(weights: Floats, features: Floats) -> float:
    """Return one of the learned factors for positions with some features; > 0."""
    return math.exp(float(weights @ features))
