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
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.gaussian import MAX_NORMALS, largest_of_normals
from engine.jit import kernel

Gains = npt.NDArray[np.float64]  # (plies + 1, 2): mean, as the mover sees it, and variance


@kernel
def best_step(
    mean: float, variance: float, step_variance: float, best_mean: float, best_variance: float
) -> tuple[float, float]:
    """Return the mover's gain (mean, variance) over n equal, unexplored children (Eq. 8).

    mean, variance   of the gain at each child, from the view of *its* mover, the opponent
    step_variance    of the step to each child
    best_mean, best_variance   of the largest of n standard normals (``largest_of_normals()[n]``)
    """
    spread = variance + step_variance
    # Minus: the gain at the child is the opponent's.
    return best_mean * math.sqrt(spread) - mean, best_variance * spread


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


def gain_table(branching: int | Sequence[int], plies: int, step_variance: float = 1.0) -> Gains:
    """Return the gains for 0 .. plies plies left, from the mover's view (Eq. 9).

    branching      children of every node, or a sequence: branching[l - 1] children with l left
    plies          >= 0
    step_variance  of a step of the tree, in roll-out steps; a gain is proportional to its root
    returns        float64[plies + 1, 2]: mean and variance; row 0 is (0, 0)

    Raises ValueError for a branching number outside 1 .. MAX_NORMALS or a sequence too short.
    """
    counts = [branching] * plies if isinstance(branching, int) else list(branching[:plies])
    if len(counts) < plies:
        raise ValueError(f"need {plies} branching numbers, got {len(counts)}")
    # Checked here, because a kernel reads behind the table without an error.
    if any(not 1 <= count <= MAX_NORMALS for count in counts):
        raise ValueError(f"branching numbers must be 1 to {MAX_NORMALS}")
    largest = largest_of_normals()
    gains = np.zeros((plies + 1, 2))
    for left, count in enumerate(counts, start=1):
        mean, variance = gains[left - 1]
        # O(plies) for any b. The paper's folding takes O(b d), two minutes for 19x19 (Sec. 2.3.2).
        gains[left] = best_step(mean, variance, step_variance, *largest[count])
    return gains
