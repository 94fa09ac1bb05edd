"""The probability that a chain is captured, where a search ended without a proof.

Source: Stern, Herbrich & Graepel (2007), section 3. Their belief is a probability only if siblings
are independent and leaves are even.

# Deviates: a logistic regression on chains of games turns the numbers of an unfinished search
into a probability (``patterns_db.solvers.odds_training``). Its features are the root's log-odds,
the side to move, and the work left: a search with the widest list of attacks begins only after all
narrower ones have failed.
"""

import math

import numpy as np

from engine.arrays import Floats

ODDS_FEATURES = 5
CaptureOdds = Floats
"""The learned weights: float64[ODDS_FEATURES]."""
MOST_LOG_ODDS = 10.0  # Larger ones count as this: exp of the proof numbers' ratio is no evidence.


def no_odds() -> CaptureOdds:
    """Return float64[ODDS_FEATURES], weights that keep the log-odds of the search."""
    return np.array([0.0, 1.0, 0.0, 0.0, 0.0])


def odds_features(log_odds: float, attacker_first: bool, widest: bool, limits_left: int) -> Floats:
    """Return float64[ODDS_FEATURES]: one, and the variables of the regression.

    log_odds        of a capture: the root's belief ("pp"), or log(disproof number / proof number)
    attacker_first  whether the attacker is to move
    widest          whether the search has the widest list of attacks
    limits_left     number of larger liberty limits that were not tried
    """
    log_odds = min(max(log_odds, -MOST_LOG_ODDS), MOST_LOG_ODDS)
    return np.array([1.0, log_odds, attacker_first, widest, limits_left], np.float64)


def chance_of_capture(odds: CaptureOdds, features: Floats) -> float:
    """Return the probability that the chain is captured.

    odds      float64[ODDS_FEATURES]
    features  float64[ODDS_FEATURES], of an unfinished search
    """
    # The tanh form does not overflow.
    return 0.5 * (1.0 + math.tanh(0.5 * float(odds @ features)))
