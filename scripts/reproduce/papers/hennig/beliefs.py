"""Beliefs about the nodes of an artificial tree, and gains: optimal over random play.

Source: Hennig, Stern & Graepel (2010), Sec. 2.3. Each node keeps the evidence of its subtree
about its score, and its value as a line in its score. All other messages are passed down on
request.

# Deviates: the paper stores every marginal. A fresh one differs from it only by being up to date.

A gain D(l), l plies before the end, is the best of b independent D(l - 1) + step; D(0) = 0
(Eqs. 8 and 9).

# Deviates: the best of b equal variables is moment matched at once, with the moments of the
largest of b standard normals. The paper folds in pairs. Ours is exact at l = 1, where pairwise
folding loses a quarter of the variance for b = 81. Further up its means are as good.

Every mean here is the *mover's* (negamax): multiply by the mover's sign to get Black's. The
number of plies and the mover determine the last mover, so one row per ply serves both colors.
Twin: tests/reference/hennig.py
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats, Ints
from engine.gaussian import largest_of_normals
from engine.jit import kernel
from scripts.reproduce.papers.hennig.messages import marginal, pass_step
from scripts.reproduce.papers.hennig.trees import level_starts, mover_sign

UNSEEN, SEEN, CLOSED = 0, 1, 2  # CLOSED: the whole subtree was seen

Gains = npt.NDArray[np.float64]  # (plies + 1, 2): mean, as the mover sees it, and variance


@kernel
def gain(gains: Gains, plies: int, sign: float) -> tuple[float, float]:
    """Return Black's (mean, variance) of the gain with some plies left (Eq. 9).

    gains  float64[n, 2], from ``gain_table``
    plies  int64 >= 0; beyond the table its last row of the same parity is used
    sign   +1.0 Black (MAX) moves next, -1.0 White (MIN)
    """
    last = gains.shape[0] - 1
    if plies > last:
        # There the variance has converged, and the mean alternates between two values.
        plies = last - (plies - last) % 2
    return sign * gains[plies, 0], gains[plies, 1]


def gain_table(branching: int, plies: int) -> Gains:
    """Return the gains for 0 .. plies plies left, from the mover's view (Eq. 9).

    branching  children of every node, 1 .. MAX_NORMALS
    returns    float64[plies + 1, 2]: mean and variance; row 0 is (0, 0)
    """
    best_mean, best_variance = largest_of_normals()[branching]
    gains = np.zeros((plies + 1, 2))
    for left in range(1, plies + 1):
        # O(plies) for any b. The paper's folding takes O(b d), two minutes for 19x19 (Sec. 2.3.2).
        mean, spread = gains[left - 1, 0], gains[left - 1, 1] + 1.0
        # Minus: the gain at the child is the opponent's.
        gains[left] = best_mean * math.sqrt(spread) - mean, best_variance * spread
    return gains


class Beliefs(NamedTuple):
    """The beliefs about each node of the tree; all arrays are (nodes,)."""

    evidence_pi: Floats  # message from the subtree and the node's own roll-out to its score
    evidence_tau: Floats
    rollout_pi: Floats  # the own roll-out's part of that; 0 after a child was seen
    rollout_tau: Floats
    offset: Floats  # value = offset + slope * score + N(0, noise)
    slope: Floats
    noise: Floats
    status: npt.NDArray[np.uint8]  # UNSEEN, SEEN or CLOSED


class Workspace(NamedTuple):
    """Scratch space of one descent."""

    path: Ints  # (depth + 1,) nodes from the root down
    down_pi: Floats  # (depth + 1,) message from above to the score of each node of the path
    down_tau: Floats
    mean: Floats  # (b,) fresh values of the children under comparison
    variance: Floats  # (b,)
    slope: Floats  # (b,) in the parent's score
    order: Ints  # (b,)


class TreeModel(NamedTuple):
    """The shape of the tree and the prior of its root's score."""

    branching: int
    depth: int
    root_pi: float
    root_tau: float


def empty_beliefs(model: TreeModel, gains: Gains) -> Beliefs:
    """Return the beliefs before any roll-out: every value is its node's score plus a gain.

    Source: Eq. (7).
    """
    starts = level_starts(model.branching, model.depth)
    evidence_pi, evidence_tau, rollout_pi, rollout_tau, offset, noise = np.zeros((6, starts[-1]))
    for level in range(model.depth + 1):
        nodes = slice(starts[level], starts[level + 1])
        offset[nodes], noise[nodes] = gain(gains, model.depth - level, mover_sign(level))
    # Slope 1: at the boundary v = g + gain, Eq. (7).
    slope, status = np.ones(starts[-1]), np.zeros(starts[-1], np.uint8)
    return Beliefs(evidence_pi, evidence_tau, rollout_pi, rollout_tau, offset, slope, noise, status)


def workspace(model: TreeModel) -> Workspace:
    """Return scratch space for descents of one model."""
    down_pi, down_tau = np.zeros((2, model.depth + 1))
    mean, variance, slope = np.zeros((3, model.branching))
    path, order = np.zeros(model.depth + 1, np.int64), np.zeros(model.branching, np.int64)
    return Workspace(path, down_pi, down_tau, mean, variance, slope, order)


@kernel
def believe(
    beliefs: Beliefs, work: Workspace, model: TreeModel, node: int
) -> tuple[float, float, float, float]:
    """Return mean and variance of the score, then of the value, of any node; O(depth).

    Source: Hennig et al. (2010), Sec. 2.3.1: one walk from the root, passing messages down. The
    node may be unseen.
    work  scratch
    """
    level = 0
    while node > 0:
        work.path[level] = node
        # In level order the parent is a formula, so the tree stores no links.
        node = (node - 1) // model.branching
        level += 1
    # The values send no messages to the scores (Sec. 2.3.3): no loop, so one walk is enough.
    pi = model.root_pi + beliefs.evidence_pi[0]
    tau = model.root_tau + beliefs.evidence_tau[0]
    for below in range(level - 1, -1, -1):
        node = work.path[below]
        # Its own evidence stays out of the message to it, Eq. (4), or it would count twice.
        own = pass_step(beliefs.evidence_pi[node], beliefs.evidence_tau[node], 1.0)
        down = pass_step(pi - own[0], tau - own[1], 1.0)
        pi = down[0] + beliefs.evidence_pi[node]
        tau = down[1] + beliefs.evidence_tau[node]
    value = marginal(
        beliefs.offset[node], beliefs.slope[node], beliefs.noise[node], tau / pi, 1.0 / pi
    )
    return tau / pi, 1.0 / pi, value[0], value[1]
