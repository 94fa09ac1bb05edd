"""Learns how people of each rank differ from the ranking model.

The prior is a random walk over ranks: the weights w at the knots k = 1, 2, ... follow

    w_middle ~ N(start, 1),   w_{k + 1} - w_k ~ N(0, step^2) for each weight,

so neighbors share strength. Steps are estimated: each is the mean square of the differences under
the posterior, with a prior worth STEP_COUNTS differences of FIRST_STEP (expectation maximization).
The posterior is Laplace's: Newton's method finds the one mode of a concave function, and its
curvature there is the precision.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.geometry import MAX_SIZE
from engine.jit import kernel
from engine.patterns.choice import Floats, Ints
from engine.people.features import GROUPS, PHASES
from engine.people.learning import Lesson, learn_choice, new_lesson
from engine.people.model import INPUTS, WEIGHTS, PeopleModel, knot_shares, log_chances_into
from engine.people.posterior import STRONGEST, WEAKEST
from patterns_db.people_choices import UNKNOWN, PeopleChoices, recall_choice

KNOTS = (28.0, 25.0, 22.0, 19.0, 16.0, 13.0, 10.0, 7.0, 4.0, 1.0, -2.0, -5.0)
START = 0.7  # of the weights of the ranking model's log probability; 0 for all others
START_DEVIATION = 1.0
FIRST_STEP = 0.1
STEP_COUNTS = 2.0
ROUNDS = 12
CLOSE = 2e-3  # largest change of a weight at which Newton's method ends
STEP_ROUNDS = (2, 3)  # after which the steps are estimated

Bools = npt.NDArray[np.bool_]


class PeopleBelief(NamedTuple):
    """What was learned.

    model       the most probable weights
    deviations  float64[knots, WEIGHTS], of the posterior
    steps       float64[WEIGHTS], deviation of a weight's difference between two knots
    """

    model: PeopleModel
    deviations: Floats
    steps: Floats


class Prediction(NamedTuple):
    """How well the choices of each rank are predicted, by kyu from STRONGEST on.

    moves  float64[ranks], logs: sum of log probabilities [nats], top: how often the most probable
           move was played, shared among equals
    """

    moves: Floats
    logs: Floats
    top: Floats


def rank_index(kyu: Ints) -> Ints:
    """Return where numbers of kyu stand among the ranks that are told apart."""
    found: Ints = np.clip(kyu, STRONGEST, WEAKEST) - STRONGEST
    return found


RANKS = WEAKEST - STRONGEST + 1


@kernel
def learn_rank(
    choices: PeopleChoices,
    chosen: Ints,
    weights: Floats,
    inputs: Floats,
    rows: Ints,
    lesson: Lesson,
) -> float:
    """Add what some choices teach; return the sum of their log probabilities.

    chosen   int64[n], numbers of positions
    weights  float64[WEIGHTS]
    inputs, rows  scratch, see ``recall_choice``
    """
    total = 0.0
    for index in chosen:
        count = recall_choice(choices, index, inputs, rows)
        total += learn_choice(weights, inputs, rows, count, choices.played[index], lesson)
    return total


@kernel
def judge_rank(
    choices: PeopleChoices, chosen: Ints, weights: Floats, inputs: Floats, rows: Ints, logs: Floats
) -> tuple[float, float]:
    """Return the log probabilities of some choices, and how many were the most probable move.

    Arguments as in ``learn_rank``; logs is scratch, too: float64[>= candidates of any position].
    """
    total = top = 0.0
    for index in chosen:
        count = recall_choice(choices, index, inputs, rows)
        played = choices.played[index]
        log_chances_into(weights, inputs, rows, count, logs)
        above = equal = 0
        for i in range(count):
            above += np.int64(logs[i] > logs[played])
            equal += np.int64(logs[i] == logs[played])
        total += logs[played]
        top += 1.0 / equal if above == 0 else 0.0
    return total, top


def _scratch() -> tuple[Floats, Ints]:
    most = MAX_SIZE * MAX_SIZE
    return np.zeros((most, INPUTS)), np.zeros((most, GROUPS), np.int64)


def _by_rank(choices: PeopleChoices, chosen: Bools | None) -> list[Ints]:
    """Return the numbers of those choices of each rank that are chosen; None: all."""
    known = choices.kyu != UNKNOWN
    if chosen is not None:
        known &= chosen
    index = np.where(known, rank_index(choices.kyu), -1)
    return [np.flatnonzero(index == rank) for rank in range(RANKS)]


def judge_people(
    choices: PeopleChoices, people: PeopleModel, chosen: Bools | None = None
) -> Prediction:
    """Return how well the choices of each rank are predicted by its own weights.

    chosen  bool[moves], which choices count; None: all
    """
    inputs, rows = _scratch()
    found = np.zeros((3, RANKS))
    for rank, indices in enumerate(_by_rank(choices, chosen)):
        weights = people.at(rank + STRONGEST)
        sums = judge_rank(choices, indices, weights, inputs, rows, np.zeros(len(inputs)))
        found[:, rank] = len(indices), *sums
    return Prediction(*found)


def _prior_precision(knots: int, steps: Floats) -> Floats:
    """Return float64[WEIGHTS, knots, knots], the precision of the random walk of each weight."""
    precision = np.zeros((WEIGHTS, knots, knots))
    middle = knots // 2
    precision[:, middle, middle] = START_DEVIATION**-2
    for knot in range(knots - 1):
        pair = np.array([[1.0, -1.0], [-1.0, 1.0]])
        precision[:, knot : knot + 2, knot : knot + 2] += (steps**-2)[:, None, None] * pair
    return precision


class _Lessons(NamedTuple):
    """What all choices teach at some weights: float64[ranks, ...], and their log probability."""

    gradients: Floats
    information: Floats
    logs: float


def _learn_all(choices: PeopleChoices, people: PeopleModel, by_rank: list[Ints]) -> _Lessons:
    inputs, rows = _scratch()
    gradients, information = np.zeros((RANKS, WEIGHTS)), np.zeros((RANKS, WEIGHTS, WEIGHTS))
    logs = 0.0
    for rank, indices in enumerate(by_rank):
        if len(indices) == 0:
            continue
        lesson = new_lesson()
        weights = people.at(rank + STRONGEST)
        logs += learn_rank(choices, indices, weights, inputs, rows, lesson)
        lower = np.tril(lesson.information)
        gradients[rank] = lesson.gradient
        information[rank] = lower + np.tril(lower, -1).T
    return _Lessons(gradients, information, logs)


def _estimate_steps(weights: Floats, covariance: Floats) -> Floats:
    """Return the steps of the random walk, each weight's by itself.

    weights     float64[knots, WEIGHTS], the posterior's mean
    covariance  float64[knots, WEIGHTS, knots, WEIGHTS]
    """
    knots = len(weights)
    each = np.arange(WEIGHTS)
    total = (np.diff(weights, axis=0) ** 2).sum(0) + STEP_COUNTS * FIRST_STEP**2
    for k in range(knots - 1):
        one, other = covariance[k, each, k, each], covariance[k + 1, each, k + 1, each]
        total += one + other - 2.0 * covariance[k, each, k + 1, each]
    steps: Floats = np.sqrt(total / (knots - 1 + STEP_COUNTS))
    return steps


def learn_people(
    choices: PeopleChoices,
    chosen: Bools | None = None,
    knots: Sequence[float] = KNOTS,
    report: Callable[[str], None] = lambda line: None,
) -> PeopleBelief:
    """Return the posterior after some choices; their order does not matter.

    chosen  bool[moves], what to learn from; None: all
    report  is told how far it is
    """
    places = np.array(knots)
    shares = np.stack([knot_shares(places, rank + STRONGEST) for rank in range(RANKS)])
    by_rank = _by_rank(choices, chosen)
    start = np.zeros(WEIGHTS)
    start[:PHASES] = START
    weights = np.tile(start, (len(places), 1))
    steps = np.full(WEIGHTS, FIRST_STEP)
    each = np.arange(WEIGHTS)
    size = weights.size
    covariance = np.zeros((size, size))
    for turn in range(ROUNDS):
        lessons = _learn_all(choices, PeopleModel(places, weights), by_rank)
        prior = _prior_precision(len(places), steps)
        gradient = shares.T @ lessons.gradients
        gradient -= np.einsum("fkl,lf->kf", prior, weights - start)
        precision = np.einsum("rk,rl,rfg->kflg", shares, shares, lessons.information, optimize=True)
        for k in range(len(places)):
            for other in range(len(places)):
                precision[k, each, other, each] += prior[:, k, other]
        covariance = np.linalg.inv(precision.reshape(size, size))
        change = (covariance @ gradient.ravel()).reshape(weights.shape)
        weights = weights + change
        moves = max(sum(map(len, by_rank)), 1)
        report(f"round {turn + 1}: {lessons.logs / moves:.4f} nats a move before it")
        if turn in STEP_ROUNDS:
            steps = _estimate_steps(weights, covariance.reshape(*weights.shape, *weights.shape))
        elif turn > max(STEP_ROUNDS) and np.abs(change).max() < CLOSE:
            break
    deviations = np.sqrt(np.diag(covariance)).reshape(weights.shape)
    return PeopleBelief(PeopleModel(places, weights), deviations, steps)


def rank_logs(choices: PeopleChoices, people: PeopleModel, indices: Ints) -> Floats:
    """Return float64[RANKS], the log probability of some choices under each rank's weights."""
    inputs, rows = _scratch()
    logs = np.zeros(len(inputs))
    found = [
        judge_rank(choices, indices, people.at(rank + STRONGEST), inputs, rows, logs)[0]
        for rank in range(RANKS)
    ]
    return np.array(found)
