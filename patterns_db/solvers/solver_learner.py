"""Priors that learn from searches, and the solver that reads with them.

Source: Stern, Herbrich & Graepel (2007), section 5.2
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from engine.captures.fitting import estimate_spreads
from engine.captures.learning import Observations, learn_from_search, learn_observations
from engine.captures.priors import SolverPriors, beta_priors, gaussian_priors
from engine.captures.reader import CaptureReader, CaptureReading
from patterns_db.records.problems import Problem
from patterns_db.store.table_files import Arrays

_SMALLEST_TABLE = 1 << 12


@dataclass(frozen=True)
class SolverTrainingSettings:
    """How to train; everything that the result depends on.

    method              how problems are searched; each value is a fact, whoever found it
    prior_observations  every pattern starts as if it had seen so many even nodes
    max_nodes, seconds  a problem's budget, in positions and processor time; a finite time makes
                        the result depend on the machine
    passes              at most so many passes over what is left
    observations        nodes of one search to learn from, at most
    patterns            room for so many patterns while learning
    min_evidence        precision that a pattern needs to be written to the table
    together            problems searched with the same priors, before what they teach is learned;
                        None: as the backend would have it
    """

    problems: Path
    model: Literal["gaussian", "beta"] = "gaussian"
    method: Literal["pp", "pns"] = "pns"
    prior_observations: float = 0.0
    max_liberties: int = 6
    max_nodes: int = 20_000
    seconds: float = float("inf")
    passes: int = 8
    observations: int = 3_000
    patterns: int = 3 << 20
    min_evidence: float = 1.0
    together: int | None = None


def new_knowledge(settings: SolverTrainingSettings) -> SolverPriors:
    """Return a model that has learned nothing yet."""
    cells = _SMALLEST_TABLE
    while cells * 3 < settings.patterns * 4:  # at most three quarters full
        cells *= 2
    if settings.model == "beta":
        # At least Beta(1, 1): 0 proofs of 0 would have no log-odds.
        half = max(settings.prior_observations / 2.0, 1.0)
        return beta_priors(half, half, cells=cells)
    return gaussian_priors(prior_observations=settings.prior_observations, cells=cells)


class SearchLesson(NamedTuple):
    """What a round of problems has taught.

    observations  of all their searches, in the order of the problems
    ends_pass     whether a pass ends with it
    """

    observations: tuple[Observations, ...]
    ends_pass: bool


class SolverLearner:
    """Priors that learn, and a solver that reads with them."""

    def __init__(self, settings: SolverTrainingSettings) -> None:
        self.settings = settings
        self.knowledge = new_knowledge(settings)
        # Processor time, so that a budget in seconds means about the same on a busy machine.
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
            settings.seconds,
        )

    def learn_from_search(self) -> int:
        """Learn from the reader's last search; return from how many nodes."""
        reader, most = self.reader, self.settings.observations
        return int(learn_from_search(reader.tree, reader.scratch, self.knowledge, most))

    def learn(self, lesson: SearchLesson) -> int:
        """Learn from what others have searched; return from how many nodes."""
        for observations in lesson.observations:
            learn_observations(self.knowledge, observations)
        if lesson.ends_pass:
            self.end_pass()
        return sum(len(observations.counts) for observations in lesson.observations)

    def end_pass(self) -> None:
        """Estimate the spreads: between passes, so that all searches of one read the same."""
        if self.settings.model == "gaussian":
            estimate_spreads(self.knowledge)

    def to_arrays(self) -> dict[str, Any]:
        """Return what was learned, patterns packed."""
        knowledge = self.knowledge
        # Cell by cell: parents are numbers of cells, so every pattern must come back to its own.
        taken = np.flatnonzero(knowledge.keys)
        return {
            "settings": knowledge.settings.copy(),
            "cells_taken": taken,
            "keys": knowledge.keys[taken],
            "cells": knowledge.cells[taken],
            "parents": knowledge.parents[taken],
        }

    def from_arrays(self, arrays: Arrays) -> None:
        """Go on where ``to_arrays`` was called."""
        knowledge = self.knowledge
        taken = arrays["cells_taken"]
        knowledge.settings[:] = arrays["settings"]
        knowledge.used[0] = len(taken)
        knowledge.keys[taken] = arrays["keys"]
        knowledge.cells[taken] = arrays["cells"]
        knowledge.parents[taken] = arrays["parents"]
