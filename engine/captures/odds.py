"""The probability that a chain is captured, where a search ended without a proof.

# Deviates: the belief of Stern, Herbrich & Graepel (2007), section 3, is a probability only if
siblings are independent and leaves are even. Here a logistic regression on chains of games
(``patterns_db.solvers.odds_training``) turns the numbers of an unfinished search into one.
"""

import math

import numpy as np

from engine.arrays import Floats

ODDS: Floats = np.array([0.8531, 1.1774, -1.9291, -3.2451, 2.1808])
"""Weights of the features, learned from 997 readings (``scripts.learn.capture_odds``)."""
MOST_LOG_ODDS = 10.0  # Larger ones count as this: exp of the proof numbers' ratio is no evidence.


def odds_features(log_odds: float, attacker_first: bool, widest: bool, limits_left: int) -> Floats:
    """Return float64[5]: one, and the variables of the regression.

    log_odds     of a capture: the root's belief ("pp"), or log(disproof number / proof number)
    widest       whether the search has the widest list of attacks
    limits_left  number of larger liberty limits that were not tried
    """
    log_odds = min(max(log_odds, -MOST_LOG_ODDS), MOST_LOG_ODDS)
    return np.array([1.0, log_odds, attacker_first, widest, limits_left], np.float64)


def chance_of_capture(features: Floats) -> float:
    """Return the probability that the chain is captured, from features of an unfinished search."""
    # The tanh form does not overflow.
    return 0.5 * (1.0 + math.tanh(0.5 * float(ODDS @ features)))
