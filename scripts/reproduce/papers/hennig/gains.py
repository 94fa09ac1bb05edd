"""Gains: the advantage of optimal over random play, before any data.

Source: Hennig, Stern & Graepel (2010), Eqs. (8) and (9). A gain D(l), l plies before the end, is
the best of b independent D(l - 1) + step; D(0) = 0.

# Deviates: the best of b equal variables is moment matched at once, with the moments of the
largest of b standard normals. The paper folds in pairs. Ours is exact at l = 1, where pairwise
folding loses a quarter of the variance for b = 81. Further up its means are as good.

Every mean here is the *mover's* (negamax): multiply by the mover's sign to get Black's. The
number of plies and the mover determine the last mover, so one row per ply serves both colors.
Twin: tests/reference/hennig.py
"""

import math

import numpy as np
import numpy.typing as npt

from engine.gaussian import largest_of_normals
from engine.jit import kernel

Gains = npt.NDArray[np.float64]  # (plies + 1, 2): mean, as the mover sees it, and variance


@kernel
def gain(gains: Gains, plies: int, sign: float) -> tuple[float, float]:
    """Return Black's (mean, variance) of the gain with some plies left (Eq. 9).

    gains  float64[n, 2], from ``gain_table``
    plies  int64 >= 0; beyond the table its last row of the same parity is used
    sign   +1.0 Black (MAX) moves next, -1.0 White (MIN)
    """
    last = gains.shape[0] - 1
    if plies > last:
        # There the variance has converged, and the mean alternates between two values.
        plies = last - (plies - last) % 2
    return sign * gains[plies, 0], gains[plies, 1]


def gain_table(branching: int, plies: int) -> Gains:
    """Return the gains for 0 .. plies plies left, from the mover's view (Eq. 9).

    branching  children of every node, 1 .. MAX_NORMALS
    returns    float64[plies + 1, 2]: mean and variance; row 0 is (0, 0)
    """
    best_mean, best_variance = largest_of_normals()[branching]
    gains = np.zeros((plies + 1, 2))
    for left in range(1, plies + 1):
        # O(plies) for any b. The paper's folding takes O(b d), two minutes for 19x19 (Sec. 2.3.2).
        mean, spread = gains[left - 1, 0], gains[left - 1, 1] + 1.0
        # Minus: the gain at the child is the opponent's.
        gains[left] = best_mean * math.sqrt(spread) - mean, best_variance * spread
    return gains
