"""Training of calibrations for displayed values, from finished games and long searches.

    results      P(Black won) = Phi(prior lead / deviation + w . evidence), but for SLIPS, where the
                 evidence is of ``engine.search.posterior``
    margins      of the same games: M ~ N(deviation (w . evidence) + prior lead, deviation^2), and
                 it is counted, not resigned, with the probability exp(-M^2 / (2 T^2)): who is far
                 behind resigns. So a resigned game says that the margin was large.
    intervals    of games that were counted: M - mean ~ exp(w . features) * deviation * t, with
                 Student's t: most games end near, and some far off, for a group dies after all
    win rates    of moves: P(Black won) = Phi(exp(w . features) * z), z the probit of the belief
    gaps         a long search's difference of two moves ~ N(difference, (exp(w . features) * its
                 deviation)^2)
    best moves   a conditional logit of the move that a long search chooses, see engine's best_move

The results and the margins are learned in turn, for each needs the other's deviation. In many games
one player is known to be stronger, and mostly has White. How much that counts is learned, too, and
left out of what is shown: a position has no ranks. Without it every belief would lean to White.

# Deviates: the result is not from expectation propagation. It is the most probable weights w, w ~
N(start, 1) each, by Newton steps. After thousands of games a weight's posterior is too narrow to
matter. Derivatives are numerical where there are few weights.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats
from engine.errors import ModelFormatError
from engine.gaussian import NINETY_PERCENT, SQRT_HALF, SQRT_TWO_PI
from engine.search.best_move import exponents_of
from engine.search.calibration import (
    BOARD,
    FEATURES,
    MARGINS,
    PLAYED,
    Calibration,
    features_of,
    no_calibration,
)
from engine.search.posterior import Evidence, evidence_features, prior_lead, situation_of
from patterns_db.store.layouts import layout_of, require_layout
from patterns_db.store.table_files import Manifest, open_arrays, write_table

CALIBRATION = "calibration"
VERSION = 5  # of the table's content
# The probability that a result is meaningless, for a loss on time or a slip. Otherwise a few upsets
# in safe positions, which cost their squared probit each, would outweigh all other results.
SLIPS = 0.01
FREEDOM = 3.0  # degrees of it, of the final margin's errors
STUDENTS_NINETY = 2.3534  # what of Student's t with so many holds 90 %, to either side
STEP = 1e-4  # of the numerical derivatives
NEWTON_STEPS = 50
CONVERGED = 1e-6  # nats: smaller gains end the steps
TURNS = 2  # results and margins in turn: the second pair is hardly another one
USUAL = 0.1  # usual effect of one kind of evidence [probits]: deviation of its prior
RANKS = 2  # number of weights for a difference of ranks and its change with the board's size
MOST_RANKS = 4.0  # larger differences count as this
LATE = 0.7  # share of the board with stones from which a difference of ranks no longer counts
# Where core and the counted margins' T start: logarithms of 20 and 12 points on the full board.
CORE_START = (3.0, 0.5, 0.0, 0.0, 0.0, 0.5, 2.5, 0.5)


class Situation(NamedTuple):
    """The inputs of all factors, as ``features_of`` takes them."""

    size: int
    occupied: float
    playouts: float


class EndedPosition(NamedTuple):
    """A position of a game with a result, and the search's values.

    won       1 Black, 0 White
    margin    Black's at the end [points]; None: it was not counted
    stronger  Black's rank minus White's, 0 if unknown
    weight    of the position, 1 divided by its number of searches
    """

    evidence: Evidence
    won: float
    margin: float | None
    stronger: float = 0.0
    weight: float = 1.0


class JudgedGap(NamedTuple):
    """The difference between two moves' leads, with its deviation, and a long search's value."""

    situation: Situation
    difference: float
    deviation: float
    judged: float


class JudgedChoice(NamedTuple):
    """The moves of a position, and the choice of a long search.

    features  float64[n, CHOICES], of ``choice_features``
    chosen    0 <= chosen < n
    """

    situation: Situation
    features: Floats
    chosen: int


def fit_calibration(
    ended: Sequence[EndedPosition], gaps: Sequence[JudgedGap], choices: Sequence[JudgedChoice]
) -> Calibration:
    """Return the most probable weights. Without data a weight leaves the values unchanged."""
    weights, core, spread = fit_posterior(ended)
    return Calibration(
        fit_sharpness(ended), fit_gaps(gaps), fit_choices(choices), weights, core, spread
    )


def rank_difference(ranks: tuple[str | None, str | None]) -> float:
    """Return Black's rank minus White's, "9d" and "3k" as written; 0 if unknown."""
    found = [_strength(rank) for rank in ranks]
    black, white = found
    return 0.0 if black is None or white is None else black - white


def _strength(rank: str | None) -> float | None:
    """Return a rank as a number, 1 dan is 1 and 1 kyu is 0; None if it is unknown."""
    digits, letter = (rank or "")[:-1], (rank or "")[-1:]
    if not digits.isdigit() or letter not in "dkp":
        return None
    number = float(digits)
    return {"d": number, "k": 1.0 - number, "p": 9.0}[letter]


class _Lesson(NamedTuple):
    """All positions as arrays.

    seen        float64[n, EVIDENCE + RANKS], evidence and the difference of ranks
    situations  float64[n, FEATURES + 1]
    prior       float64[n], the prior's lead [points]
    won         float64[n], 1 Black, -1 White
    counted     bool[n]; margins: float64[n], 0 where not counted
    weights     float64[n]
    """

    seen: Floats
    situations: Floats
    prior: Floats
    won: Floats
    counted: npt.NDArray[np.bool_]
    margins: Floats
    weights: Floats


def _lesson(ended: Sequence[EndedPosition]) -> _Lesson:
    seen = []
    for position in ended:
        known = position.evidence.known()
        ranks = min(max(position.stronger, -MOST_RANKS), MOST_RANKS)
        ranks *= max(1.0 - position.evidence.occupied / LATE, 0.0)
        seen.append([*evidence_features(position.evidence), ranks, ranks * known[BOARD]])
    return _Lesson(
        np.array(seen),
        np.array([situation_of(position.evidence) for position in ended]),
        np.array([prior_lead(position.evidence) for position in ended]),
        np.where([position.won > 0.5 for position in ended], 1.0, -1.0),
        np.array([position.margin is not None for position in ended]),
        np.array([position.margin or 0.0 for position in ended]),
        np.array([position.weight for position in ended]),
    )


def fit_posterior(ended: Sequence[EndedPosition]) -> tuple[Floats, Floats, Floats]:
    """Return ``Calibration.weights``, ``core`` and ``spread``."""
    start = no_calibration()
    if not ended:
        return start.weights, start.core, start.spread
    lesson = _lesson(ended)
    # One unit of a weight is the usual effect of its evidence, so that one prior fits all.
    unit = USUAL / np.maximum(np.sqrt((lesson.seen**2).mean(axis=0)), 1e-6)
    scaled = lesson.won[:, None] * lesson.seen * unit
    ends = np.array(CORE_START)
    weights = np.zeros(scaled.shape[1])
    for _ in range(TURNS):
        offsets = lesson.won * lesson.prior * np.exp(-lesson.situations @ ends[: FEATURES + 1])
        weights = unit * _fit_sensible(offsets, scaled, lesson.weights)
        ends = _fit_ends(lesson, lesson.seen @ weights)
    core = ends[: FEATURES + 1]
    # More roll-outs never make a value less certain.
    core[PLAYED] = min(core[PLAYED], 0.0)
    spread = _fit_spread(lesson, lesson.seen @ weights, core)
    return weights[:-RANKS], core, spread


def _fit_sensible(scores: Floats, seen: Floats, counts: Floats) -> Floats:
    """Return the same as ``_fit_results``, without the observations of margins that would be < 0.

    Being further ahead never speaks against winning: it would, far from what was learned from.
    """
    used = np.ones(seen.shape[1], np.bool_)
    while True:
        weights = np.zeros(len(used))
        weights[used] = _fit_results(scores, seen[:, used], counts)
        against = np.arange(len(used)) < MARGINS
        against &= weights < 0.0
        if not against.any():
            return weights
        used &= ~against


def _fit_ends(lesson: _Lesson, probits: Floats) -> Floats:
    """Return core and, behind it, the logarithm of T and its change with the board's size.

    probits  float64[n], evidence times its weights
    """
    boards = lesson.situations[:, BOARD]

    def loss(weights: Floats) -> float:
        deviations = np.exp(np.clip(lesson.situations @ weights[: FEATURES + 1], -5.0, 6.0))
        counts = np.exp(weights[FEATURES + 1] + weights[FEATURES + 2] * boards)
        means = lesson.prior + deviations * probits
        return float(lesson.weights @ _end_losses(lesson, means, deviations, counts))

    return _most_probable(loss, np.array(CORE_START))


def _end_losses(lesson: _Lesson, means: Floats, deviations: Floats, counts: Floats) -> Floats:
    """Return minus the log likelihoods of how the games ended.

    counts  float64[n], T: larger margins are rarely counted [points]
    """
    errors = (lesson.margins - means) / deviations
    density = np.exp(-0.5 * errors**2) / (deviations * np.sqrt(2.0 * np.pi))
    counted = (1.0 - SLIPS) * density * np.exp(-0.5 * (lesson.margins / counts) ** 2)
    # P(the winner is ahead, and it is not counted): a product of two Gaussians is one again.
    squares = deviations**2 + counts**2
    kept = counts / np.sqrt(squares) * np.exp(-0.5 * means**2 / squares)
    ahead = _cdfs(lesson.won * means / deviations)
    ahead -= kept * _cdfs(lesson.won * means * counts / (deviations * np.sqrt(squares)))
    resigned = (1.0 - SLIPS) * np.maximum(ahead, 1e-12) + 0.3 * SLIPS
    # An error of a record's margin is as probable anywhere.
    return np.asarray(-np.log(np.where(lesson.counted, counted + SLIPS * 1e-3, resigned)))


def _fit_spread(lesson: _Lesson, probits: Floats, core: Floats) -> Floats:
    """Return ``Calibration.spread``, from counted games alone."""
    deviations = np.exp(lesson.situations @ core)
    errors = (lesson.margins - lesson.prior - deviations * probits)[lesson.counted]
    features_ = lesson.situations[lesson.counted, :FEATURES].copy()
    # It does not depend on their number. Where all positions have the same number, it would be a
    # second constant.
    features_[:, PLAYED] = 0.0
    # The normal distribution has the same 90 % interval, which is the one shown.
    scales = NINETY_PERCENT / STUDENTS_NINETY * deviations[lesson.counted]

    def loss(weights: Floats) -> float:
        return _student_loss(errors, scales * _factors(features_, weights))

    return _most_probable(loss, np.zeros(FEATURES))


def fit_sharpness(ended: Sequence[EndedPosition]) -> Floats:
    """Return float64[FEATURES], ``Calibration.sharpness``."""
    known = np.array([position.evidence.known() for position in ended]).reshape(-1, FEATURES)
    # Values are from the winner's side, so that every result is a win.
    scores = np.array([(2.0 * p.won - 1.0) * p.evidence.probit() for p in ended])
    weights_ = np.array([position.weight for position in ended])

    def loss(weights: Floats) -> float:
        return -float(weights_ @ np.log(_chances(_factors(known, weights) * scores)))

    return _most_probable(loss, np.zeros(FEATURES))


def _fit_results(scores: Floats, seen: Floats, counts: Floats) -> Floats:
    """Return the most probable weights of a probit regression of what was won, by Newton steps.

    scores  float64[n], probits without them, the winner's
    seen    float64[n, m], what the weights are of, likewise
    counts  float64[n], how much each result counts
    """
    weights = np.zeros(seen.shape[1])
    for _ in range(NEWTON_STEPS):
        probits = scores + seen @ weights
        densities = (1.0 - SLIPS) * np.exp(-0.5 * probits**2) / SQRT_TWO_PI
        slopes = densities / _chances(probits)
        # Slips make it curve the wrong way far off: there the prior alone holds.
        curves = counts * np.maximum(slopes * (slopes + probits), 0.0)
        curvature = np.eye(len(weights)) + seen.T @ (curves[:, None] * seen)
        move = np.linalg.solve(curvature, seen.T @ (counts * slopes) - weights)
        weights = weights + move
        if float(np.abs(move).max(initial=0.0)) < 1e-5:
            break
    return weights


def _cdfs(values: Floats) -> Floats:
    return 0.5 * np.array([math.erfc(-SQRT_HALF * value) for value in values.tolist()])


def _chances(probits: Floats) -> Floats:
    """Return the probabilities of wins, including slips."""
    return 0.5 * SLIPS + (1.0 - SLIPS) * _cdfs(probits)


def fit_gaps(gaps: Sequence[JudgedGap]) -> Floats:
    """Return float64[FEATURES], ``Calibration.gap``."""
    features = _features([gap.situation for gap in gaps])
    deviations = np.array([gap.deviation for gap in gaps])
    errors = np.array([gap.judged - gap.difference for gap in gaps])

    def loss(weights: Floats) -> float:
        return _normal_loss(errors, deviations * _factors(features, weights))

    return _most_probable(loss, np.zeros(FEATURES))


def fit_choices(choices: Sequence[JudgedChoice]) -> Floats:
    """Return float64[2, CHOICES], ``Calibration.choice``. The prior's mean is the belief alone."""
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
    """Return minus the log density of Student's distribution, up to a constant."""
    squares = (errors / scales) ** 2 / FREEDOM
    return float((np.log(scales) + 0.5 * (FREEDOM + 1.0) * np.log1p(squares)).sum())


