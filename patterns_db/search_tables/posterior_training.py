"""Training of the weights that turn a search's evidence into a chance to win and a lead.

    results      P(Black won) = Phi(prior lead / deviation + w . evidence), but for slips, where the
                 evidence is of ``engine.belief.posterior``
    leads        of the same positions: the mean margin of the roll-outs that a longer search added
                 ~ N(prior lead + deviation (w . evidence), error^2). It counts leads_count times as
                 much as a result: a longer search errs, too, in what both have in common.
    intervals    log |a strong judge's lead - mean| has the 0.9 quantile w . variables

The leads say what a probit is worth in points, and which evidence a longer search confirms. Final
margins do not say it: most games are resigned. Weights and deviations are learned in turn. The
stronger player mostly has White. How much that counts is learned, too, and left out of the shown
values: a position has no ranks.

# Deviates: as ``calibrating`` says.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats
from engine.belief.calibration import BOARD, MARGINS, PLAYED, Calibration, no_calibration
from engine.belief.posterior import (
    ROLLOUTS,
    Evidence,
    evidence_features,
    posterior_of,
    prior_lead,
    reach_variables,
    situation_of,
)
from engine.gaussian import SQRT_HALF, SQRT_TWO_PI
from patterns_db.newton import NEWTON, most_probable
from patterns_db.records.ranks import kyu_of


class PosteriorTraining(NamedTuple):
    """The fit of the posterior to results and leads."""

    # The probability that a result is meaningless, for a loss on time or a slip. Otherwise a few
    # upsets in safe positions, which cost their squared probit each, would outweigh all other
    # results.
    slips: float = 0.01
    turns: int = 4  # weights and deviations in turn: a fifth pair is about the same
    # Usual effect of one kind of evidence [probits]: deviation of its prior
    usual: float = 0.35
    most_ranks: float = 4.0  # larger differences count as this
    # Share of the board with stones, from which on a difference of ranks counts no more
    late: float = 0.7
    # Of core: the logarithm of 20 points, full board
    core_start: tuple[float, ...] = (3.0, 0.5, 0.0, 0.0, 0.0, 0.5)
    # Chosen on test games: less has larger errors of the lead, more has larger ones of the results.
    leads_count: float = 0.15
    lead_error: float = 0.6  # of a longer search's lead [points a line of the board]
    rollout_deviation: float = 3.2  # of one roll-out's margin [points a line of the board]
    share: float = 0.9  # of the judge's leads that the intervals hold
    usual_error: float = 0.3  # unit of the intervals' loss [logarithm of points]
    kink: float = 0.15  # width of the loss's kink [logarithm of points]
    judge_error: float = 0.3  # of the judge itself [points]


FIT = PosteriorTraining()

RANKS = 2  # weights of a difference of ranks, and of its product with the board's size


class LongerSearch(NamedTuple):
    """The roll-outs by which a longer search went on: how many, and their mean margin, Black's."""

    rollouts: int
    margin: float


class EndedPosition(NamedTuple):
    """A position of a game with a result, and the search's values."""

    evidence: Evidence
    won: float  # 1 Black, 0 White
    stronger: float = 0.0  # Black's rank minus White's, 0 where unknown
    weight: float = 1.0  # of the position, 1 divided by the number of searches of it
    longer: LongerSearch | None = None  # search of the position; None: there is none


class JudgedLead(NamedTuple):
    """A position that a strong judge has measured."""

    evidence: Evidence
    lead: float  # Black's by the judge [points]
    weight: float = 1.0  # of the position, 1 divided by the number of searches of it


def rank_difference(ranks: tuple[str | None, str | None]) -> float:
    """Return Black's rank minus White's, "9d" and "3k" as written; 0 if unknown."""
    black, white = map(kyu_of, ranks)
    return 0.0 if black is None or white is None else float(white - black)


