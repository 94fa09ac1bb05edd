"""The independent Bernoulli model: each class is played or not, independently of all others.

Source: Stern, Herbrich & Graepel (2006), Sec. 3.2. A class was played a times and left alone b
times, so q = a / (a + b). A move v scores q_v times the product of (1 - q_k) over all other
candidates. The scores do not sum to 1; the paper compares them unnormalized (Fig. 3).
Twin: tests/reference/ranking.py::bernoulli_scores
"""

import math

from engine.arrays import Floats, Ints
from engine.jit import kernel

PLAYED, PASSED_OVER = 0, 1  # columns of counts


@kernel
def count_move(counts: Floats, summands: Ints, count: int, played: int) -> None:
    """Count one expert move: its class was played, all others were not (Stern et al., Sec. 3.2).

    counts   float64[rows, 2], PLAYED and PASSED_OVER of every class, changes in place
    summands int64[>= count, >= 1], the first: row of each candidate's class
    played   int64, the candidate that the expert chose
    """
    for candidate in range(count):
        column = PLAYED if candidate == played else PASSED_OVER
        counts[summands[candidate, 0], column] += 1.0


@kernel
def play_rate(counts: Floats, row: int, prior: float) -> float:
    """Return q of a class (Sec. 3.2), ``prior`` >= 0 added to both counts; 1/2 if all are 0."""
    played = counts[row, PLAYED] + prior
    choices = played + counts[row, PASSED_OVER] + prior
    return played / choices if choices > 0.0 else 0.5


@kernel
def score_by_rates(
    counts: Floats, summands: Ints, count: int, prior: float, score: Floats
) -> float:
    """Compute the log score of each candidate in nats; larger is better, -inf is possible.

    Source: Stern et al. (2006), Sec. 3.2, P(v | c, alpha, beta).
    counts, summands  as for ``count_move``
    prior    float64 >= 0, added to both counts; with 0 a class that was always or never played
             makes contradicting moves impossible
    score    float64[>= count], filled in: log of q_v prod_{k != v} (1 - q_k)
    returns  float64, log of the sum of all scores: the amount that normalization would subtract
    """
    # Logarithms, because products of some 250 factors below 1 would underflow. log1p, because most
    # rates are small.
    certain = 0  # candidates with q = 1: each forbids all others
    left_alone = 0.0
    for candidate in range(count):
        rate = play_rate(counts, summands[candidate, 0], prior)
        if rate < 1.0:
            left_alone += math.log1p(-rate)
        else:
            certain += 1
    best = -math.inf
    for candidate in range(count):
        rate = play_rate(counts, summands[candidate, 0], prior)
        # left_alone lacks the certain ones (log 0). It is then the score of a certain one.
        others_certain = certain - 1 if rate >= 1.0 else certain
        if others_certain > 0 or rate <= 0.0:
            score[candidate] = -math.inf
        elif rate >= 1.0:
            score[candidate] = left_alone
        else:
            score[candidate] = math.log(rate) + left_alone - math.log1p(-rate)
        best = max(best, score[candidate])
    if best == -math.inf:
        return best
    total = 0.0
    for candidate in range(count):
        total += math.exp(score[candidate] - best)
    return best + math.log(total)
