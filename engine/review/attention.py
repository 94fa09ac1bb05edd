"""Where to look closer: the utility of one more comparison of a move with a better one.

Source: Baum (1993), "Tree growth": work goes to the leaf whose value is expected to change the
decision most, and stops when that is worth less than its price. Here a decision is a verdict. A
move is called a mistake or not; calling it one is worth the points that it lost beyond a threshold
c, and not calling it is worth nothing. A comparison moves the expected loss m by a Gaussian with
deviation d, so the expected gain is

    E[max(m + d z - c, 0)] - max(m - c, 0) = d (pdf(u) - u cdf(-u)),   u = |m - c| / d

(the knowledge gradient of Frazier, Powell & Dayanik 2008). Twin: tests/reference/attention.py
"""

import math

from engine.gaussian import cdf, pdf


def utility(mean: float, variance: float, added: float, threshold: float) -> float:
    """Return the expected gain of one more observation of a loss [points]; >= 0.

    mean, variance  of the loss, as believed now [points, points^2]
    added           precision of the observation [1/points^2]
    threshold       loss from which on a move is called a mistake [points]
    Twin: tests/reference/attention.py::utility
    """
    if added <= 0.0 or variance <= 0.0:
        return 0.0
    change = variance * math.sqrt(added / (1.0 + variance * added))
    distance = abs(mean - threshold) / change
    return change * float(pdf(distance) - distance * cdf(-distance))
