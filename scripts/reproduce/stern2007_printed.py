"""Stern, Herbrich & Graepel (2007) as printed, where play differs: Algorithm 3 and Beta priors.

All children of a developed node enter the tree at once (Algorithm 3), and a child's belief is the
learned log-odds L alone. In play a move waits as an edge until a descent follows it, with 0.7 L
less a penalty for its depth (``engine.captures.expansion``).

*Beta priors* (section 4.2): every pattern counts proofs and disproofs, and the largest known
pattern gives the prior. In play the hierarchical Gaussian model does (``engine.captures.priors``).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import ROOT, Floats
from engine.captures.expansion import Scratch, develop, follow_edge, rebuild
from engine.captures.goal_templates import GOAL_TEMPLATES
from engine.captures.priors import PriorTable, SolverPriors, learned_priors
from engine.captures.reader import CaptureGoal, CaptureReader
from engine.captures.search import update
from engine.go.board import Board
from engine.jit import kernel
from engine.proof.beliefs import FIRST_BELIEFS
from engine.proof.descent import FULL, PAUSED, SOLVED, next_leaf
from engine.proof.graph import (
    BELIEF_LOG_ODDS,
    BELIEF_TAIL,
    BY_PROBABILITY,
    EDGE_CHILD,
    EDGE_NEXT_CHILD,
    META_DEPTH,
    META_METHOD,
    NODE_FIRST_CHILD,
    NONE,
    UNKNOWN,
    ProofTree,
)
from patterns_db.records.problems import Problem
from patterns_db.solvers.pattern_learning import CaptureObservations, observations_of

_MOST_PASSES = 8
_OBSERVATIONS = 3_000  # most of one search, as in ``patterns_db.solvers``


@kernel
def add_children(tree: ProofTree, scratch: Scratch, node: int, board: Board) -> None:
    """Make a node of every waiting move of a node, with its learned log-odds as belief.

    board  uint16[BOARD_CELLS], the node's position
    """
    edge = np.int64(tree.nodes[node, NODE_FIRST_CHILD])
    while edge != NONE:
        if tree.edges[edge, EDGE_CHILD] == NONE:
            if tree.meta[META_METHOD] == BY_PROBABILITY:
                penalty = FIRST_BELIEFS.depth_penalty * tree.meta[META_DEPTH]
                log_odds = (tree.guesses[edge, BELIEF_LOG_ODDS] + penalty) / FIRST_BELIEFS.trust
                tree.guesses[edge, BELIEF_LOG_ODDS] = log_odds
                tree.guesses[edge, BELIEF_TAIL] = np.log1p(np.exp(-abs(log_odds)))
            follow_edge(tree, scratch, node, edge, board)
        edge = np.int64(tree.edges[edge, EDGE_NEXT_CHILD])


@kernel
def search_as_printed(
    tree: ProofTree, scratch: Scratch, priors: SolverPriors, max_nodes: int, expansions: int
) -> int:
    """Develop at most ``expansions`` leaves, as ``engine.captures.search`` does, but whole.

    Source: Stern et al. (2007), Algorithms 3 and 4.
    """
    for _ in range(expansions):
        state, leaf, edge = next_leaf(tree, scratch.path, max_nodes)
        if state != PAUSED:
            return state
        board = scratch.boards[0]
        if not rebuild(tree, leaf, board, scratch):
            return FULL
        # A waiting edge is a reply that was added to complete a proof; its node is developed.
        if edge == NONE:
            develop(tree, scratch, priors, leaf, board)
        add_children(tree, scratch, leaf, board)
        update(tree, scratch, priors, leaf)
    return SOLVED if tree.values[ROOT] != UNKNOWN else PAUSED


class PrintedGoal(CaptureGoal):
    """The goal of captures, searched as printed."""

    def search(self, tree: ProofTree, most_nodes: int, expansions: int) -> int:
        """Develop some leaves; return why it ended."""
        return int(search_as_printed(tree, self.scratch, self.priors, most_nodes, expansions))


class BetaCounts(NamedTuple):
    """Proofs and disproofs of n patterns."""

    half: float  # pseudo-counts of either value: alpha_0 = beta_0
    keys: npt.NDArray[np.uint64]  # (n,) ascending
    counts: Floats  # (n, 2)

    def with_lesson(self, lesson: CaptureObservations) -> "BetaCounts":
        """Return the counts after some solved nodes, each counted in all its patterns."""
        within = np.arange(GOAL_TEMPLATES) < lesson.counts[:, np.newaxis]
        proofs = np.repeat(lesson.values, lesson.counts)
        keys = np.concatenate([self.keys, lesson.keys[within]])
        counts = np.concatenate([self.counts, np.stack([proofs, ~proofs], axis=1)])
        unique, place = np.unique(keys, return_inverse=True)
        sums = np.zeros((len(unique), 2))
        np.add.at(sums, place, counts)
        return self._replace(keys=unique, counts=sums)

    def priors(self) -> SolverPriors:
        """Return the priors of a reader: the log-odds of the Beta distributions' means."""
        proofs, disproofs = (self.half + self.counts).T
        return learned_priors(PriorTable(self.keys, np.log(proofs / disproofs), unknown=0.0))


def no_counts(half: float) -> BetaCounts:
    """Return counts without patterns."""
    return BetaCounts(half, np.zeros(0, np.uint64), np.zeros((0, 2)))


def train_beta(
    problems: list[Problem], half: float, nodes: int
) -> tuple[list[dict[str, int]], SolverPriors]:
    """Return the results of each pass over the problems and the learned priors (section 5.2).

    Problems that a pass leaves open are tried again with the new priors, until a pass solves none.
    nodes  of a problem
    """
    reader, counts = CaptureReader("pns", nodes), no_counts(half)
    lessons: list[CaptureObservations] = []
    reader.on_search_end = lambda: lessons.append(observations_of(reader, _OBSERVATIONS))
    passes: list[dict[str, int]] = []
    waiting = problems
    while waiting and len(passes) < _MOST_PASSES and (not passes or passes[-1]["solved"]):
        failed = []
        for problem in waiting:
            reader.goal.priors = counts.priors()
            lessons.clear()
            goal, attacks = problem.goal, problem.attacker_to_move
            if reader.read_chain(problem.board, goal, attacks, max_nodes=nodes).value == "unknown":
                failed.append(problem)
            for lesson in lessons:
                counts = counts.with_lesson(lesson)
        passes.append({"tried": len(waiting), "solved": len(waiting) - len(failed)})
        waiting = failed
    return passes, counts.priors()
