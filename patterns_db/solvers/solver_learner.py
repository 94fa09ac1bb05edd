"""Solver priors that learn from searches, and the solver that uses them.

Source: Stern, Herbrich & Graepel (2007), section 5.2

# Deviates: the paper learns from searches by probability propagation, with 120 s a problem. The
default here is proof numbers, which solve more problems, with a limit in nodes.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.captures.priors import SolverPriors
from engine.captures.reader import CaptureReader, CaptureReading
from engine.proof.reader import Method
from patterns_db.records.problems import Problem
from patterns_db.solvers.pattern_learning import (
    CaptureObservations,
    gaussian_priors,
    learn_observations,
    observations_of,
)
from patterns_db.solvers.spreads import estimate_spreads
from patterns_db.store.table_files import Arrays

_SMALLEST_TABLE = 1 << 12


@dataclass(frozen=True)
class SolverTrainingSettings:
    """Training settings that determine the result."""

    problems: Path
    method: Method = "pns"  # search method; each value is a fact for either method
    prior_observations: float = 0.0  # number of even nodes that every pattern starts with
    max_liberties: int = 6
    max_nodes: int = 20_000  # a problem's budget, in positions
    passes: int = 8  # most passes over the unsolved problems
    observations: int = 3_000  # most nodes of one search to learn from
    patterns: int = 3 << 20  # room for this many patterns while learning
    min_evidence: float = 1.0  # precision that a pattern needs to be written to the table
    features: bool = True  # whether keys hold the context of the move; False: the paper's keys
    # Problems searched with the same priors, before their results are learned; None: the backend
    # decides
    together: int | None = None


def new_knowledge(settings: SolverTrainingSettings) -> SolverPriors:
    """Return a model without any observations."""
    cells = _SMALLEST_TABLE
    while cells * 3 < settings.patterns * 4:  # at most three quarters full
        cells *= 2
    prior = settings.prior_observations
    return gaussian_priors(prior_observations=prior, features=settings.features, cells=cells)


class SolverLearner:
    """Learning priors, and a solver that uses them."""

    def __init__(self, settings: SolverTrainingSettings) -> None:
        self.settings = settings
        self.knowledge = new_knowledge(settings)
        # Processor time is used, so that a budget in seconds is similar on a busy machine.
        self.reader = CaptureReader(
            settings.method, settings.max_nodes, self.knowledge, time.process_time
        )

    def read(self, problem: Problem) -> CaptureReading:
        """Try a problem."""
        settings = self.settings
        return self.reader.read_chain(
            problem.board,
            problem.goal,
            problem.attacker_to_move,
            settings.max_liberties,
            settings.max_nodes,
        )

    def observe(self) -> CaptureObservations:
        """Return what the reader's last search teaches."""
        return observations_of(self.reader, self.settings.observations)

    def learn(self, searches: Sequence[CaptureObservations]) -> int:
        """Learn from searches, in order. Return the number of nodes."""
        for observations in searches:
            learn_observations(self.knowledge, observations)
        return sum(len(observations.counts) for observations in searches)

    def end_pass(self) -> None:
        """Estimate the spreads between passes, so that all searches of one pass use the same."""
        estimate_spreads(self.knowledge)

    def to_arrays(self) -> dict[str, Any]:
        """Return the learned values, with the patterns packed."""
        knowledge = self.knowledge
        # Patterns are restored cell by cell: parents are numbers of cells, so each must get its own
        # back.
        taken = np.flatnonzero(knowledge.keys)
        return {
            "settings": knowledge.settings.copy(),
            "cells_taken": taken,
            "keys": knowledge.keys[taken],
            "cells": knowledge.cells[taken],
            "parents": knowledge.parents[taken],
        }

    def from_arrays(self, arrays: Arrays) -> None:
        """Continue from the state of ``to_arrays``."""
        knowledge = self.knowledge
        taken = arrays["cells_taken"]
        knowledge.settings[:] = arrays["settings"]
        knowledge.used[0] = len(taken)
        knowledge.keys[taken] = arrays["keys"]
        knowledge.cells[taken] = arrays["cells"]
        knowledge.parents[taken] = arrays["parents"]
