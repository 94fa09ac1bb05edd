"""Newton's method with numerical derivatives, for a few weights with a Gaussian prior.

Source: Nocedal & Wright (2006), "Numerical optimization", section 3.4: where the Hessian is not
positive, its eigenvalues are replaced by their sizes.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats


class NewtonLimits(NamedTuple):
    """The fit of weights by Newton's method."""

    step: float = 1e-4  # of the numerical derivatives
    most_steps: int = 50
    converged: float = 1e-6  # nats: smaller gains end the steps


NEWTON = NewtonLimits()


def most_probable(misfit: Callable[[Floats], float], start: Floats) -> Floats:
    """Return the weights that minimize ``misfit`` plus the loss of the prior N(start, 1).

    misfit  minus the log likelihood of some weights [nats]
    start   float64[n]; returns float64[n]
    """

    def loss(weights: Floats) -> float:
        return 0.5 * float(((weights - start) ** 2).sum()) + misfit(weights)

    weights = start.copy()
    basis = NEWTON.step * np.eye(len(start))
    for _ in range(NEWTON.most_steps):
        gradient = np.array([loss(weights + e) - loss(weights - e) for e in basis]) / (
            2 * NEWTON.step
        )
        hessian = np.array(
            [
                [
                    loss(weights + a + b) - loss(weights + a - b)
                    - loss(weights - a + b) + loss(weights - a - b)
                    for b in basis
                ]
                for a in basis
            ]
        ) / (4 * NEWTON.step * NEWTON.step)  # fmt: skip
        # The prior alone has curvature 1. In a region with less the loss is not convex.
        values, vectors = np.linalg.eigh(hessian)
        move = vectors @ ((vectors.T @ gradient) / np.maximum(np.abs(values), 1.0))
        scale = 1.0
        before = loss(weights)
        while (gain := before - loss(weights - scale * move)) < 0.0 and scale > 1e-6:
            scale /= 2.0
        weights = weights - scale * move
        if float(np.abs(move).max()) < 1e-6 or gain < NEWTON.converged:
            break
    return weights
