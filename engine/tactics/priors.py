"""What a leaf is worth before it is searched: Beta and hierarchical Gaussian models.

Source: Stern, Herbrich & Graepel (2007), section 4.2; maths-notes section 7. A leaf is looked up
by the patterns around the move that led to it, from the smallest template to the largest one known.

* Beta: every pattern counts proofs and disproofs; the largest known one speaks.
* Gaussian: x_0 ~ N(mu, s^2), x_i ~ N(x_{i-1}, beta_i^2) down the stack, y ~ N(x_m, 1), and the leaf
  is TRUE iff y > 0. It is a tree, so beliefs are exact but for the truncation of y. Each pattern
  keeps the product of the messages from its children and the message it last sent to its parent.

# Deviates: a pattern enters the table with its first solved node, not when it is first seen, and
only nodes that had to be searched teach: a node that the rules decide never asks for a prior.

The slow twin is tests/reference/tactics.py.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.gaussian import cdf, truncation_terms
from engine.go.board import Board
from engine.go.geometry import PASS
from engine.jit import kernel
from engine.tactics.templates import (
    TEMPLATES,
    PatternKeys,
    context_of,
    extend_hashes,
    pattern_key,
    pattern_keys,
)

# Knowledge.settings
MODEL, FEATURES, PRIOR_TRUE, PRIOR_FALSE, MEAN, VARIANCE, PRIOR_PRECISION, BETA_1 = range(8)
SETTINGS = 16
IGNORANT, BETA, GAUSSIAN, LEARNED = 0, 1, 2, 3  # MODEL
# Knowledge.cells: the columns of each model
PROOFS, DISPROOFS = 0, 1
PRECISION, SHIFT, SENT_PRECISION, SENT_SHIFT = 0, 1, 2, 3
FIXED_LOG_ODDS = 0
COLUMNS = 4
CERTAIN = 30.0  # no prior is surer than this, in log-odds


class Knowledge(NamedTuple):
    """A table of patterns and the model that reads it. C = 2**k cells, open addressing."""

    settings: npt.NDArray[np.float64]  # (SETTINGS,) named slots; BETA_1 + i is beta_{i+1}^2
    used: npt.NDArray[np.int64]  # (1,) how many cells are taken
    keys: npt.NDArray[np.uint64]  # (C,) 0 is free
    cells: npt.NDArray[np.float64]  # (C, COLUMNS)
    parents: npt.NDArray[np.int32]  # (C,) cell of the next smaller pattern, -1: none
    hashes: npt.NDArray[np.uint64]  # (8,) scratch space
    stack: npt.NDArray[np.int64]  # (TEMPLATES,) scratch space: the cells of one stack
    tables: PatternKeys


def _knowledge(cells: int) -> Knowledge:
    return Knowledge(
        np.zeros(SETTINGS),
        np.zeros(1, np.int64),
        np.zeros(cells, np.uint64),
        np.zeros((cells, COLUMNS)),
        np.full(cells, -1, np.int32),
        np.zeros(8, np.uint64),
        np.zeros(TEMPLATES, np.int64),
        pattern_keys(),
    )


def no_knowledge() -> Knowledge:
    """Return the ignorant prior: every leaf is even."""
    return _knowledge(1)


def learned_knowledge(
    keys: npt.NDArray[np.uint64], log_odds: npt.NDArray[np.float64], unknown: float
) -> Knowledge:
    """Return finished priors: a log-odds for each pattern, as the largest one known of a stack.

    keys      uint64[n], none of them 0, of patterns that come with all smaller ones of their stacks
    log_odds  float64[n]
    unknown   log-odds where not even the smallest pattern is known
    """
    cells = 1 << (2 * len(keys)).bit_length()
    knowledge = _knowledge(cells)
    knowledge.settings[MODEL] = LEARNED
    knowledge.settings[FEATURES] = True
    knowledge.settings[MEAN] = unknown
    enter_patterns(knowledge, keys, log_odds)
    return knowledge


def beta_knowledge(
    proofs: float, disproofs: float, *, features: bool = True, cells: int = 1 << 20
) -> Knowledge:
    """Return an empty Beta model that starts with so many pseudo-counts (alpha_0, beta_0)."""
    knowledge = _knowledge(cells)
    knowledge.settings[MODEL] = BETA
    knowledge.settings[FEATURES] = features
    knowledge.settings[PRIOR_TRUE] = proofs
    knowledge.settings[PRIOR_FALSE] = disproofs
    return knowledge


def gaussian_knowledge(
    *,
    prior_observations: float = 0.0,
    mean: float = 0.0,
    variance: float = 1.0,
    beta: float = 0.25,
    features: bool = True,
    cells: int = 1 << 20,
) -> Knowledge:
    """Return an empty hierarchical Gaussian model.

    prior_observations  every pattern starts as if it had seen so many even nodes: n messages of
                        the form y ~ N(0, 1)
    beta                variance of a pattern's value about that of the next smaller one, per level
    """
    knowledge = _knowledge(cells)
    knowledge.settings[MODEL] = GAUSSIAN
    knowledge.settings[FEATURES] = features
    knowledge.settings[MEAN] = mean
    knowledge.settings[VARIANCE] = variance
    knowledge.settings[PRIOR_PRECISION] = prior_observations / 2.0
    knowledge.settings[BETA_1 : BETA_1 + TEMPLATES - 1] = beta
    return knowledge


@kernel
def find_pattern(knowledge: Knowledge, key: np.uint64) -> int:
    """Return the cell of a pattern, or the free cell where it would go."""
    mask = np.uint64(len(knowledge.keys) - 1)
    cell = np.int64(key & mask)
    while knowledge.keys[cell] != 0 and knowledge.keys[cell] != key:
        cell = np.int64(np.uint64(cell + 1) & mask)
    return cell


@kernel
def enter_patterns(
    knowledge: Knowledge, keys: npt.NDArray[np.uint64], log_odds: npt.NDArray[np.float64]
) -> None:
    """Put finished patterns into an empty table that has room for them."""
    for i in range(len(keys)):
        cell = find_pattern(knowledge, keys[i])
        knowledge.keys[cell] = keys[i]
        knowledge.cells[cell, FIXED_LOG_ODDS] = log_odds[i]
    knowledge.used[0] += len(keys)


@kernel
def match_stack(knowledge: Knowledge, board: Board, goal: int, move: int, context: int) -> int:
    """Write the cells of the known patterns around a move to ``knowledge.stack``.

    A pattern enters the table together with all smaller ones, so the first miss ends the walk. A
    pass has no surroundings: its stack is the smallest template alone.
    returns  int64, how many templates are known, 0..TEMPLATES
    """
    for symmetry in range(8):
        knowledge.hashes[symmetry] = np.uint64(0)
    for template in range(1 if move == PASS else TEMPLATES):
        if move != PASS:
            extend_hashes(board, goal, move, template, knowledge.hashes, knowledge.tables)
        cell = find_pattern(
            knowledge, pattern_key(knowledge.hashes, template, context, knowledge.tables)
        )
        if knowledge.keys[cell] == 0:
            return template
        knowledge.stack[template] = cell
    return 1 if move == PASS else TEMPLATES


@kernel
def log_odds_of_normal(mean: float, variance: float) -> float:
    """Return the log-odds that a Gaussian is positive."""
    t = mean / math.sqrt(variance)
    t = max(-7.0, min(7.0, t))
    return math.log(cdf(t)) - math.log(cdf(-t))


@kernel
def descend_stack(knowledge: Knowledge, known: int) -> tuple[float, float]:
    """Return (mean, variance) of the largest template's value, given all but its own future.

    Source: maths-notes section 7, "going down". Templates that are not known add their variance.
    known  int64, the first so many templates are in ``knowledge.stack``
    """
    settings = knowledge.settings
    precision = 1.0 / settings[VARIANCE]
    shift = settings[MEAN] * precision
    for template in range(TEMPLATES):
        if template > 0:
            variance = 1.0 / precision + settings[BETA_1 + template - 1]
            shift *= 1.0 / (precision * variance)
            precision = 1.0 / variance
        if template < known:
            cell = knowledge.stack[template]
            precision += knowledge.cells[cell, PRECISION]
            shift += knowledge.cells[cell, SHIFT]
        if template + 1 < known:
            larger = knowledge.stack[template + 1]
            precision -= knowledge.cells[larger, SENT_PRECISION]
            shift -= knowledge.cells[larger, SENT_SHIFT]
    return shift / precision, 1.0 / precision


@kernel
def stack_log_odds(knowledge: Knowledge, known: int) -> float:
    """Return the prior of a leaf whose known patterns are in ``knowledge.stack``, in log-odds."""
    settings = knowledge.settings
    if settings[MODEL] == GAUSSIAN:
        mean, variance = descend_stack(knowledge, known)
        return log_odds_of_normal(mean, variance + 1.0)
    if settings[MODEL] == LEARNED:
        if known == 0:
            return settings[MEAN]
        return knowledge.cells[knowledge.stack[known - 1], FIXED_LOG_ODDS]
    if known == 0:
        return math.log(settings[PRIOR_TRUE] / settings[PRIOR_FALSE])
    cell = knowledge.stack[known - 1]
    return math.log(
        (settings[PRIOR_TRUE] + knowledge.cells[cell, PROOFS])
        / (settings[PRIOR_FALSE] + knowledge.cells[cell, DISPROOFS])
    )


@kernel
def leaf_log_odds(
    knowledge: Knowledge,
    board: Board,
    after: Board,
    goal: int,
    move: int,
    defender_moved: bool,
    liberties: int,
    limit: int,
) -> float:
    """Return the prior log-odds that a new leaf is TRUE, from the move that led to it.

    board, after  uint16[BOARD_CELLS], before and after the move
    liberties     int64, of the goal chain after the move
    """
    if knowledge.settings[MODEL] == IGNORANT:
        return 0.0
    features = knowledge.settings[FEATURES] != 0
    context = context_of(after, move, defender_moved, liberties, limit, features)
    known = match_stack(knowledge, board, goal, move, context)
    return max(-CERTAIN, min(CERTAIN, stack_log_odds(knowledge, known)))


@kernel
def harvest_stack(knowledge: Knowledge, board: Board, goal: int, move: int, context: int) -> int:
    """Put all patterns around a move into the table; their cells are in ``knowledge.stack`` then.

    returns  int64, how many templates the stack has; fewer when the table is three quarters full
    """
    known = match_stack(knowledge, board, goal, move, context)
    count = 1 if move == PASS else TEMPLATES
    for template in range(known, count):
        if knowledge.used[0] * 4 >= len(knowledge.keys) * 3:
            return template
        if template > known:
            extend_hashes(board, goal, move, template, knowledge.hashes, knowledge.tables)
        key = pattern_key(knowledge.hashes, template, context, knowledge.tables)
        cell = find_pattern(knowledge, key)
        knowledge.keys[cell] = key
        knowledge.used[0] += 1
        if template > 0:
            knowledge.parents[cell] = knowledge.stack[template - 1]
        if knowledge.settings[MODEL] == GAUSSIAN:
            knowledge.cells[cell, PRECISION] = knowledge.settings[PRIOR_PRECISION]
        knowledge.stack[template] = cell
    return count


@kernel
def observe_gaussian(knowledge: Knowledge, known: int, result: float) -> None:
    """Learn that a node was solved, by exact messages up its stack of patterns.

    Source: maths-notes section 7, "observe" and "going up". A stack that is cut short (a pass, a
    full table) treats the missing levels as one step with the sum of their variances.
    result  float64, +1.0 TRUE, -1.0 FALSE
    """
    mean, variance = descend_stack(knowledge, known)
    spread = variance + 1.0
    v, keep = truncation_terms(result * mean / math.sqrt(spread))
    w = 1.0 - keep
    rest = 1.0 - variance / spread * w
    precision = w / spread / rest
    shift = precision * mean + result * v / math.sqrt(spread) / rest
    settings = knowledge.settings
    for template in range(TEMPLATES - 1, known - 1, -1):
        factor = 1.0 / (1.0 + settings[BETA_1 + template - 1] * precision)
        precision *= factor
        shift *= factor
    for template in range(known - 1, -1, -1):
        cell = knowledge.stack[template]
        mine = knowledge.cells[cell]
        mine[PRECISION] += precision
        mine[SHIFT] += shift
        if template > 0:
            factor = 1.0 / (1.0 + settings[BETA_1 + template - 1] * mine[PRECISION])
            precision = mine[PRECISION] * factor - mine[SENT_PRECISION]
            shift = mine[SHIFT] * factor - mine[SENT_SHIFT]
            mine[SENT_PRECISION] += precision
            mine[SENT_SHIFT] += shift


@kernel
def observe(knowledge: Knowledge, known: int, is_true: bool) -> None:
    """Learn the value of a solved node whose patterns are in ``knowledge.stack``."""
    if knowledge.settings[MODEL] == GAUSSIAN:
        observe_gaussian(knowledge, known, 1.0 if is_true else -1.0)
        return
    for template in range(known):
        knowledge.cells[knowledge.stack[template], PROOFS if is_true else DISPROOFS] += 1.0
