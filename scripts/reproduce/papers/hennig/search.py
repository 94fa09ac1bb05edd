"""Hennig's whole algorithm on artificial trees with known scores and values.

Source: Hennig, Stern & Graepel (2010), Algorithm 1 and Sec. 3.

# Deviates: in Algorithm 1, line 7 divides by the child's message (printed: the node's own). Line 29
uses the parent's score (printed: the node's). A sibling's value is computed from the parent's
fresh score instead of a stored marginal, which makes the Gaussian part exact. Terminal nodes
that were seen have no more information and are never chosen again.
Twin: tests/reference/hennig.py
"""

import math

import numpy as np

from engine.jit import kernel
from engine.randomness import RandomState
from engine.rollout.message import rollout_message
from scripts.reproduce.papers.hennig.beliefs import (
    CLOSED,
    SEEN,
    UNSEEN,
    Beliefs,
    TreeModel,
    Workspace,
    believe,
    empty_beliefs,
    gain_table,
    workspace,
)
from scripts.reproduce.papers.hennig.messages import (
    best_value,
    drop_rollout,
    given_parent,
    line,
    marginal,
    pass_step,
    through,
)
from scripts.reproduce.papers.hennig.trees import (
    ArtificialTree,
    level_starts,
    mover_sign,
    roll_down,
)

NO_NODE = -1


