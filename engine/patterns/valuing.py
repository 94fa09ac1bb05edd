"""What the ranking model thinks of every legal move of a position: mean values.

A move's value is the sum of the beliefs about its largest pattern class and about its classes of
added evidence (Stern, Herbrich & Graepel 2006, Sec. 3.1; sums as in ``ranking``). For the search
the means are enough: they order the moves and say how far each one is behind the best.
``predictor`` has the probabilities.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.geometry import AREA
from engine.jit import kernel
from engine.patterns.choice import MEAN, Floats
from engine.patterns.evidence import GROUP_SIZES, GROUPS
from engine.patterns.matching import Candidates, Matcher
from engine.patterns.table import MEAN_STEP, TableKeys
from engine.patterns.templates import TEMPLATES

EVIDENCE_ROWS = 1 + sum(GROUP_SIZES)  # the first: no pattern class matches at all
FIRST_ROWS = tuple(1 + sum(GROUP_SIZES[:group]) for group in range(GROUPS))  # of their class 0
WIDTH = 1 + GROUPS  # summands of a candidate: its pattern class, its added evidence


class PatternKnowledge(NamedTuple):
    """A trained pattern model in play.

    keys          uint32[slots], see engine.patterns.table
    values        int16[slots, 2], beliefs about the classes
    evidence      float64[EVIDENCE_ROWS, 2], beliefs about "no match" and, group after group, the
                  classes of added evidence; class 0 of a group counts for nothing, its mean is 0
    beta_squared  float64, variance of one move's noise around the sum
    """

    keys: TableKeys
    values: npt.NDArray[np.int16]
    evidence: Floats
    beta_squared: float = 2.0


def no_patterns() -> PatternKnowledge:
    """Return a model that has learned nothing: every move has the value 0."""
    return PatternKnowledge(
        np.zeros(16, np.uint32), np.zeros((16, 2), np.int16), np.zeros((EVIDENCE_ROWS, 2))
    )


@kernel
def value_moves(
    knowledge: PatternKnowledge,
    matcher: Matcher,
    color: int,
    candidates: Candidates,
    count: int,
    values: Floats,
) -> float:
    """Write the mean value of each candidate and return the largest.

    knowledge   PatternKnowledge
    matcher     Matcher that has just found the candidates; remembers what their classes are worth
    color       int64, player to move
    candidates  Candidates of a position, with their evidence (matching.match_moves_into)
    count       int64, number of candidates
    values      float64[>= count], in place; unit: a prior deviation of the ranking model
    """
    best = -np.inf
    for i in range(count):
        vertex = (color - 1) * AREA + candidates.points[i]
        if np.isnan(matcher.values[vertex]):
            matcher.values[vertex] = value_class(
                knowledge, matcher, vertex, candidates.templates[i]
            )
        value = matcher.values[vertex]
        for group in range(GROUPS):
            found = candidates.evidence[i * GROUPS + group]
            value += knowledge.evidence[FIRST_ROWS[group] + found, MEAN]
        values[i] = value
        best = max(best, value)
    return best


@kernel
def value_class(knowledge: PatternKnowledge, matcher: Matcher, vertex: int, template: int) -> float:
    """Return what the largest pattern class matched at a vertex is worth, as a mean.

    vertex    int64, (color - 1) * AREA + point
    template  int64, the largest one matched there, 0 = none
    """
    if template == 0:
        return knowledge.evidence[0, MEAN]
    slot = matcher.slots[vertex * TEMPLATES + template - 1]
    return knowledge.values[slot, MEAN] * MEAN_STEP
