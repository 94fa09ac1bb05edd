"""Hennig's whole algorithm on artificial trees, whose scores and values are known.

Source: Hennig, Stern & Graepel (2010), Sec. 2.2 (the generative model), Algorithm 1 and Sec. 3.
A complete tree of b children a node and depth d lies in level order: the children of node i are
b i + 1 ... b i + b. Black (MAX) moves at the root and at every even depth.

Deviates, in Algorithm 1: line 7 divides by the child's message (printed: the node's own); line 29
uses the parent's score (printed: the node's). A sibling's value is read off against the parent's
fresh score instead of a stored marginal, which makes the Gaussian part exact. Terminal nodes
that were seen have nothing left to tell and are never chosen again.
Twin: tests/reference/hennig.py
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from engine.rollout.uniform import RandomState, draw
from engine.search.gains import Gains, gain, gain_table
from engine.search.messages import (
    Floats,
    Indices,
    best_value,
    drop_rollout,
    given_parent,
    line,
    marginal,
    pass_step,
    rollout_message,
    through,
)

UNSEEN, SEEN, CLOSED = 0, 1, 2  # CLOSED: the whole subtree was seen
NO_NODE = -1


class ArtificialTree(NamedTuple):
    """The truth: scores and values of a complete tree, in level order."""

    scores: Floats  # (nodes,)
    values: Floats  # (nodes,)


class Beliefs(NamedTuple):
    """What is known about each node of the tree; all arrays are (nodes,)."""

    evidence_pi: Floats  # what the subtree and the node's own roll-out say about its score
    evidence_tau: Floats
    rollout_pi: Floats  # the own roll-out's part of that; 0 once a child was seen
    rollout_tau: Floats
    offset: Floats  # value = offset + slope * score + N(0, noise)
    slope: Floats
    noise: Floats
    status: npt.NDArray[np.uint8]  # UNSEEN, SEEN or CLOSED


class Workspace(NamedTuple):
    """Scratch space of one descent."""

    path: Indices  # (depth + 1,) nodes from the root down
    down_pi: Floats  # (depth + 1,) message from above to the score of each node of the path
    down_tau: Floats
    mean: Floats  # (b,) fresh values of the children that are being compared
    variance: Floats  # (b,)
    slope: Floats  # (b,) in the parent's score
    order: Indices  # (b,)


class Model(NamedTuple):
    """The shape of the tree and the prior of its root's score."""

    branching: int
    depth: int
    root_pi: float
    root_tau: float


def level_starts(branching: int, depth: int) -> list[int]:
    """Return the first node of each level 0 .. depth, and the number of nodes at the end."""
    starts = [0]
    for level in range(depth + 1):
        starts.append(starts[-1] + branching**level)
    return starts


def grow_tree(
    branching: int, depth: int, rng: np.random.Generator, steps: str = "gaussian"
) -> ArtificialTree:
    """Return a random complete tree whose root has score 0.

    steps  "gaussian": N(0, 1), the generative model (Hennig et al. 2010, Sec. 2.2);
           "p-game": uniform in [0, 1] for Black's moves and in [-1, 0] for White's (Sec. 3.4,
           Kocsis & Szepesvari 2006)

    Raises ValueError for other steps.
    """
    if steps not in ("gaussian", "p-game"):
        raise ValueError(f"steps must be 'gaussian' or 'p-game', not {steps!r}")
    starts = level_starts(branching, depth)
    scores = np.zeros(starts[-1])
    for level in range(depth):
        above = np.repeat(scores[starts[level] : starts[level + 1]], branching)
        if steps == "gaussian":
            step = rng.standard_normal(len(above))
        else:
            step = rng.random(len(above)) * (1.0 if level % 2 == 0 else -1.0)
        scores[starts[level + 1] : starts[level + 2]] = above + step
    values = scores.copy()
    for level in reversed(range(depth)):
        below = values[starts[level + 1] : starts[level + 2]].reshape(-1, branching)
        best = below.max(axis=1) if level % 2 == 0 else below.min(axis=1)
        values[starts[level] : starts[level + 1]] = best
    return ArtificialTree(scores, values)


@kernel
def mover_sign(level: int) -> float:
    """Return +1.0 where Black (MAX) moves, -1.0 where White does."""
    return 1.0 if level % 2 == 0 else -1.0


def empty_beliefs(model: Model, gains: Gains) -> Beliefs:
    """Return the beliefs before any roll-out: every value is its node's score plus a gain."""
    starts = level_starts(model.branching, model.depth)
    evidence_pi, evidence_tau, rollout_pi, rollout_tau, offset, noise = np.zeros((6, starts[-1]))
    for level in range(model.depth + 1):
        nodes = slice(starts[level], starts[level + 1])
        offset[nodes], noise[nodes] = gain(gains, model.depth - level, mover_sign(level))
    slope, status = np.ones(starts[-1]), np.zeros(starts[-1], np.uint8)
    return Beliefs(evidence_pi, evidence_tau, rollout_pi, rollout_tau, offset, slope, noise, status)


