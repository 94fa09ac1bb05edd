"""Training of calibrations for displayed values, from finished games and long searches.

    positions    the chance to win, the lead and its interval: see ``posterior_training``
    win rates    of moves: P(Black won) = Phi(exp(w . features) * z), z the probit of the belief
    gaps         a long search's difference of two moves ~ N(difference, (exp(w . features) * its
                 deviation)^2)
    best moves   a conditional logit of the move that a long search chooses, see engine's best_move

# Deviates: the result is not from expectation propagation. It is the most probable weights w, w ~
N(start, 1) each, by Newton steps. After thousands of games a weight's posterior is too narrow to
matter. Derivatives are numerical where there are few weights.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats
from engine.belief.best_move import exponents_of
from engine.belief.calibration import FEATURES, Calibration, features_of, no_calibration
from patterns_db.newton import most_probable
from patterns_db.search_tables.posterior_training import (
    EndedPosition,
    factors,
    fit_posterior,
    win_chances,
)


class Situation(NamedTuple):
    """The inputs of all factors, as ``features_of`` takes them."""

    size: int
    occupied: float
    playouts: float


class JudgedGap(NamedTuple):
    """The difference between two moves' leads, with its deviation, and a long search's value."""

    situation: Situation
    difference: float
    deviation: float
    judged: float


class JudgedChoice(NamedTuple):
    """The moves of a position, and the choice of a long search."""

    situation: Situation
    features: Floats  # float64[n, CHOICES], of ``choice_features``
    chosen: int  # 0 <= chosen < n


def fit_calibration(
    ended: Sequence[EndedPosition],
    gaps: Sequence[JudgedGap],
    choices: Sequence[JudgedChoice],
    reach: Floats,
) -> Calibration:
    """Return the most probable weights. Without data a weight leaves the values unchanged.

    reach  as the calibration has it: it is learned from judged positions (``fit_reach``)
    """
    weights, core = fit_posterior(ended)
    return Calibration(
        sharpness=fit_sharpness(ended), gap=fit_gaps(gaps), choice=fit_choices(choices),
        weights=weights, core=core, reach=reach,
    )  # fmt: skip


def fit_sharpness(ended: Sequence[EndedPosition]) -> Floats:
    """Return float64[FEATURES], ``Calibration.sharpness``."""
    situations = np.array([position.evidence.known() for position in ended]).reshape(-1, FEATURES)
    # Values are from the winner's side, so that every result is a win.
    scores = np.array([(2.0 * p.won - 1.0) * p.evidence.probit() for p in ended])
    weights_ = np.array([position.weight for position in ended])

    def loss(weights: Floats) -> float:
        return -float(weights_ @ np.log(win_chances(factors(situations, weights) * scores)))

    return most_probable(loss, np.zeros(FEATURES))


def fit_gaps(gaps: Sequence[JudgedGap]) -> Floats:
    """Return float64[FEATURES], ``Calibration.gap``."""
    features = _features([gap.situation for gap in gaps])
    deviations = np.array([gap.deviation for gap in gaps])
    errors = np.array([gap.judged - gap.difference for gap in gaps])

    def loss(weights: Floats) -> float:
        spreads = deviations * factors(features, weights)
        return float((np.log(spreads) + 0.5 * (errors / spreads) ** 2).sum())

    return most_probable(loss, np.zeros(FEATURES))


def fit_choices(choices: Sequence[JudgedChoice]) -> Floats:
    """Return float64[2, CHOICES], ``Calibration.choice``. The prior's mean is the belief alone."""
    start = no_calibration().choice
    situations = _features([choice.situation for choice in choices])

    def loss(weights: Floats) -> float:
        total = 0.0
        for choice, features in zip(choices, situations, strict=True):
            scores = choice.features @ exponents_of(weights.reshape(start.shape), features)
            highest = float(scores.max())
            total += highest - float(scores[choice.chosen])
            total += float(np.log(np.exp(scores - highest).sum()))
        return total

    return most_probable(loss, start.ravel()).reshape(start.shape)


def _features(situations: Sequence[Situation]) -> Floats:
    return np.array([features_of(*situation) for situation in situations]).reshape(-1, FEATURES)
