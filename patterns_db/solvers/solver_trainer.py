"""A training of the solver's priors in memory, with passes over the problems."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from patterns_db.records.problems import Problem
from patterns_db.solvers.solver_learner import SolverLearner, SolverTrainingSettings
from patterns_db.store.table_files import Arrays


@dataclass
class SolverProgress:
    """The progress of a training. ``left``: numbers of the problems to try in this pass."""

    left: list[int]
    failed: list[int]
    passes: list[dict[str, int]]  # of finished passes: tried, solved, nodes, observed
    solved: int = 0
    nodes: int = 0
    observed: int = 0


class SolverTrainer:
    """A training run in memory."""

    def __init__(self, settings: SolverTrainingSettings, problems: list[Problem]) -> None:
        self.settings = settings
        self.problems = problems
        self.learner = SolverLearner(settings)
        self.progress = SolverProgress(list(range(len(problems))), [], [])
        # Learning follows each search, not each problem: every liberty limit has a graph to learn
        # from.
        self.learner.reader.on_search_end = self._learn

    @property
    def finished(self) -> bool:
        """Whether no further pass is useful or wanted."""
        return not self.progress.left

    def step(self) -> int:
        """Try one problem and learn from it. Return the number of problems tried."""
        reading = self.learner.read(self.problems[self.progress.left[0]])
        self.finish([(reading.value, reading.nodes)])
        return 1

    def finish(self, results: Sequence[tuple[str, int]]) -> bool:
        """Record the results of the next problems. At the end of a pass, begin the next.

        results  value and nodes of each
        returns  whether a pass has ended
        """
        progress = self.progress
        for value, nodes in results:
            # Numbers are kept in lists, so that a checkpoint can store the whole state as JSON.
            number = progress.left.pop(0)
            progress.nodes += nodes
            if value == "unknown":
                progress.failed.append(number)
            else:
                progress.solved += 1
        if progress.left:
            return False
        self._end_pass()
        return True

    def _learn(self) -> None:
        self.progress.observed += self.learner.learn([self.learner.observe()])

    def _end_pass(self) -> None:
        progress = self.progress
        progress.passes.append(
            {
                "tried": progress.solved + len(progress.failed),
                "solved": progress.solved,
                "nodes": progress.nodes,
                "observed": progress.observed,
            }
        )
        self.learner.end_pass()
        # A pass that solved nothing is the last, since the remaining problems are too hard for this
        # budget.
        if progress.solved and len(progress.passes) < self.settings.passes:
            progress.left = progress.failed
        progress.failed = []
        progress.solved = progress.nodes = progress.observed = 0

    def to_arrays(self) -> dict[str, Any]:
        """Return the complete state."""
        progress = np.frombuffer(json.dumps(asdict(self.progress)).encode(), np.uint8)
        return {**self.learner.to_arrays(), "progress": progress}

    def from_arrays(self, arrays: Arrays) -> None:
        """Continue from the state of ``to_arrays``."""
        self.learner.from_arrays(arrays)
        self.progress = SolverProgress(**json.loads(arrays["progress"].tobytes()))
