"""The message of one roll-out to the score of its first position.

Source: Hennig, Stern & Graepel (2010), Sec. 2.3. The unit of scores is one step of a roll-out
(variance 1). Messages are in natural parameters (pi, tau); (0, 0) is no message.
Twin: tests/reference/hennig.py
"""

import math

from engine.gaussian import log_cdf, truncation_terms
from engine.jit import kernel


@kernel
def rollout_message(
    mean: float, variance: float, result: float, length: float
) -> tuple[float, float, float]:
    """Return the message of one roll-out to the score of its first position.

    Source: Hennig et al. (2010), Eqs. (1), (6) and Algorithm 1, line 22. Integrating
    the steps out gives P(result | g) = Phi(result * g / sqrt(length)). One probit moment match
    gives the same message as the paper's way through the terminal position.
    mean, variance  the cavity: belief about the score without the roll-out's own old message
    result   +1.0 Black won, -1.0 White won
    length   >= 0, moves from here to the end; 0 at a terminal position
    returns  (pi, tau) of the message, and its log evidence [nats]
    """
    # Eq. (6): each step of the roll-out adds 1 to the variance.
    total = variance + length
    deviation = math.sqrt(total)
    t = result * mean / deviation
    v, shrinkage = truncation_terms(t)
    # 1 - (variance / total) W without cancellation
    shrunk = (length + variance * shrinkage) / total
    # The closed form: posterior and cavity are nearly equal, so their quotient would lose digits.
    pi = (1.0 - shrinkage) / (total * shrunk)
    tau = pi * mean + result * v / (deviation * shrunk)
    return pi, tau, log_cdf(t)
