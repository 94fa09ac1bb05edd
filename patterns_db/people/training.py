"""Training of the differences between people of each rank and the ranking model.

The prior is a random walk over ranks: the weights w at the knots k = 1, 2, ... follow

    w_middle ~ N(start, 1),   w_{k + 1} - w_k ~ N(0, step^2) for each weight,

so neighbors share strength. Steps are estimated: each is the mean square of the differences under
the posterior, with a prior worth step_counts differences of first_step (expectation maximization).
The posterior is Laplace's approximation: Newton's method finds the single mode of a concave
function, and its curvature there is the precision.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats, Ints
from engine.go.geometry import MAX_SIZE
from engine.people.features import PHASES
from engine.people.model import WEIGHTS, PeopleModel, knot_shares, log_chances_into
from engine.people.posterior import STRONGEST, WEAKEST
from patterns_db.people.choices import UNKNOWN, PeopleChoices
from patterns_db.people.learning import learn_choice, new_lesson

KNOTS = (28.0, 25.0, 22.0, 19.0, 16.0, 13.0, 10.0, 7.0, 4.0, 1.0, -2.0, -5.0)


class PeopleTraining(NamedTuple):
    """The fit of the weights of ranks by Newton's method."""

    start: float = 0.7  # of the weights of the ranking model's log probability; 0 for all others
    start_deviation: float = 1.0
    first_step: float = 0.1
    step_counts: float = 2.0
    rounds: int = 40
    close: float = 2e-3  # largest change of a weight at which Newton's method ends
    step_updates: int = 2
    # Largest change at which the steps of the random walk are estimated
    close_enough: float = 0.3


TRAINING = PeopleTraining()


Bools = npt.NDArray[np.bool_]


class Prediction(NamedTuple):
    """The quality of predictions for each rank, by kyu from STRONGEST on."""

    moves: Floats  # float64[ranks], number of moves
    logs: Floats  # float64[ranks], sum of log probabilities [nats]
    top: Floats  # float64[ranks], choices that were the most probable move, shared among equals


RANKS = WEAKEST - STRONGEST + 1


def _by_rank(choices: PeopleChoices, chosen: Bools | None) -> list[Ints]:
    """Return the numbers of the chosen choices of each rank; None: all."""
    usable = choices.kyu != UNKNOWN
    if chosen is not None:
        usable &= chosen
    index = np.where(usable, np.clip(choices.kyu, STRONGEST, WEAKEST) - STRONGEST, -1)
    return [np.flatnonzero(index == rank) for rank in range(RANKS)]


def judge_people(
    choices: PeopleChoices, people: PeopleModel, chosen: Bools | None = None
) -> Prediction:
    """Return the quality of predictions of each rank's choices by its own weights.

    chosen  bool[moves], the choices that count; None: all
    """
    quality = np.zeros((3, RANKS))  # the fields of ``Prediction``
    chances = np.zeros(MAX_SIZE * MAX_SIZE)
    for rank, indices in enumerate(_by_rank(choices, chosen)):
        weights = people.at(rank + STRONGEST)
        for index in indices:
            inputs, rows = choices.recall(index)
            log_chances_into(weights, inputs, rows, len(inputs), chances)
            logs = chances[: len(inputs)]
            own, most = logs[choices.played[index]], logs.max()
            quality[:, rank] += 1, own, (own == most) / (logs == most).sum()
    return Prediction._make(quality)


def _prior_precision(knots: int, steps: Floats) -> Floats:
    """Return float64[WEIGHTS, knots, knots], the precision of the random walk of each weight."""
    precision = np.zeros((WEIGHTS, knots, knots))
    middle = knots // 2
    precision[:, middle, middle] = TRAINING.start_deviation**-2
    for knot in range(knots - 1):
        pair = np.array([[1.0, -1.0], [-1.0, 1.0]])
        precision[:, knot : knot + 2, knot : knot + 2] += (steps**-2)[:, None, None] * pair
    return precision


class _Lessons(NamedTuple):
    """Sums over all choices at some weights: float64[ranks, ...], and their log probability."""

    gradients: Floats
    information: Floats
    logs: float


def _learn_all(choices: PeopleChoices, people: PeopleModel, by_rank: list[Ints]) -> _Lessons:
    gradients, information = np.zeros((RANKS, WEIGHTS)), np.zeros((RANKS, WEIGHTS, WEIGHTS))
    logs = 0.0
    for rank, indices in enumerate(by_rank):
        if len(indices) == 0:
            continue
        lesson = new_lesson()
        weights = people.at(rank + STRONGEST)
        of_rank = 0.0
        for index in indices:
            inputs, rows = choices.recall(index)
            played = int(choices.played[index])
            of_rank += learn_choice(weights, inputs, rows, len(inputs), played, lesson)
        logs += of_rank
        lower = np.tril(lesson.information)
        gradients[rank] = lesson.gradient
        information[rank] = lower + np.tril(lower, -1).T
    return _Lessons(gradients, information, logs)