class _Observations(NamedTuple):
    """All positions as arrays."""

    regressors: Floats  # float64[n, EVIDENCE + RANKS], evidence and the difference of ranks
    situations: Floats  # float64[n, FEATURES + 1]
    prior: Floats  # float64[n], the prior's lead [points]
    won: Floats  # float64[n], 1 Black, -1 White
    weights: Floats  # float64[n]
    leads: Floats  # float64[n], of longer searches
    precisions: Floats  # float64[n], of these leads; 0 where there is none

    def evidence(self) -> Floats:
        """Return ``regressors`` without ranks, which no search knows."""
        return np.concatenate(
            [self.regressors[:, :-RANKS], np.zeros((len(self.regressors), RANKS))], axis=1
        )


def _observations(ended: Sequence[EndedPosition]) -> _Observations:
    regressors = []
    for position in ended:
        situation = position.evidence.known()
        ranks = min(max(position.stronger, -FIT.most_ranks), FIT.most_ranks)
        ranks *= max(1.0 - position.evidence.occupied / FIT.late, 0.0)
        regressors.append([*evidence_features(position.evidence), ranks, ranks * situation[BOARD]])
    return _Observations(
        regressors=np.array(regressors),
        situations=np.array([situation_of(position.evidence) for position in ended]),
        prior=np.array([prior_lead(position.evidence) for position in ended]),
        won=np.where([position.won > 0.5 for position in ended], 1.0, -1.0),
        weights=np.array([position.weight for position in ended]),
        leads=np.array([p.longer.margin if p.longer else 0.0 for p in ended]),
        precisions=FIT.leads_count * np.array([p.weight * _precision(p) for p in ended]),
    )


def _precision(position: EndedPosition) -> float:
    """Return how precise a longer search's lead is, 1 / error^2; 0 where there is none."""
    if position.longer is None:
        return 0.0
    share = FIT.lead_error**2 + FIT.rollout_deviation**2 / position.longer.rollouts
    return 1.0 / (position.evidence.size**2 * share)


def fit_posterior(ended: Sequence[EndedPosition]) -> tuple[Floats, Floats]:
    """Return ``Calibration.weights`` and ``core``."""
    start = no_calibration()
    if not ended:
        return start.weights, start.core
    data = _observations(ended)
    # One unit of a weight is the usual effect of its evidence, so that one prior fits all.
    unit = FIT.usual / np.maximum(np.sqrt((data.regressors**2).mean(axis=0)), 1e-6)
    scaled = data.won[:, None] * data.regressors * unit
    core = np.array(FIT.core_start)
    weights = np.zeros(scaled.shape[1])
    for _ in range(FIT.turns):
        deviations = np.exp(data.situations @ core)
        leads = _Leads(
            deviations[:, None] * data.evidence() * unit, data.leads - data.prior, data.precisions
        )
        offsets = data.won * data.prior / deviations
        weights = unit * _fit_sensible(offsets, scaled, data.weights, leads)
        core = _fit_core(data, data.regressors @ weights, data.evidence() @ weights)
    # More roll-outs never make anything less sure.
    core[PLAYED] = min(core[PLAYED], 0.0)
    return weights[:-RANKS], core


def fit_reach(judged: Sequence[JudgedLead], calibration: Calibration) -> Floats:
    """Return ``Calibration.reach``, given the other weights.

    A quantile regression (Koenker & Bassett 1978), whose loss has a smooth kink.
    """
    if not judged:
        return calibration.reach
    means = np.array([posterior_of(one.evidence, calibration).mean for one in judged])
    errors = np.hypot(means - np.array([one.lead for one in judged]), FIT.judge_error)
    variables = np.array(
        [reach_variables(one.evidence, mean) for one, mean in zip(judged, means, strict=True)]
    )
    counts = np.array([one.weight for one in judged]) / FIT.usual_error

    def loss(weights: Floats) -> float:
        excess = np.log(errors) - variables @ weights
        above = FIT.kink * np.logaddexp(0.0, excess / FIT.kink)
        return float(counts @ (above - (1.0 - FIT.share) * excess))

    reach = most_probable(loss, no_calibration().reach)
    # More roll-outs never make anything less sure.
    reach[ROLLOUTS] = min(reach[ROLLOUTS], 0.0)
    # The smooth kink and the prior move the quantile a little; now it is exact.
    excess = np.log(errors) - variables @ reach
    order = np.argsort(excess)
    place = int(np.searchsorted(counts[order].cumsum(), FIT.share * counts.sum()))
    reach[0] += excess[order][min(place, len(order) - 1)]
    return reach


