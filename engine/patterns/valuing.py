"""Summands, beliefs and values of moves, from a table of the ranking model.

A move's value is the sum of the beliefs about its largest pattern class and its classes of added
evidence. Source: Stern, Herbrich & Graepel (2006), Sec. 3.1; sums as in ``ranking``. Each of these
summands has a row: the class's slot in the table, then "no class matches", then the classes of
added evidence, group by group, then those of the context. The search needs only the means
(``value_moves``); ``predictor`` has the probabilities.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats, Ints
from engine.go.geometry import AREA
from engine.jit import kernel, prefetch
from engine.patterns.choice import CHOICE_LEAVES, MEAN, NO_SUMMAND, VARIANCE, Choice
from engine.patterns.contenders import CONTEXT_GROUPS
from engine.patterns.context import CONTEXT_ROWS, no_context
from engine.patterns.evidence import EVIDENCE_GROUPS, GROUP_SIZES
from engine.patterns.matching import NO_MATCH, Candidates, Matcher
from engine.patterns.responses import Responses, no_responses
from engine.patterns.table import TableKeys, load_belief, load_mean
from engine.patterns.templates import TEMPLATES
from engine.patterns.trees import Trees, no_trees

EVIDENCE_ROWS = 1 + sum(GROUP_SIZES)  # the first: no pattern class matches
FIRST_ROWS = tuple(1 + sum(GROUP_SIZES[:group]) for group in range(EVIDENCE_GROUPS))  # of class 0
MOVE_SUMMANDS = 1 + EVIDENCE_GROUPS  # in play: a candidate's pattern class, its added evidence
CONTEXT_SUMMANDS = MOVE_SUMMANDS + CONTEXT_GROUPS  # the same for a model with context
TREE_SUMMANDS = CONTEXT_SUMMANDS + 1  # and with trees: a contender's sum of leaves
NESTED_SUMMANDS = TEMPLATES + EVIDENCE_GROUPS  # in training, nested: the classes of all templates


class PatternKnowledge(NamedTuple):
    """A trained pattern model in play."""

    keys: TableKeys  # uint32[slots], see engine.patterns.table
    values: npt.NDArray[np.int16]  # int16[slots, 2], beliefs about the classes
    # [EVIDENCE_ROWS, 2], beliefs about "no match" and, group after group, the classes of added
    # evidence; the mean of a class 0 is 0. A model of patterns alone has only the first row.
    evidence: Floats
    beta_squared: float = 2.0  # variance of one move's noise around the sum
    context: Floats = no_context()  # [CONTEXT_ROWS, 2], beliefs about its classes; or no row
    trees: Trees = no_trees()  # on the context's model; a model without context has none
    quick_trees: Trees = no_trees()  # the first of these: for most positions of a search
    responses: Responses = no_responses()  # beside the trees; a model without trees has none

    @property
    def summands(self) -> int:
        """The number of a candidate's summands in play."""
        if len(self.trees.questions):
            return TREE_SUMMANDS
        return CONTEXT_SUMMANDS if len(self.context) else MOVE_SUMMANDS


def no_patterns() -> PatternKnowledge:
    """Return a model that has learned nothing: every move has the value 0."""
    return PatternKnowledge(
        np.zeros(16, np.uint32), np.zeros((16, 2), np.int16), np.zeros((EVIDENCE_ROWS, 2))
    )


@kernel(inlined=True)
def class_row(slot: int, slots: int) -> int:
    """Return the row of a pattern class by its slot; NO_MATCH means "no class matches"."""
    return slots if slot == NO_MATCH else slot


@kernel(inlined=True)
def evidence_row(group: int, number: int) -> int:
    """Return the row of a class of added evidence in PatternKnowledge.evidence."""
    return FIRST_ROWS[group] + number


@kernel
def summands_into(
    candidates: Candidates, count: int, slots: int, nested: bool, summands: Ints
) -> None:
    """Write the rows of each candidate's summands: the table's slots, then the evidence's.

    candidates  with slots (matching.list_slots) and evidence
    slots       int64, of the table
    nested      true for the classes of all templates, false for the largest one alone
    summands    int64[>= count, width], overwritten: pattern classes (TEMPLATES if ``nested``, else
                one), then, if there is room, the added evidence, the context, and a contender's
                row of Contenders.sums; NO_SUMMAND if there is none
    """
    classes = TEMPLATES if nested else 1
    with_evidence = summands.shape[1] > classes
    context = classes + EVIDENCE_GROUPS
    with_context = summands.shape[1] > context
    trees = context + CONTEXT_GROUPS
    with_trees = summands.shape[1] > trees
    for i in range(count):
        start = i * TEMPLATES
        if nested:
            # The slots beyond the largest match are NO_MATCH, which equals NO_SUMMAND.
            for template in range(1, TEMPLATES):
                summands[i, template] = candidates.slots[start + template]
            summands[i, 0] = class_row(candidates.slots[start], slots)
        else:
            # Template 0 means no match at all. The first slot shows it.
            largest = max(candidates.templates[i], 1) - 1
            summands[i, 0] = class_row(candidates.slots[start + largest], slots)
        if with_evidence:
            for group in range(EVIDENCE_GROUPS):
                number = candidates.evidence[i * EVIDENCE_GROUPS + group]
                row = slots + evidence_row(group, number)
                summands[i, classes + group] = row if number > 0 else NO_SUMMAND
        if with_context:
            for group in range(CONTEXT_GROUPS):
                row = candidates.context[i * CONTEXT_GROUPS + group]
                row = row if row < 0 else slots + EVIDENCE_ROWS + row
                summands[i, context + group] = row
        if with_trees:
            summands[i, trees] = NO_SUMMAND
    if with_trees:
        # Every contender has a row of its own, so that it forms a group of its own.
        for lane in range(candidates.contenders.count[0]):
            row = slots + EVIDENCE_ROWS + CONTEXT_ROWS + lane
            summands[candidates.contenders.order[lane], trees] = row