def _most_probable(evidence: Callable[[Floats], float], start: Floats) -> Floats:
    """Return the weights that minimize ``evidence`` plus the loss of the prior N(start, 1)."""

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
        # The prior alone has curvature 1. In a region with less the loss is not convex.
        values, vectors = np.linalg.eigh(hessian)
        move = vectors @ ((vectors.T @ gradient) / np.maximum(np.abs(values), 1.0))
        scale = 1.0
        before = loss(weights)
        while (gain := before - loss(weights - scale * move)) < 0.0 and scale > 1e-6:
            scale /= 2.0
        weights = weights - scale * move
        if float(np.abs(move).max()) < 1e-6 or gain < CONVERGED:
            break
    return weights


def write_calibration(path: Path, calibration: Calibration, manifest: Manifest) -> None:
    """Write the table and its manifest."""
    versioned = {**manifest, "calibration_version": VERSION}
    write_table(path, CALIBRATION, calibration._asdict(), versioned)


def read_calibration(path: Path) -> Calibration:
    """Return the content of a table. Raises ModelFormatError for any other file."""
    arrays, manifest = open_arrays(path, CALIBRATION)
    version = manifest.get("calibration_version", 1)
    if version != VERSION:
        raise ModelFormatError(f"{path}: calibration {version}, this yomi reads {VERSION}")
    require_layout(path, arrays, layout_of(no_calibration()._asdict()))
    return Calibration(**arrays)