class _Leads(NamedTuple):
    """Leads as observations of the weights: design @ weights ~ N(leads, 1 / precisions)."""

    design: Floats  # float64[n, m]
    leads: Floats  # float64[n]
    precisions: Floats  # float64[n]


def _fit_sensible(scores: Floats, evidence: Floats, counts: Floats, leads: _Leads) -> Floats:
    """Return the same as ``_fit_results``, without the observations of margins that would be < 0.

    Being further ahead never speaks against winning: it would, far from what was learned from.
    """
    used = np.ones(evidence.shape[1], np.bool_)
    while True:
        weights = np.zeros(len(used))
        some = leads._replace(design=leads.design[:, used])
        weights[used] = _fit_results(scores, evidence[:, used], counts, some)
        against = np.arange(len(used)) < MARGINS
        against &= weights < 0.0
        if not against.any():
            return weights
        used &= ~against


def _fit_core(data: _Observations, weighed: Floats, probits: Floats) -> Floats:
    """Return ``Calibration.core``.

    weighed  float64[n], evidence times its weights, ranks among it; probits: without them
    """

    def loss(core: Floats) -> float:
        deviations = np.exp(np.clip(data.situations @ core, -5.0, 6.0))
        chances = win_chances(data.won * (weighed + data.prior / deviations))
        errors = data.prior + deviations * probits - data.leads
        results = data.weights @ np.log(chances)
        return 0.5 * float(data.precisions @ errors**2) - float(results)

    return most_probable(loss, np.array(FIT.core_start))


def _fit_results(scores: Floats, evidence: Floats, counts: Floats, leads: _Leads) -> Floats:
    """Return the most probable weights, given results and leads, by Newton steps.

    A probit regression of the results and a linear one of the leads.

    scores  float64[n], probits without them, the winner's
    evidence  float64[n, m], the evidence that is weighed, the winner's
    counts  float64[n], how much each result counts
    """
    weights = np.zeros(evidence.shape[1])
    design = leads.precisions[:, None] * leads.design
    squares, products = leads.design.T @ design, design.T @ leads.leads
    for _ in range(NEWTON.most_steps):
        probits = scores + evidence @ weights
        densities = (1.0 - FIT.slips) * np.exp(-0.5 * probits**2) / SQRT_TWO_PI
        slopes = densities / win_chances(probits)
        # Slips make it curve the wrong way far off: there the prior alone holds.
        curves = counts * np.maximum(slopes * (slopes + probits), 0.0)
        curvature = np.eye(len(weights)) + squares + evidence.T @ (curves[:, None] * evidence)
        rise = evidence.T @ (counts * slopes) + products - squares @ weights - weights
        move = np.linalg.solve(curvature, rise)
        weights = weights + move
        if float(np.abs(move).max(initial=0.0)) < 1e-5:
            break
    return weights


def win_chances(probits: Floats) -> Floats:
    """Return float64[n], the probabilities of wins, including slips; probits: float64[n]."""
    cdfs = 0.5 * np.array([math.erfc(-SQRT_HALF * probit) for probit in probits.tolist()])
    return 0.5 * FIT.slips + (1.0 - FIT.slips) * cdfs


def factors(features: Floats, weights: Floats) -> Floats:
    """Return exp(w . features) of each row, within bounds.

    features  float64[n, m]; weights: float64[m]
    """
    return np.asarray(np.exp(np.clip(features @ weights, -5.0, 5.0)))
