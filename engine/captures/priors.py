"""Priors of a leaf before it is searched, by the patterns around the move that led to it.

Source: Stern, Herbrich & Graepel (2007), section 4.2. Play reads a finished table: the log-odds of
the largest known pattern. Training uses the hierarchical Gaussian model that makes such a table:

    x_0 ~ N(mu, s^2), x_i ~ N(x_{i-1}, beta_i^2) down the stack, y ~ N(x_m, 1)

The leaf is TRUE iff y > 0. Each pattern keeps the product of the messages from its children and the
message it last sent to its parent, as a precision p and a shift t = p * mean. A step up shrinks
both to their 1 / (1 + beta_i^2 p); a step down adds beta_i^2 to the variance of the belief. The
slow twin is tests/reference/tactics.py. The paper's Beta model stands in scripts/reproduce.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.captures.goal_templates import (
    GOAL_TEMPLATES,
    PatternKeys,
    context_of,
    extend_hashes,
    pattern_key,
    pattern_keys,
)
from engine.gaussian import cdf
from engine.go.board import Board
from engine.go.geometry import PASS
from engine.jit import kernel

# Slots of SolverPriors.settings.
(
    SETTING_MODEL,  # MODEL_...
    SETTING_FEATURES,  # 1: keys of patterns hold the context of the move; 0: the paper's keys.
    # Gaussian: of x_0; learned: log-odds of an unknown pattern.
    SETTING_MEAN,
    SETTING_VARIANCE,
    SETTING_PRIOR_PRECISION,  # Gaussian: initial precision of every pattern.
    SETTING_BETA_1,  # Gaussian: beta_1^2; the following slots hold the next ones
) = range(6)
SETTING_SLOTS = SETTING_BETA_1 + GOAL_TEMPLATES - 1
MODEL_GAUSSIAN, MODEL_LEARNED = 0, 1
# Columns of SolverPriors.cells.
GAUSSIAN_PRECISION, GAUSSIAN_SHIFT = range(2)
GAUSSIAN_SENT_PRECISION, GAUSSIAN_SENT_SHIFT, CELL_COLUMNS = range(2, 5)
LEARNED_LOG_ODDS = 0
LARGEST_LOG_ODDS = 30.0  # bound of all priors, in log-odds


class SolverPriors(NamedTuple):
    """A table of patterns and the model that reads it; C = 2**k cells (section 4.1)."""

    settings: npt.NDArray[np.float64]  # (SETTING_SLOTS,) named slots.
    used: npt.NDArray[np.int64]  # (1,) number of taken cells.
    keys: npt.NDArray[np.uint64]  # (C,) 0 is free.
    cells: npt.NDArray[np.float64]  # (C, CELL_COLUMNS)
    parents: npt.NDArray[np.int32]  # (C,) cell of the next smaller pattern, -1: none
    hashes: npt.NDArray[np.uint64]  # (8,) scratch space.
    stack: npt.NDArray[np.int64]  # (GOAL_TEMPLATES,) scratch space: the cells of one stack.
    wanted: npt.NDArray[np.uint64]  # (GOAL_TEMPLATES,) scratch space: the keys of one stack.
    tables: PatternKeys


class PriorTable(NamedTuple):
    """Learned priors as they are stored; ``learned_priors`` makes priors for a reader of them."""

    # uint64[n], none of them 0; all smaller patterns of a stack come with each pattern
    keys: npt.NDArray[np.uint64]
    log_odds: npt.NDArray[np.float64]  # float64[n]
    unknown: float  # log-odds where not even the smallest pattern is known
    features: bool = True  # whether the keys hold the context of the move; see ``context_of``


def empty_priors(cells: int) -> SolverPriors:
    """Return a table without patterns and with zero settings, for a number of cells."""
    return SolverPriors(
        settings=np.zeros(SETTING_SLOTS),
        used=np.zeros(1, np.int64),
        keys=np.zeros(cells, np.uint64),
        cells=np.zeros((cells, CELL_COLUMNS)),
        parents=np.full(cells, -1, np.int32),
        hashes=np.zeros(8, np.uint64),
        stack=np.zeros(GOAL_TEMPLATES, np.int64),
        wanted=np.zeros(GOAL_TEMPLATES, np.uint64),
        tables=pattern_keys(),
    )


def learned_priors(table: PriorTable) -> SolverPriors:
    """Return finished priors: a leaf has the log-odds of its largest known pattern."""
    # The table is at most half full.
    cells = 1 << (2 * len(table.keys)).bit_length()
    priors = empty_priors(cells)
    priors.settings[SETTING_MODEL] = MODEL_LEARNED
    priors.settings[SETTING_FEATURES] = table.features
    priors.settings[SETTING_MEAN] = table.unknown
    enter_patterns(priors, table.keys, table.log_odds)
    return priors


def even_priors() -> SolverPriors:
    """Return priors that know no pattern: every leaf is even."""
    return learned_priors(PriorTable(np.zeros(0, np.uint64), np.zeros(0), unknown=0.0))


@kernel
def find_pattern(priors: SolverPriors, key: np.uint64) -> int:
    """Return the cell of a pattern, or the free cell where it would go."""
    mask = np.uint64(len(priors.keys) - 1)
    cell = np.int64(key & mask)
    while priors.keys[cell] != 0 and priors.keys[cell] != key:
        cell = np.int64(np.uint64(cell + 1) & mask)
    return cell


@kernel
def enter_patterns(
    priors: SolverPriors, keys: npt.NDArray[np.uint64], log_odds: npt.NDArray[np.float64]
) -> None:
    """Put finished patterns into an empty table that has room for them."""
    for i in range(len(keys)):
        cell = find_pattern(priors, keys[i])
        priors.keys[cell] = keys[i]
        priors.cells[cell, LEARNED_LOG_ODDS] = log_odds[i]
    priors.used[0] += len(keys)


@kernel
def match_stack(priors: SolverPriors, board: Board, goal: int, move: int, context: int) -> int:
    """Write the cells of the known patterns around a move to ``priors.stack``; return their number.

    Source: Stern et al. (2007), section 4.1. A pattern enters the table together with all smaller
    ones, so the first miss ends the walk. A pass has the smallest template alone.
    """
    for symmetry in range(8):
        priors.hashes[symmetry] = np.uint64(0)
    for template in range(1 if move == PASS else GOAL_TEMPLATES):
        if move != PASS:
            extend_hashes(board, goal, move, template, priors.hashes, priors.tables)
        cell = find_pattern(priors, pattern_key(priors.hashes, template, context, priors.tables))
        if priors.keys[cell] == 0:
            return template
        priors.stack[template] = cell
    return 1 if move == PASS else GOAL_TEMPLATES


@kernel
def log_odds_of_normal(mean: float, variance: float) -> float:
    """Return the log-odds that a Gaussian is positive (Stern et al. 2007, section 4.2)."""
    t = mean / math.sqrt(variance)
    # cdf(-7) is 1e-12: the log-odds stay finite, and below LARGEST_LOG_ODDS.
    t = max(-7.0, min(7.0, t))
    return math.log(cdf(t)) - math.log(cdf(-t))


@kernel
def descend_stack(priors: SolverPriors, depth: int) -> tuple[float, float]:
    """Return (mean, variance) of the largest template's value, given all but its own future."""
    settings = priors.settings
    precision = 1.0 / settings[SETTING_VARIANCE]
    shift = settings[SETTING_MEAN] * precision
    for template in range(GOAL_TEMPLATES):
        # Unknown templates add the variances of their steps, too.
        if template > 0:
            variance = 1.0 / precision + settings[SETTING_BETA_1 + template - 1]
            shift *= 1.0 / (precision * variance)
            precision = 1.0 / variance
        if template < depth:
            cell = priors.stack[template]
            precision += priors.cells[cell, GAUSSIAN_PRECISION]
            shift += priors.cells[cell, GAUSSIAN_SHIFT]
        # A cell holds the messages of all its children; this stack's must not come back down.
        if template + 1 < depth:
            larger = priors.stack[template + 1]
            precision -= priors.cells[larger, GAUSSIAN_SENT_PRECISION]
            shift -= priors.cells[larger, GAUSSIAN_SENT_SHIFT]
    return shift / precision, 1.0 / precision


@kernel
def stack_log_odds(priors: SolverPriors, depth: int) -> float:
    """Return the prior of the leaf whose patterns are in ``priors.stack`` (section 4.2)."""
    settings = priors.settings
    if settings[SETTING_MODEL] == MODEL_GAUSSIAN:
        mean, variance = descend_stack(priors, depth)
        return log_odds_of_normal(mean, variance + 1.0)
    if depth == 0:
        return settings[SETTING_MEAN]
    return priors.cells[priors.stack[depth - 1], LEARNED_LOG_ODDS]


@kernel
def leaf_log_odds(
    priors: SolverPriors,
    board: Board,
    after: Board,
    goal: int,
    move: int,
    defender_moved: bool,
    liberties: int,
    limit: int,
) -> float:
    """Return the prior log-odds that a leaf is TRUE, from its move (section 4.2)."""
    features = priors.settings[SETTING_FEATURES] != 0
    context = context_of(after, move, defender_moved, liberties, limit, features)
    depth = match_stack(priors, board, goal, move, context)
    return max(-LARGEST_LOG_ODDS, min(LARGEST_LOG_ODDS, stack_log_odds(priors, depth)))
