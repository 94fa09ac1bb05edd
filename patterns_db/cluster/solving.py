"""Training of the solver's priors on a cluster. Each problem is a task.

All problems of a round are searched with the same priors. The client and every worker then learn
the results in the problems' order. The outcome depends only on the number of problems in a round.
"""

import uuid
from functools import partial
from typing import NamedTuple

from engine.captures.reader import compile_solver
from patterns_db.cluster.replicas import Version, ask_replicas, keep_replica, take_replica
from patterns_db.cluster.tasks import Cluster
from patterns_db.records.problems import Problem
from patterns_db.solvers.pattern_learning import CaptureObservations
from patterns_db.solvers.solver_learner import (
    SearchLesson,
    SolverLearner,
    SolverTrainingSettings,
)
from patterns_db.solvers.solver_trainer import SolverTrainer
from patterns_db.store.checkpointing import Steps
from patterns_db.store.table_files import Arrays

Tried = tuple[str, int, tuple[CaptureObservations, ...]]
"""A problem's value, the nodes of its search, and the observations to learn from."""

# Problems in a round, for each thread. More of them mean that no worker waits long for the hardest
# problem. Fewer of them mean that results are learned sooner.
PROBLEMS_A_THREAD = 8


class SolvingJob(NamedTuple):
    """Everything that a worker needs to search any problem."""

    settings: SolverTrainingSettings
    priors: Arrays  # in the format of ``SolverLearner.to_arrays``


class RemoteSolver:
    """Searches problems with priors that several searchers share."""

    def __init__(self, setup: SolvingJob) -> None:
        compile_solver()
        self.learner = SolverLearner(setup.settings)
        self.learner.from_arrays(setup.priors)

    def update(self, lesson: SearchLesson) -> None:
        """Learn the results of a round."""
        self.learner.learn(lesson)

    def search(self, problem: Problem) -> Tried:
        """Search a problem with the current priors, without learning."""
        learner = self.learner
        lessons: list[CaptureObservations] = []
        learner.reader.on_search_end = lambda: lessons.append(learner.observe())
        reading = learner.read(problem)
        return reading.value, reading.nodes, tuple(lessons)


def try_problem(
    lesson: SearchLesson | None,
    setup: SolvingJob | None,
    before: Version,
    now: Version,
    problem: Problem,
) -> Tried | None:
    """Search a problem on a worker. Return None if this worker needs ``setup`` for that."""
    searcher = take_replica(lesson, before, now)
    if searcher is None:
        if setup is None:
            return None
        searcher = RemoteSolver(setup)
    trial: Tried = searcher.search(problem)
    keep_replica(now, searcher)
    return trial


class SolvingRounds:
    """Tries the problems of a training in rounds, on a cluster."""

    def __init__(self, cluster: Cluster, trainer: SolverTrainer) -> None:
        self._cluster, self._trainer = cluster, trainer
        self._run = uuid.uuid4().hex
        self._rounds = 0
        self._lesson: SearchLesson | None = None

    def steps(self) -> Steps:
        """Yield a step for each round. It returns the number of problems tried."""
        trainer = self._trainer
        while not trainer.finished:
            yield partial(self._learn, self._try_round())

    def _try_round(self) -> list[Tried]:
        trainer = self._trainer
        numbers = trainer.progress.left[: trainer.settings.together]
        # Nothing was learned before the first round.
        versions = Version(self._run, max(self._rounds - 1, 0)), Version(self._run, self._rounds)
        arguments = [(trainer.problems[number],) for number in numbers]
        results: list[Tried] = ask_replicas(
            self._cluster, try_problem, self._lesson, self._setup, versions, arguments
        )
        return results

    def _learn(self, results: list[Tried]) -> int:
        trainer = self._trainer
        observations = tuple(one for _, _, lessons in results for one in lessons)
        trainer.progress.observed += trainer.learner.learn(
            SearchLesson(observations, ends_pass=False)
        )
        ended = trainer.finish([(value, nodes) for value, nodes, _ in results])
        self._lesson = SearchLesson(observations, ended)
        self._rounds += 1
        return len(results)

    def _setup(self) -> SolvingJob:
        return SolvingJob(self._trainer.settings, self._trainer.learner.to_arrays())


class ClusterSolver:
    """The backend of a solver training that works on a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def together(self, wanted: int | None) -> int:
        """Return the number of problems of a round."""
        return wanted or PROBLEMS_A_THREAD * self._cluster.threads

    def solving_steps(self, trainer: SolverTrainer) -> Steps:
        """Return the steps of rounds."""
        return SolvingRounds(self._cluster, trainer).steps()