@kernel
def compare_children(
    beliefs: Beliefs, work: Workspace, first: int, count: int, mean: float, variance: float
) -> None:
    """Write the fresh values of a node's children, and their slopes, to ``work``.

    Source: Eq. (3).
    first, count    int64, the children
    mean, variance  of the node's score, given all data
    """
    for i in range(count):
        child = first + i
        score_offset, score_slope, score_noise = given_parent(
            beliefs.evidence_pi[child], beliefs.evidence_tau[child]
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
    # A node without an open child is itself CLOSED (``back_up``). No descent reaches it.
    best = NO_NODE
    best_bound = -np.inf
    for i in range(count):
        if beliefs.status[first + i] == CLOSED:
            continue
        bound = sign * work.mean[i] + optimism * math.sqrt(work.variance[i])
        # A strict comparison keeps the first of equals, so a seed fixes the tree.
        if bound > best_bound:
            best, best_bound = first + i, bound
    return best


@kernel
def back_up(beliefs: Beliefs, work: Workspace, model: TreeModel, level: int) -> None:
    """Renew evidence and value of the path's nodes above ``level``, from the bottom up.

    Source: Algorithm 1, lines 11-13 and 27-30. The evidence is summed again over all children,
    so rounding errors do not accumulate.
    """
    count = model.branching
    for above in range(level - 1, -1, -1):
        node = work.path[above]
        first = node * count + 1
        pi = 0.0
        tau = 0.0
        closed = True
        for child in range(first, first + count):
            up = pass_step(beliefs.evidence_pi[child], beliefs.evidence_tau[child], 1.0)
            pi += up[0]
            tau += up[1]
            closed &= beliefs.status[child] == CLOSED
        beliefs.evidence_pi[node] = pi
        beliefs.evidence_tau[node] = tau
        if closed:
            beliefs.status[node] = CLOSED
        # The message from above is still right: it never contains this subtree's evidence.
        variance = 1.0 / (pi + work.down_pi[above])
        mean = variance * (tau + work.down_tau[above])
        # After the evidence: values depend on the score, which includes the new roll-out.
        compare_children(beliefs, work, first, count, mean, variance)
        value = best_value(
            mover_sign(above),
            work.mean,
            work.variance,
            work.slope,
            np.int64(0),
            count,
            variance,
            work.order,
        )
        beliefs.offset[node], beliefs.slope[node], beliefs.noise[node] = line(
            value[0], value[1], value[2], mean, variance
        )


@kernel
def find_leaf(beliefs: Beliefs, work: Workspace, model: TreeModel, optimism: float) -> int:
    """Walk from the root to an unseen node, passing score messages down; return its level.

    Source: Algorithm 1, lines 2-9 and 15-18. The root must not be CLOSED.
    work  in place: path and the messages from above
    """
    node = np.int64(0)  # a literal 0 would compile the kernels below a second time
    level = np.int64(0)
    work.down_pi[0], work.down_tau[0] = model.root_pi, model.root_tau
    work.path[0] = node
    while beliefs.status[node] != UNSEEN:
        first = node * model.branching + 1
        variance = 1.0 / (work.down_pi[level] + beliefs.evidence_pi[node])
        mean = variance * (work.down_tau[level] + beliefs.evidence_tau[node])
        compare_children(beliefs, work, first, model.branching, mean, variance)
        # Before the roll-out is dropped: the choice may use it, the child's message must not.
        node = choose_child(beliefs, work, first, model.branching, mover_sign(level), optimism)
        parent = work.path[level]
        # Only the first new child finds a roll-out there. Later ones find 0.
        if beliefs.status[node] == UNSEEN:
            drop_rollout(
                beliefs.evidence_pi,
                beliefs.evidence_tau,
                beliefs.rollout_pi,
                beliefs.rollout_tau,
                parent,
            )
        # Line 7 as corrected: the child's own evidence stays out of the message to it.
        own = pass_step(beliefs.evidence_pi[node], beliefs.evidence_tau[node], 1.0)
        down = pass_step(
            work.down_pi[level] + beliefs.evidence_pi[parent] - own[0],
            work.down_tau[level] + beliefs.evidence_tau[parent] - own[1],
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
    model: TreeModel,
    optimism: float,
    rng: RandomState,
) -> int:
    """Make one descent to an unseen node, one roll-out from there, and update up to the root.

    Source: Hennig et al. (2010), Algorithm 1.
    beliefs, work, rng  change in place
    returns  int64, the terminal node where the roll-out ended, or NO_NODE if all was seen
    """
    if beliefs.status[0] == CLOSED:
        return NO_NODE
    level = find_leaf(beliefs, work, model, optimism)
    node = work.path[level]
    plies = model.depth - level
    end = roll_down(node, model.branching, plies, rng)
    pi, tau, _ = rollout_message(
        work.down_tau[level] / work.down_pi[level],
        1.0 / work.down_pi[level],
        # Only the sign is observed, Eq. (1). The model never sees the size of a win.
        1.0 if tree.scores[end] > 0.0 else -1.0,
        float(plies),
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
    model: TreeModel,
    optimism: float,
    rng: RandomState,
    descents: int,
) -> int:
    """Make some descents; return their number, lower if everything has been seen (Sec. 2.4)."""
    for made in range(descents):
        if descend(tree, beliefs, work, model, optimism, rng) == NO_NODE:
            return made
    return descents


class ArtificialSearch:
    """A search of one artificial tree, for use from Python.

    tree           the truth; only the signs of terminal scores are read
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
            raise ValueError(f"not a tree of {branching} children per node and depth {depth}")
        self.tree = tree
        # "0 with high precision" (Sec. 3.2), but not exactly 0: this precision is a divisor.
        self.model = TreeModel(branching, depth, 1.0 / root_variance, 0.0)
        self.optimism = float(optimism)
        self.beliefs = empty_beliefs(self.model, gain_table(branching, depth))
        self.descents = 0
        self._work = workspace(self.model)
        # The seed starts at 1: xorshift never leaves the state 0.
        self._rng = rng.integers(1, 2**63, 1, np.uint64)

    def run(self, descents: int) -> int:
        """Make some descents; return their number."""
        made = descend_many(
            self.tree, self.beliefs, self._work, self.model, self.optimism, self._rng, descents
        )
        self.descents += made
        return made

    def belief(self, node: int) -> tuple[float, float, float, float]:
        """Return mean and variance of a node's score, then of its value.

        Raises IndexError for a node outside the tree.
        """
        if not 0 <= node < len(self.tree.scores):
            raise IndexError(f"the tree has no node {node}")
        return believe(self.beliefs, self._work, self.model, node)
