"""How sure one may be of what is shown: beliefs held against results of games and longer searches.

Roll-outs are played badly, so they win less often than the side that is ahead does: beliefs point
the right way and are not sure enough, by factors that were learned, each the exponential of
weights . features,

    P(win) = Phi(sharpness * value / sqrt(length + variance) + worth . unsettled)
    final margin ~ N(growth * lead, (spread * deviation of the roll-outs' margins)^2)
    a longer search's difference of two leads ~ N(difference, (gap * its deviation)^2)

The final margin has heavier tails than that; right is the interval that holds 90 %.
They keep the order of moves: what roll-outs leave open (``unsettled``) is the same for all moves of
a position, and says how much better or worse it is than they make it. P(a move is the best) has
weights of its own, see ``best_move``. ``patterns_db.search_tables.calibrating`` learns them all.
Only what people are shown goes through this: the search compares beliefs with one another, and all
are off alike.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.search.unsettled import KINDS

FEATURES = 5
BOARD, OCCUPIED = 1, 2  # features: of the board's size, and the share of its points with a stone
PLAYED = 4  # the feature that depends on the number of roll-outs
CHOICES = 3  # features of a move that ``best_move`` weighs
FULL_BOARD = 361.0  # points, where board size plays no part
SMALL_BOARD = 81.0  # below it, and above the full board, nothing was learned: size counts as these
PLAYOUTS = 400.0  # where their number plays none
MOST_PLAYOUTS = 25_600.0  # beyond it nothing was learned: more count as these
OPENING = 0.1  # with fewer points occupied next to nothing was learned of what is open
NINETY_PERCENT = 1.6449  # deviations to either side that hold 90 % of a normal distribution

Floats = npt.NDArray[np.float64]


class Calibration(NamedTuple):
    """What was learned: logarithms of factors are linear in the features.

    sharpness  of win rates
    growth     of a lead up to the game's end: who is ahead is the stronger one more often than not
    spread     of the final margin, in deviations of the roll-outs' margins
    gap        of the difference between two moves' leads, in deviations of its own belief
    choice     what makes a move the best, see ``best_move``, and its change with the roll-outs
    worth      of what is open, by kind [probits of Black's], and its change with the board's size
    """

    sharpness: Floats  # (FEATURES,)
    growth: Floats  # (FEATURES,)
    spread: Floats  # (FEATURES,)
    gap: Floats  # (FEATURES,)
    choice: Floats  # (2, CHOICES)
    worth: Floats  # (2, KINDS)


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
    choice, worth = np.zeros((2, CHOICES)), np.zeros((2, KINDS))
    choice[0, 0] = 1.0
    return Calibration(as_it_is, as_it_is, as_it_is, as_it_is, choice, worth)


def factor(weights: Floats, features: Floats) -> float:
    """Return one of the learned factors for positions with some features; > 0."""
    return math.exp(float(weights @ features))


def opened(features: Floats, open_points: Floats) -> Floats:
    """Return float64[2, KINDS], what ``Calibration.worth`` weighs.

    In an opening less counts, in proportion to the stones.
    features     as ``features_of`` returns them
    open_points  float64[KINDS], as ``unsettled`` returns them
    """
    share = min(float(features[OCCUPIED]) / OPENING, 1.0)
    return share * np.outer([1.0, features[BOARD]], open_points)


def probit_of(worth: Floats, features: Floats, open_points: Floats) -> float:
    """Return what is open of a position adds to the probit of Black's win rate.

    worth  ``Calibration.worth``; the other arguments as in ``opened``
    """
    return float((worth * opened(features, open_points)).sum())