def workspace(model: Model) -> Workspace:
    """Return scratch space for descents of one model."""
    down_pi, down_tau = np.zeros((2, model.depth + 1))
    mean, variance, slope = np.zeros((3, model.branching))
    path, order = np.zeros(model.depth + 1, np.int64), np.zeros(model.branching, np.int64)
    return Workspace(path, down_pi, down_tau, mean, variance, slope, order)


@kernel
def compare_children(
    beliefs: Beliefs, work: Workspace, first: int, count: int, mean: float, variance: float
) -> None:
    """Write the fresh values of a node's children, and their slopes in its score, to ``work``.

    first, count    int64, the children
    mean, variance  of the node's score, given all data
    """
    for i in range(count):
        child = first + i
        score_offset, score_slope, score_noise = given_parent(
            beliefs.evidence_pi[child], beliefs.evidence_tau[child], 0.0, 1.0
        )
        offset, slope, noise = through(
            beliefs.offset[child],
            beliefs.slope[child],
            beliefs.noise[child],
            score_offset,
            score_slope,
            score_noise,
        )
        work.mean[i], work.variance[i] = marginal(offset, slope, noise, mean, variance)
        work.slope[i] = slope


@kernel
def choose_child(
    beliefs: Beliefs, work: Workspace, first: int, count: int, sign: float, optimism: float
) -> int:
    """Return the open child with the most optimistic value for the mover (Sec. 2.5).

    work      the children's values, from ``compare_children``
    sign      of the mover
    optimism  standard deviations added to the mean; the paper uses 3
    """
    best = NO_NODE
    best_bound = -np.inf
    for i in range(count):
        if beliefs.status[first + i] == CLOSED:
            continue
        bound = sign * work.mean[i] + optimism * math.sqrt(work.variance[i])
        if bound > best_bound:
            best, best_bound = first + i, bound
    return best


@kernel
def roll_down(tree: ArtificialTree, node: int, branching: int, plies: int, rng: RandomState) -> int:
    """Return the terminal node where uniformly random moves from a node end."""
    for _ in range(plies):
        node = node * branching + 1 + draw(rng, branching)
    return node


@kernel
def back_up(beliefs: Beliefs, work: Workspace, model: Model, level: int) -> None:
    """Renew evidence and value of the path's nodes above ``level``, from the bottom up.

    Source: Algorithm 1, lines 11-13 and 27-30. The evidence is added up anew from all children,
    so rounding does not pile up.
    """
    count = model.branching
    for above in range(level - 1, -1, -1):
        node = work.path[above]
        first = node * count + 1
        pi = 0.0
        tau = 0.0
        closed = True
        for child in range(first, first + count):
            up = pass_step(beliefs.evidence_pi[child], beliefs.evidence_tau[child], 0.0, 1.0)
            pi += up[0]
            tau += up[1]
            closed &= beliefs.status[child] == CLOSED
        beliefs.evidence_pi[node] = pi
        beliefs.evidence_tau[node] = tau
        if closed:
            beliefs.status[node] = CLOSED
        variance = 1.0 / (pi + work.down_pi[above])
        mean = variance * (tau + work.down_tau[above])
        compare_children(beliefs, work, first, count, mean, variance)
        value = best_value(
            mover_sign(above), work.mean, work.variance, work.slope, 0, count, variance, work.order
        )
        beliefs.offset[node], beliefs.slope[node], beliefs.noise[node] = line(
            value[0], value[1], value[2], mean, variance
        )


@kernel
def find_leaf(beliefs: Beliefs, work: Workspace, model: Model, optimism: float) -> int:
    """Walk from the root to an unseen node, passing score messages down; return its level.

    Source: Algorithm 1, lines 2-9 and 15-18. The root must not be CLOSED.
    work  in place: path and the messages from above
    """
    node = 0
    level = 0
    work.down_pi[0], work.down_tau[0] = model.root_pi, model.root_tau
    work.path[0] = node
    while beliefs.status[node] != UNSEEN:
        first = node * model.branching + 1
        variance = 1.0 / (work.down_pi[level] + beliefs.evidence_pi[node])
        mean = variance * (work.down_tau[level] + beliefs.evidence_tau[node])
        compare_children(beliefs, work, first, model.branching, mean, variance)
        node = choose_child(beliefs, work, first, model.branching, mover_sign(level), optimism)
        parent = work.path[level]
        if beliefs.status[node] == UNSEEN:
            drop_rollout(
                beliefs.evidence_pi,
                beliefs.evidence_tau,
                beliefs.rollout_pi,
                beliefs.rollout_tau,
                parent,
            )
        own = pass_step(beliefs.evidence_pi[node], beliefs.evidence_tau[node], 0.0, 1.0)
        down = pass_step(
            work.down_pi[level] + beliefs.evidence_pi[parent] - own[0],
            work.down_tau[level] + beliefs.evidence_tau[parent] - own[1],
            0.0,
            1.0,
        )
        level += 1
        work.path[level] = node
        work.down_pi[level], work.down_tau[level] = down
    return level