def _estimate_steps(weights: Floats, covariance: Floats) -> Floats:
    """Return the steps of the random walk, separately for each weight.

    weights     float64[knots, WEIGHTS], the posterior's mean
    covariance  float64[knots, WEIGHTS, knots, WEIGHTS]
    """
    knots = len(weights)
    each = np.arange(WEIGHTS)
    total = (np.diff(weights, axis=0) ** 2).sum(0) + TRAINING.step_counts * TRAINING.first_step**2
    for k in range(knots - 1):
        one, other = covariance[k, each, k, each], covariance[k + 1, each, k + 1, each]
        total += one + other - 2.0 * covariance[k, each, k + 1, each]
    steps: Floats = np.sqrt(total / (knots - 1 + TRAINING.step_counts))
    return steps


class _Prior(NamedTuple):
    """The random walk over the knots."""

    places: Floats  # float64[knots], numbers of kyu
    shares: Floats  # float64[ranks, knots], how much of each knot's weights a rank has
    start: Floats  # float64[WEIGHTS], mean of all weights

    @classmethod
    def of(cls, knots: Sequence[float]) -> "_Prior":
        places = np.array(knots)
        shares = np.stack([knot_shares(places, rank + STRONGEST) for rank in range(RANKS)])
        start = np.zeros(WEIGHTS)
        start[:PHASES] = TRAINING.start
        return cls(places, shares, start)

    def pull(self, weights: Floats, steps: Floats) -> Floats:
        """Return float64[knots, WEIGHTS], minus the gradient of the log density of the prior."""
        precision = _prior_precision(len(self.places), steps)
        gradient: Floats = np.einsum("fkl,lf->kf", precision, weights - self.start)
        return gradient

    def log_density(self, weights: Floats, steps: Floats) -> float:
        """Return the log density of weights, up to a constant for the same steps."""
        return -0.5 * float(((weights - self.start) * self.pull(weights, steps)).sum())

    def covariance(self, information: Floats, steps: Floats) -> Floats:
        """Return float64[knots * WEIGHTS, knots * WEIGHTS], of the posterior."""
        knots, each = len(self.places), np.arange(WEIGHTS)
        prior = _prior_precision(knots, steps)
        precision = np.einsum(
            "rk,rl,rfg->kflg", self.shares, self.shares, information, optimize=True
        )
        for k in range(knots):
            for other in range(knots):
                precision[k, each, other, each] += prior[:, k, other]
        inverse: Floats = np.linalg.inv(precision.reshape(knots * WEIGHTS, knots * WEIGHTS))
        return inverse


def learn_people(
    choices: PeopleChoices,
    chosen: Bools | None = None,
    knots: Sequence[float] = KNOTS,
    report: Callable[[str], None] = lambda line: None,
) -> tuple[PeopleModel, Floats]:
    """Return the most probable weights after some choices. Their order does not matter.

    Beside them, float64[WEIGHTS], the deviations of a weight's difference between two knots.
    chosen  bool[moves], the choices to learn from; None: all
    report  called with lines of progress
    """
    prior = _Prior.of(knots)
    by_rank = _by_rank(choices, chosen)
    moves = max(sum(map(len, by_rank)), 1)
    weights = np.tile(prior.start, (len(prior.places), 1))
    steps = np.full(WEIGHTS, TRAINING.first_step)
    change, reached = np.zeros_like(weights), -math.inf
    updates = 0
    for turn in range(TRAINING.rounds):
        lessons = _learn_all(choices, PeopleModel(prior.places, weights + change), by_rank)
        log_posterior = lessons.logs + prior.log_density(weights + change, steps)
        report(f"round {turn + 1}: {lessons.logs / moves:.4f} nats per move")
        # A full step may lead too far: the curvature says little about distant weights.
        if log_posterior < reached and np.abs(change).max() > TRAINING.close:
            change /= 2.0
            continue
        weights, reached = weights + change, log_posterior
        covariance = prior.covariance(lessons.information, steps)
        if (
            updates < TRAINING.step_updates
            and turn > 0
            and np.abs(change).max() < TRAINING.close_enough
        ):
            steps = _estimate_steps(weights, covariance.reshape(*weights.shape, *weights.shape))
            covariance = prior.covariance(lessons.information, steps)
            reached = lessons.logs + prior.log_density(weights, steps)
            updates += 1
        elif updates == TRAINING.step_updates and np.abs(change).max() < TRAINING.close:
            break
        gradient = prior.shares.T @ lessons.gradients - prior.pull(weights, steps)
        change = (covariance @ gradient.ravel()).reshape(weights.shape)
    return PeopleModel(prior.places, weights), steps


def rank_logs(choices: PeopleChoices, people: PeopleModel, indices: Ints) -> Floats:
    """Return float64[RANKS], the log probability of some choices under each rank's weights."""
    weights = [people.at(rank + STRONGEST) for rank in range(RANKS)]
    sums, logs = np.zeros(RANKS), np.zeros(MAX_SIZE * MAX_SIZE)
    for index in indices:
        inputs, rows = choices.recall(index)
        for rank in range(RANKS):
            log_chances_into(weights[rank], inputs, rows, len(inputs), logs)
            sums[rank] += logs[choices.played[index]]
    return sums
