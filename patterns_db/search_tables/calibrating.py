"""Learns how sure one may be of what is shown: from games whose end is known, from long searches.

All by one method: the most probable weights w, w ~ N(0, 1) each, by Newton steps. Their derivatives
are numerical where there are few weights, for there are some thousand observations.

    win rates    P(Black won) = Phi(exp(w . features) * z + v . open), but for SLIPS, z the probit
                 of what the search believes, and what it leaves open by kind; w and v in turn
    final margin ~ exp(w1 . features) * lead + exp(w2 . features) * deviation of roll-outs * t,
                 t Student's: most are near, and some far off, for a group dies after all
    gaps         a long search's difference of two moves ~ N(difference, (exp(w . features) * its
                 deviation)^2)
    best moves   a conditional logit of the move that a long search chooses, see engine's best_move
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.errors import ModelFormatError
from engine.gaussian import cdf, pdf
from engine.search.best_move import exponents_of
from engine.search.calibration import (
    FEATURES,
    NINETY_PERCENT,
    PLAYED,
    Calibration,
    features_of,
    no_calibration,
    opened,
)
from engine.search.unsettled import KINDS
from patterns_db.store.layouts import layout_of, require_layout
from patterns_db.store.table_files import Manifest, open_arrays, write_table

CALIBRATION = "calibration"
VERSION = 4  # of what the table holds
# A result that says nothing, for it was lost on time or by a slip. Without it a few upsets among
# sure things, which cost their squared probit each, outweigh all the other results.
SLIPS = 0.01
SURE = 1e-4  # win rates nearer to 0 or 1 count as this: their probit would outweigh all others
FREEDOM = 3.0  # degrees of it, of the final margin's errors
STUDENTS_NINETY = 2.3534  # what of Student's t with so many holds 90 %, to either side
STEP = 1e-4  # of the numerical derivatives
NEWTON_STEPS = 50
TURNS = 3  # sharpness and worth of win rates in turn: the second pair is hardly another one

Floats = npt.NDArray[np.float64]


class Situation(NamedTuple):
    """What all factors depend on, as ``features_of`` takes it."""

    size: int
    occupied: float
    playouts: float


class JudgedPosition(NamedTuple):
    """A position of a game, what a search believed, and who won.

    win_rate     Black's, before any calibration
    won          1 Black, 0 White
    open_points  float64[KINDS], as ``unsettled`` returns them
    """

    situation: Situation
    win_rate: float
    won: float
    open_points: Floats


class CountedPosition(NamedTuple):
    """A position of a game that was counted, what a search believed, and the count.

    lead       Black's, as it is shown [points]
    deviation  of one roll-out's margin [points], > 0
    margin     Black's at the end [points]
    """

    situation: Situation
    lead: float
    deviation: float
    margin: float


class JudgedGap(NamedTuple):
    """The difference between two moves' leads, with its deviation, and what a long search says."""

    situation: Situation
    difference: float
    deviation: float
    judged: float


class JudgedChoice(NamedTuple):
    """The moves of a position, and which of them a long search chose.

    features  float64[n, CHOICES], of ``choice_features``
    chosen    0 <= chosen < n
    """

    situation: Situation
    features: Floats
    chosen: int


def fit_calibration(
    positions: Sequence[JudgedPosition],
    counted: Sequence[CountedPosition],
    gaps: Sequence[JudgedGap],
    choices: Sequence[JudgedChoice],
) -> Calibration:
    """Return the most probable weights; those of which nothing was seen leave all as it is."""
    sharpness, worth = fit_win_rates(positions)
    growth, spread = fit_margins(counted)
    gap, choice = fit_gaps(gaps), fit_choices(choices)
    return Calibration(sharpness, growth, spread, gap, choice, worth)


def fit_win_rates(positions: Sequence[JudgedPosition]) -> tuple[Floats, Floats]:
    """Return ``Calibration.sharpness`` and ``worth``: float64[FEATURES], float64[2, KINDS]."""
    normal = NormalDist()
    features = _features([p.situation for p in positions])
    probits = np.array([normal.inv_cdf(min(max(p.win_rate, SURE), 1 - SURE)) for p in positions])
    seen = np.array(
        [opened(known, p.open_points) for known, p in zip(features, positions, strict=True)]
    ).reshape(-1, 2 * KINDS)
    # From the winner's side, so that every result is a win.
    winner = np.where([p.won > 0.5 for p in positions], 1.0, -1.0)
    scores, seen = winner * probits, winner[:, None] * seen
    sharpness, worth = np.zeros(FEATURES), np.zeros(2 * KINDS)
    for _ in range(TURNS):
        sharpness = _fit_sharpness(features, scores, seen @ worth)
        worth = _fit_worth(_factors(features, sharpness) * scores, seen)
    return sharpness, worth.reshape(2, KINDS)


def _fit_sharpness(features: Floats, scores: Floats, offsets: Floats) -> Floats:
    """Return the most probable weights of what makes probits sharper.

    scores   float64[n], probits of what was believed, the winner's
    offsets  float64[n], what is added to them then, likewise
    """

    def loss(weights: Floats) -> float:
        chances = _chances(_factors(features, weights) * scores + offsets)
        return -float(np.log(chances).sum())

    return _most_probable(loss, np.zeros(FEATURES))