@kernel
def descend(
    tree: ArtificialTree,
    beliefs: Beliefs,
    work: Workspace,
    model: Model,
    optimism: float,
    rng: RandomState,
) -> int:
    """Make one descent: to an unseen node, one roll-out from there, and back to the root.

    Source: Hennig et al. (2010), Algorithm 1.
    beliefs, work, rng  change in place
    returns  int64, the terminal node where the roll-out ended, or NO_NODE if all was seen
    """
    if beliefs.status[0] == CLOSED:
        return NO_NODE
    level = find_leaf(beliefs, work, model, optimism)
    node = work.path[level]
    plies = model.depth - level
    end = roll_down(tree, node, model.branching, plies, rng)
    pi, tau, _ = rollout_message(
        work.down_tau[level] / work.down_pi[level],
        1.0 / work.down_pi[level],
        1.0 if tree.scores[end] > 0.0 else -1.0,
        plies,
    )
    beliefs.rollout_pi[node] = beliefs.evidence_pi[node] = pi
    beliefs.rollout_tau[node] = beliefs.evidence_tau[node] = tau
    beliefs.status[node] = CLOSED if plies == 0 else SEEN
    back_up(beliefs, work, model, level)
    return end


@kernel
def descend_many(
    tree: ArtificialTree,
    beliefs: Beliefs,
    work: Workspace,
    model: Model,
    optimism: float,
    rng: RandomState,
    descents: int,
) -> int:
    """Make some descents; return how many there were before everything had been seen."""
    for made in range(descents):
        if descend(tree, beliefs, work, model, optimism, rng) == NO_NODE:
            return made
    return descents


@kernel
def believe(
    beliefs: Beliefs, work: Workspace, model: Model, node: int
) -> tuple[float, float, float, float]:
    """Return mean and variance of the score, then of the value, of any node; O(depth).

    Source: Hennig et al. (2010), Sec. 2.3.1: one walk from the root, passing messages down. The
    node need not have been seen.
    work  scratch
    """
    level = 0
    while node > 0:
        work.path[level] = node
        node = (node - 1) // model.branching
        level += 1
    pi = model.root_pi + beliefs.evidence_pi[0]
    tau = model.root_tau + beliefs.evidence_tau[0]
    for below in range(level - 1, -1, -1):
        node = work.path[below]
        own = pass_step(beliefs.evidence_pi[node], beliefs.evidence_tau[node], 0.0, 1.0)
        down = pass_step(pi - own[0], tau - own[1], 0.0, 1.0)
        pi = down[0] + beliefs.evidence_pi[node]
        tau = down[1] + beliefs.evidence_tau[node]
    value = marginal(
        beliefs.offset[node], beliefs.slope[node], beliefs.noise[node], tau / pi, 1.0 / pi
    )
    return tau / pi, 1.0 / pi, value[0], value[1]


class ArtificialSearch:
    """A search of one artificial tree, from Python.

    tree           the truth; only the signs of terminal scores are looked at
    branching, depth   its shape
    rng            seeds the roll-outs
    root_variance  prior variance of the root's score around 0 (the paper: known, Sec. 3.2)
    optimism       of the policy, in standard deviations
    """

    def __init__(
        self,
        tree: ArtificialTree,
        branching: int,
        depth: int,
        rng: np.random.Generator,
        root_variance: float = 1e-6,
        optimism: float = 3.0,
    ) -> None:
        if len(tree.scores) != level_starts(branching, depth)[-1]:
            raise ValueError(f"not a tree of {branching} children a node and depth {depth}")
        self.tree = tree
        self.model = Model(branching, depth, 1.0 / root_variance, 0.0)
        self.optimism = optimism
        self.beliefs = empty_beliefs(self.model, gain_table(branching, depth))
        self.descents = 0
        self._work = workspace(self.model)
        self._rng = rng.integers(1, 2**63, 1, np.uint64)

    def run(self, descents: int) -> int:
        """Make some descents; return how many were possible."""
        made = descend_many(
            self.tree, self.beliefs, self._work, self.model, self.optimism, self._rng, descents
        )
        self.descents += made
        return made

    def belief(self, node: int) -> tuple[float, float, float, float]:
        """Return mean and variance of a node's score, then of its value."""
        return believe(self.beliefs, self._work, self.model, node)

    def best_move(self) -> int:
        """Return the root's child with the largest mean value; Black moves at the root."""
        return max(range(1, self.model.branching + 1), key=lambda child: self.belief(child)[2])
