"""The utility of one more comparison of a move with a better one.

Source: Baum (1993), "Tree growth": work goes to the leaf whose later value is expected to change
the decision most, and stops when that is worth less than its price. Here a decision is a verdict.
Calling a move a mistake that loses s points is worth

    s (p - n) / (1 - n),   p = P(mistake), n = the probability from which on it is called one

and not calling it one is worth nothing. Before a move was compared often enough, it is not called
one whatever p is. A comparison observes the loss, with a Gaussian error, and turns p into p'. Its
utility is Baum's U of these two options, over what it may find.
Twin: tests/reference/attention.py::utility
"""

from typing import NamedTuple

import numpy as np

from engine.belief.losses import LossPart

FINDINGS, REACH = 64, 5.0  # of the grid of a sum, with deviations to either side of both parts


class Doubt(NamedTuple):
    """The present belief about a move."""

    chance: float  # that it is a mistake
    size: float  # points that it lost if it is one
    calm: LossPart  # belief of the loss if it is none [points, points^2]
    fall: LossPart  # belief of the loss if it is one


def utility(doubt: Doubt, variance: float, named: float, *, ready: bool = True) -> float:
    """Return the expected gain of one more observation of a move's loss [points]; >= 0.

    variance  of the observation's error [points^2]
    named     probability from which on a move is called a mistake, above 0 and below 1
    ready     whether the move may be called one without another comparison
    """
    chance, size, calm, fall = doubt
    if not 0.0 < chance < 1.0:
        return 0.0
    means = np.array([calm.mean, fall.mean])
    deviations = np.sqrt(np.array([calm.variance, fall.variance]) + variance)
    low, high = (means - REACH * deviations).min(), (means + REACH * deviations).max()
    findings = np.linspace(float(low), float(high), FINDINGS)
    at = (findings - means[:, np.newaxis]) / deviations[:, np.newaxis]
    densities = np.exp(-0.5 * at * at) / (deviations[:, np.newaxis] * np.sqrt(2.0 * np.pi))
    joint = densities * np.array([[1.0 - chance], [chance]])
    joint /= joint.sum()
    masses = joint.sum(axis=0)
    # Between two narrow parts that lie far apart, both densities are 0.
    later = np.divide(joint[1], masses, out=np.zeros(FINDINGS), where=masses > 0.0)
    worth = size * (later - named) / (1.0 - named)
    # Of U = E[max_i V_i] - E[V_k]: the options are to name it or, which is worth 0, to leave it.
    name_it = float(worth @ masses)
    taken = max(name_it, 0.0) if ready else 0.0
    return max(float(np.maximum(worth, 0.0) @ masses) - taken, 0.0)
