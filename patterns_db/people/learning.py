"""Learning from one choice of a player: gradient and information of its log probability.

The log probability of a softmax is concave in the weights. Its gradient is the features of the
played move less their mean. Its information is their covariance, both under the model's
probabilities (McFadden, "Conditional logit analysis of qualitative choice behavior", 1974).
Twin: tests/reference/people.py.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.go.geometry import MAX_SIZE
from engine.jit import kernel
from engine.people.features import GROUPS
from engine.people.model import INPUTS, WEIGHTS, log_chances_into


class Lesson(NamedTuple):
    """Sums over the choices of one rank so far, and scratch."""

    gradient: Floats  # float64[WEIGHTS]
    information: Floats  # float64[WEIGHTS, WEIGHTS], its lower triangle
    mean: Floats  # (WEIGHTS,) zero between two choices.
    active: Ints  # (WEIGHTS,) features present among the position's candidates.
    indices: Ints  # (INPUTS + GROUPS,) indices of one candidate.
    entries: Floats  # (INPUTS + GROUPS,) and their values.
    logs: Floats  # (MAX_SIZE ** 2,) log probabilities of all candidates.


def new_lesson() -> Lesson:
    """Return a lesson without any choice."""
    width = INPUTS + GROUPS
    return Lesson(
        gradient=np.zeros(WEIGHTS), information=np.zeros((WEIGHTS, WEIGHTS)),
        mean=np.zeros(WEIGHTS), active=np.zeros(WEIGHTS, np.int64),
        indices=np.zeros(width, np.int64), entries=np.zeros(width),
        logs=np.zeros(MAX_SIZE * MAX_SIZE),
    )  # fmt: skip


@kernel
def _list_features(lesson: Lesson, inputs: Floats, rows: Ints, candidate: int) -> int:
    """Write the features of a candidate that are not 0, in ascending order; return their number."""
    count = 0
    for j in range(inputs.shape[1]):
        if inputs[candidate, j] != 0.0:
            lesson.indices[count] = j
            lesson.entries[count] = inputs[candidate, j]
            count += 1
    for group in range(rows.shape[1]):
        row = rows[candidate, group]
        if row > 0:  # the rows of the groups ascend
            lesson.indices[count] = inputs.shape[1] + row
            lesson.entries[count] = 1.0
            count += 1
    return count


@kernel
def learn_choice(
    weights: Floats, inputs: Floats, rows: Ints, count: int, played: int, lesson: Lesson
) -> float:
    """Add the sums of one choice to the lesson; return the log probability of the played move.

    weights, inputs, rows, count  as for ``log_chances_into``
    played                        int64, the candidate that was played
    """
    logs = lesson.logs
    log_chances_into(weights, inputs, rows, count, logs)
    active = 0
    for i in range(count):
        chance = math.exp(logs[i])
        features = _list_features(lesson, inputs, rows, i)
        for j in range(features):
            feature, share = lesson.indices[j], chance * lesson.entries[j]
            if lesson.mean[feature] == 0.0 and share != 0.0:
                lesson.active[active] = feature
                active += 1
            lesson.mean[feature] += share
            if i == played:
                lesson.gradient[feature] += lesson.entries[j]
            for k in range(j + 1):
                lesson.information[feature, lesson.indices[k]] += share * lesson.entries[k]
    for i in range(active):
        feature = lesson.active[i]
        lesson.gradient[feature] -= lesson.mean[feature]
        for j in range(active):
            other = lesson.active[j]
            if other <= feature:
                lesson.information[feature, other] -= lesson.mean[feature] * lesson.mean[other]
    for i in range(active):
        lesson.mean[lesson.active[i]] = 0.0
    return float(logs[played])