def _fit_worth(scores: Floats, seen: Floats) -> Floats:
    """Return the most probable weights of a probit regression of what was won, by Newton steps.

    scores  float64[n], probits without them, the winner's
    seen    float64[n, 2 * KINDS], what the weights are of, likewise
    """
    weights = np.zeros(seen.shape[1])
    for _ in range(NEWTON_STEPS):
        probits = scores + seen @ weights
        densities = (1.0 - SLIPS) * np.array([pdf(probit) for probit in probits])
        slopes = densities / _chances(probits)
        # Slips make it curve the wrong way far off: there the prior alone holds.
        curves = np.maximum(slopes * (slopes + probits), 0.0)
        curvature = np.eye(len(weights)) + seen.T @ (curves[:, None] * seen)
        move = np.linalg.solve(curvature, seen.T @ slopes - weights)
        weights = weights + move
        if float(np.abs(move).max(initial=0.0)) < 1e-6:
            break
    return weights


def _chances(probits: Floats) -> Floats:
    """Return how probable wins are, slips among them."""
    return 0.5 * SLIPS + (1.0 - SLIPS) * np.array([cdf(probit) for probit in probits])


def fit_margins(counted: Sequence[CountedPosition]) -> tuple[Floats, Floats]:
    """Return ``Calibration.growth`` and ``Calibration.spread``, float64[FEATURES] each."""
    features = _features([p.situation for p in counted])
    # How far roll-outs scatter does not depend on their number: left to itself, the number would be
    # a second constant where all positions have the same.
    features[:, PLAYED] = 0.0
    leads, deviations, margins = (
        np.array([p[i] for p in counted], np.float64) for i in range(1, 4)
    )

    # The normal distribution that is as wide where 90 % are held: that interval is shown.
    to_scale = NINETY_PERCENT / STUDENTS_NINETY

    def loss(weights: Floats) -> float:
        ends = _factors(features, weights[:FEATURES]) * leads
        scales = to_scale * deviations * _factors(features, weights[FEATURES:])
        return _student_loss(margins - ends, scales)

    weights = _most_probable(loss, np.zeros(2 * FEATURES))
    return weights[:FEATURES], weights[FEATURES:]


def fit_gaps(gaps: Sequence[JudgedGap]) -> Floats:
    """Return float64[FEATURES], ``Calibration.gap``."""
    features = _features([gap.situation for gap in gaps])
    deviations = np.array([gap.deviation for gap in gaps])
    errors = np.array([gap.judged - gap.difference for gap in gaps])

    def loss(weights: Floats) -> float:
        return _normal_loss(errors, deviations * _factors(features, weights))

    return _most_probable(loss, np.zeros(FEATURES))


def fit_choices(choices: Sequence[JudgedChoice]) -> Floats:
    """Return float64[2, CHOICES], ``Calibration.choice``; the prior's mean is the belief alone."""
    start = no_calibration().choice
    known = _features([choice.situation for choice in choices])

    def loss(weights: Floats) -> float:
        total = 0.0
        for choice, features in zip(choices, known, strict=True):
            scores = choice.features @ exponents_of(weights.reshape(start.shape), features)
            highest = float(scores.max())
            total += highest - float(scores[choice.chosen])
            total += float(np.log(np.exp(scores - highest).sum()))
        return total

    return _most_probable(loss, start.ravel()).reshape(start.shape)


def _features(situations: Sequence[Situation]) -> Floats:
    return np.array([features_of(*situation) for situation in situations]).reshape(-1, FEATURES)


def _factors(features: Floats, weights: Floats) -> Floats:
    return np.asarray(np.exp(np.clip(features @ weights, -5.0, 5.0)))


def _normal_loss(errors: Floats, deviations: Floats) -> float:
    """Return minus the log density of errors, up to a constant."""
    return float((np.log(deviations) + 0.5 * (errors / deviations) ** 2).sum())


def _student_loss(errors: Floats, scales: Floats) -> float:
    """Return the same of Student's distribution."""
    squares = (errors / scales) ** 2 / FREEDOM
    return float((np.log(scales) + 0.5 * (FREEDOM + 1.0) * np.log1p(squares)).sum())


def _most_probable(evidence: Callable[[Floats], float], start: Floats) -> Floats:
    """Return the weights of least ``evidence`` plus the prior N(start, 1)'s loss."""

    def loss(weights: Floats) -> float:
        return 0.5 * float(((weights - start) ** 2).sum()) + evidence(weights)

    weights = start.copy()
    basis = STEP * np.eye(len(start))
    for _ in range(NEWTON_STEPS):
        gradient = np.array([loss(weights + e) - loss(weights - e) for e in basis]) / (2 * STEP)
        hessian = np.array(
            [
                [
                    loss(weights + a + b) - loss(weights + a - b)
                    - loss(weights - a + b) + loss(weights - a - b)
                    for b in basis
                ]
                for a in basis
            ]
        ) / (4 * STEP * STEP)  # fmt: skip
        # The prior alone has curvature 1: less is a region where the loss is not convex.
        values, vectors = np.linalg.eigh(hessian)
        move = vectors @ ((vectors.T @ gradient) / np.maximum(np.abs(values), 1.0))
        scale = 1.0
        while loss(weights - scale * move) > loss(weights) and scale > 1e-6:
            scale /= 2.0
        weights = weights - scale * move
        if float(np.abs(move).max()) < 1e-6:
            break
    return weights


def write_calibration(path: Path, calibration: Calibration, manifest: Manifest) -> None:
    """Write the table and, beside it, its manifest."""
    versioned = {**manifest, "calibration_version": VERSION}
    write_table(path, CALIBRATION, calibration._asdict(), versioned)


def read_calibration(path: Path) -> Calibration:
    """Return what ``write_calibration`` wrote. Raises ModelFormatError for anything else."""
    arrays, manifest = open_arrays(path, CALIBRATION)
    version = manifest.get("calibration_version", 1)
    if version != VERSION:
        raise ModelFormatError(f"{path}: calibration {version}, this yomi reads {VERSION}")
    require_layout(path, arrays, layout_of(no_calibration()._asdict()))
    return Calibration(**arrays)
