"""Learning of solver priors: every solved node of a finished search is an observation.

Source: Stern, Herbrich & Graepel (2007), section 4.2. The model is that of
``engine.captures.priors``. The search decides which nodes are solved, but each value is a fact
about the game. This choice therefore does not bias the learning.

# Deviates: the paper observes every solved node of a search. Here only the first ``most`` are
observed, in the order in which they came into the graph (3,000 a search in training).

# Deviates: a pattern enters the table with its first solved node, not when it is first seen. Only
nodes that had to be searched teach: a node that the rules decide never asks for a prior.

# Deviates: the paper keeps every pattern. A finished table leaves out patterns below a precision, 1
by default. A smaller pattern inside a kept one stays, too
(``patterns_db.solvers.solver_priors.kept_patterns``).
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.captures.expansion import Scratch, rebuild
from engine.captures.goal_templates import GOAL_TEMPLATES, context_of, extend_hashes, pattern_key
from engine.captures.goals import META_GOAL, META_LIMIT, play_goal_move, value_of
from engine.captures.priors import (
    GAUSSIAN_PRECISION,
    GAUSSIAN_SENT_PRECISION,
    GAUSSIAN_SENT_SHIFT,
    GAUSSIAN_SHIFT,
    SETTING_BETA_1,
    SETTING_FEATURES,
    SETTING_MEAN,
    SETTING_PRIOR_PRECISION,
    SETTING_VARIANCE,
    SolverPriors,
    descend_stack,
    empty_priors,
    find_pattern,
)
from engine.captures.reader import CaptureReader
from engine.gaussian import truncation_terms
from engine.go.board import Board, copy_into
from engine.go.geometry import PASS
from engine.jit import kernel
from engine.proof import graph
from engine.proof.graph import TRUE, UNKNOWN, ProofTree


class CaptureObservations(NamedTuple):
    """Solved nodes of a search, ready to be learned; n of them."""

    # uint64[n, GOAL_TEMPLATES], of the patterns around the move that led to the node
    keys: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.int8]  # int8[n], number of templates of that stack
    values: npt.NDArray[np.bool_]  # bool[n], TRUE or FALSE


def gaussian_priors(
    *,
    prior_observations: float = 0.0,
    mean: float = 0.0,
    variance: float = 1.0,
    beta: float = 0.25,
    features: bool = True,
    cells: int = 1 << 20,
) -> SolverPriors:
    """Return an empty hierarchical Gaussian model (Stern et al. 2007, section 4.2).

    prior_observations  number n of even nodes that every pattern starts with: n messages of the
                        form y ~ N(0, 1)
    beta                variance of a pattern's value about that of the next smaller one, per level
    """
    priors = empty_priors(cells)
    priors.settings[SETTING_FEATURES] = features
    priors.settings[SETTING_MEAN] = mean
    priors.settings[SETTING_VARIANCE] = variance
    # Each such y has variance 1 about its mean and 1 of its own: a precision of 1/2.
    priors.settings[SETTING_PRIOR_PRECISION] = prior_observations / 2.0
    priors.settings[SETTING_BETA_1 : SETTING_BETA_1 + GOAL_TEMPLATES - 1] = beta
    return priors


@kernel
def name_stack(priors: SolverPriors, board: Board, goal: int, move: int, context: int) -> int:
    """Write the keys of all patterns around a move to ``priors.wanted``; the table stays.

    Source: Stern et al. (2007), section 4.1.
    returns  int64, number of templates of the stack
    """
    for symmetry in range(8):
        priors.hashes[symmetry] = np.uint64(0)
    count = 1 if move == PASS else GOAL_TEMPLATES
    for template in range(count):
        if move != PASS:
            extend_hashes(board, goal, move, template, priors.hashes, priors.tables)
        priors.wanted[template] = pattern_key(priors.hashes, template, context, priors.tables)
    return count


@kernel
def enter_stack(priors: SolverPriors, count: int) -> int:
    """Put the patterns of ``priors.wanted`` into the table; their cells are in ``priors.stack``.

    Source: Stern et al. (2007), section 4.1.
    count    int64, templates of the stack
    returns  int64, number of these now in the table; fewer when it is three quarters full
    """
    for template in range(count):
        key = priors.wanted[template]
        cell = find_pattern(priors, key)
        if priors.keys[cell] == 0:
            # Probes grow long from here on, and in a full table they would never end.
            if priors.used[0] * 4 >= len(priors.keys) * 3:
                return template
            priors.keys[cell] = key
            priors.used[0] += 1
            if template > 0:
                priors.parents[cell] = priors.stack[template - 1]
            priors.cells[cell, GAUSSIAN_PRECISION] = priors.settings[SETTING_PRIOR_PRECISION]
        priors.stack[template] = cell
    return count


@kernel
def observe(priors: SolverPriors, depth: int, is_true: bool) -> None:
    """Learn the value of a solved node whose patterns are in ``priors.stack``.

    Source: Stern et al. (2007), section 4.2. The messages up the stack are exact. The result's own
    message is that of y > 0, or y < 0, to the largest template. A stack may be cut short (a pass, a
    full table). Its missing levels then count as one step with the sum of their variances.
    """
    result = 1.0 if is_true else -1.0
    mean, variance = descend_stack(priors, depth)
    spread = variance + 1.0
    v, keep = truncation_terms(result * mean / math.sqrt(spread))
    w = 1.0 - keep
    rest = 1.0 - variance / spread * w
    precision = w / spread / rest
    shift = precision * mean + result * v / math.sqrt(spread) / rest
    settings = priors.settings
    for template in range(GOAL_TEMPLATES - 1, depth - 1, -1):
        factor = 1.0 / (1.0 + settings[SETTING_BETA_1 + template - 1] * precision)
        precision *= factor
        shift *= factor
    for template in range(depth - 1, -1, -1):
        cell = priors.stack[template]
        mine = priors.cells[cell]
        mine[GAUSSIAN_PRECISION] += precision
        mine[GAUSSIAN_SHIFT] += shift
        if template > 0:
            factor = 1.0 / (
                1.0 + settings[SETTING_BETA_1 + template - 1] * mine[GAUSSIAN_PRECISION]
            )
            precision = mine[GAUSSIAN_PRECISION] * factor - mine[GAUSSIAN_SENT_PRECISION]
            shift = mine[GAUSSIAN_SHIFT] * factor - mine[GAUSSIAN_SENT_SHIFT]
            mine[GAUSSIAN_SENT_PRECISION] += precision
            mine[GAUSSIAN_SENT_SHIFT] += shift


@kernel
def is_observed(tree: ProofTree, node: int) -> bool:
    """Return whether a node was solved by searching.

    A node that the rules decide at once never asks for a prior, so it must not teach one.
    """
    return tree.values[node] != UNKNOWN and tree.flags[node] & graph.EXPANDED != 0


@kernel
def _name_patterns(tree: ProofTree, scratch: Scratch, priors: SolverPriors, node: int) -> int:
    """Write the patterns around the move to a node to ``priors.wanted``; return their number.

    Source: Stern et al. (2007), section 4.1.
    The root has none: no move led there.
    """
    before = scratch.boards[0]
    after = scratch.boards[1]
    goal = tree.meta[META_GOAL]
    parent = np.int64(tree.nodes[node, graph.NODE_BIRTH])
    move = np.int64(tree.nodes[node, graph.NODE_MOVE])
    # Follow the line that first led there: the patterns surround the move that made the node.
    rebuild(tree, parent, before, scratch)
    copy_into(before, after)
    mover = graph.to_move(tree, parent)
    play_goal_move(after, move, mover, tree.meta[graph.META_OBEYS_BAN], scratch.zobrist)
    _, liberties = value_of(after, goal, tree.meta[META_LIMIT], False, scratch.liberties)
    defender_moved = mover != tree.meta[graph.META_ATTACKER]
    features = priors.settings[SETTING_FEATURES] != 0
    context = context_of(after, move, defender_moved, liberties, tree.meta[META_LIMIT], features)
    # The position before the move, as in matching: the templates are centered on its empty point.
    return name_stack(priors, before, goal, move, context)


@kernel
def _note_all(
    tree: ProofTree,
    scratch: Scratch,
    priors: SolverPriors,
    keys: npt.NDArray[np.uint64],
    counts: npt.NDArray[np.int8],
    values: npt.NDArray[np.bool_],
) -> int:
    """Write the rows of CaptureObservations while there is room; return their number."""
    noted = 0
    for node in range(1, tree.meta[graph.META_NODES]):
        if noted < len(counts) and is_observed(tree, node):
            count = _name_patterns(tree, scratch, priors, node)
            for template in range(count):
                keys[noted, template] = priors.wanted[template]
            counts[noted] = count
            values[noted] = tree.values[node] == TRUE
            noted += 1
    return noted


def observations_of(reader: CaptureReader, most: int) -> CaptureObservations:
    """Return the solved nodes of a reader's last search by the patterns around their moves.

    Source: Stern et al. (2007), section 4.2.
    most  most observations, in the order in which the nodes came into the graph
    """
    observations = CaptureObservations(
        keys=np.zeros((most, GOAL_TEMPLATES), np.uint64),
        counts=np.zeros(most, np.int8),
        values=np.zeros(most, np.bool_),
    )
    count = _note_all(reader.tree, reader.goal.scratch, reader.goal.priors, *observations)
    return CaptureObservations._make(field[:count].copy() for field in observations)


@kernel
def learn_observations(priors: SolverPriors, observations: CaptureObservations) -> None:
    """Learn the observations that ``observations_of`` returned."""
    for i in range(len(observations.counts)):
        count = np.int64(observations.counts[i])
        for template in range(count):
            priors.wanted[template] = observations.keys[i, template]
        observe(priors, enter_stack(priors, count), observations.values[i])
