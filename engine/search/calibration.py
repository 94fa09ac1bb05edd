"""How sure a win rate may be: the search's beliefs held against who won real games.

Roll-outs are played badly, so they win less often than the side that is ahead does: beliefs point
the right way and are not sure enough, by a factor that was learned,

    P(win) = Phi(sharpness * value / sqrt(length + variance)),   sharpness = exp(weights . features)

which keeps the order of moves and the evenness of even positions. ``patterns_db.calibration``
learns the weights. Only what people are shown goes through it: the search compares beliefs with
one another, and all of them are off alike.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

FEATURES = 5
FULL_BOARD = 361.0  # points, where board size plays no part
SMALL_BOARD = 81.0  # below it, and above the full board, nothing was learned: size counts as these
PLAYOUTS = 400.0  # where their number plays none


class Calibration(NamedTuple):
    """What was learned: the logarithm of the sharpness is linear in the features."""

    weights: npt.NDArray[np.float64]  # (FEATURES,)


def features_of(size: int, occupied: float, playouts: float) -> npt.NDArray[np.float64]:
    """Return float64[FEATURES]: one, and what the sharpness may depend on.

    size      points a side of the board
    occupied  share of its points with a stone
    playouts  roll-outs of the search
    """
    board = math.log(min(max(size * size, SMALL_BOARD), FULL_BOARD) / FULL_BOARD)
    # On 9x9 beliefs are least sure early in a game, on 19x19 late: hence the product.
    return np.array(
        [1.0, board, occupied, board * occupied, math.log(max(playouts, 1.0) / PLAYOUTS)]
    )


def no_calibration() -> Calibration:
    """Return what leaves every win rate as the search believes it."""
    return Calibration(np.zeros(FEATURES))


def sharpness(calibration: Calibration, size: int, occupied: float, playouts: float) -> float:
    """Return the factor for positions of this kind; arguments as for ``features_of``."""
    return math.exp(float(calibration.weights @ features_of(size, occupied, playouts)))