@kernel
def load_summand(knowledge: PatternKnowledge, row: int, beliefs: Floats, to: int) -> None:
    """Unpack the belief about one summand.

    row      int64, see ``summands_into``
    beliefs  float64[rows, >= 2], MEAN and VARIANCE of row ``to`` change in place
    """
    slots = len(knowledge.keys)
    if row < slots:
        load_belief(knowledge.values, row, beliefs, to)
    elif row >= slots + EVIDENCE_ROWS:
        beliefs[to, MEAN] = knowledge.context[row - slots - EVIDENCE_ROWS, MEAN]
        beliefs[to, VARIANCE] = knowledge.context[row - slots - EVIDENCE_ROWS, VARIANCE]
    else:
        beliefs[to, MEAN] = knowledge.evidence[row - slots, MEAN]
        beliefs[to, VARIANCE] = knowledge.evidence[row - slots, VARIANCE]


@kernel
def load_leaves(choice: Choice, knowledge: PatternKnowledge, sums: Floats) -> None:
    """Copy in the beliefs of this position's summands; ``choice.fetch_beliefs`` for unpacked ones.

    choice  grouped by ``summands_into``'s rows; leaves change in place
    sums    float64[LANES, 2], of the position's contenders
    """
    first = len(knowledge.keys) + EVIDENCE_ROWS + len(knowledge.context)
    for leaf in range(choice.meta[CHOICE_LEAVES]):
        row = choice.summand[leaf]
        if row >= first:
            choice.leaves[leaf, MEAN] = sums[row - first, MEAN]
            choice.leaves[leaf, VARIANCE] = sums[row - first, VARIANCE]
        else:
            load_summand(knowledge, row, choice.leaves, leaf)


@kernel
def load_rows(knowledge: PatternKnowledge, rows: Ints, beliefs: Floats) -> None:
    """Unpack the beliefs about some summands; ``beliefs_of`` into float64[>= n, 2]."""
    for i in range(len(rows)):
        load_summand(knowledge, rows[i], beliefs, i)


def beliefs_of(knowledge: PatternKnowledge, rows: Ints) -> Floats:
    """Return float64[n, 2], the unpacked beliefs about summands; rows of ``summands_into``."""
    beliefs = np.zeros((len(rows), 2))
    load_rows(knowledge, rows, beliefs)
    return beliefs


@kernel
def value_moves(
    knowledge: PatternKnowledge,
    matcher: Matcher,
    color: int,
    candidates: Candidates,
    count: int,
    values: Floats,
) -> float:
    """Write the mean value of each candidate (Sec. 3.1) and return the largest.

    matcher     that has just found the candidates; it stores the values of their classes
    candidates  with their evidence and, for a model with context, their context
    values      float64[>= count], in place; unit: a prior deviation of the ranking model
    """
    for i in range(count):
        vertex = (color - 1) * AREA + candidates.points[i]
        largest = candidates.templates[i]
        if largest > 0 and np.isnan(matcher.values[vertex]):
            prefetch(knowledge.values, (class_slot(matcher, vertex, largest), MEAN))
    with_context = len(knowledge.context) > 0
    best = -np.inf
    for i in range(count):
        vertex = (color - 1) * AREA + candidates.points[i]
        if np.isnan(matcher.values[vertex]):
            matcher.values[vertex] = knowledge.evidence[0, MEAN]
            if candidates.templates[i] > 0:
                slot = class_slot(matcher, vertex, candidates.templates[i])
                matcher.values[vertex] = load_mean(knowledge.values, slot)
        value = matcher.values[vertex]
        for group in range(EVIDENCE_GROUPS):
            number = candidates.evidence[i * EVIDENCE_GROUPS + group]
            # Class 0 is not a summand, but adding its mean of 0 is cheaper than a test.
            value += knowledge.evidence[evidence_row(group, number), MEAN]
        if with_context:
            for group in range(CONTEXT_GROUPS):
                row = candidates.context[i * CONTEXT_GROUPS + group]
                if row >= 0:
                    value += knowledge.context[row, MEAN]
        values[i] = value
        best = max(best, value)
    return best


@kernel(inlined=True)
def class_slot(matcher: Matcher, vertex: int, template: int) -> int:
    """Return the slot of the class that a template matches at a vertex."""
    return matcher.slots[vertex * TEMPLATES + template - 1]
