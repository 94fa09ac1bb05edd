"""Training of the solver's priors on a cluster. Each problem is a task.

All problems of a round are searched with the same priors. The client and every worker then learn
the results in the problems' order. The outcome depends only on the number of problems in a round.
"""

from functools import partial

from engine.captures.reader import compile_solver
from patterns_db.cluster.replicas import Rounds
from patterns_db.cluster.tasks import Cluster
from patterns_db.records.problems import Problem
from patterns_db.solvers.pattern_learning import CaptureObservations
from patterns_db.solvers.solver_learner import SolverLearner, SolverTrainingSettings
from patterns_db.solvers.solver_trainer import SolverTrainer
from patterns_db.solvers.solver_training import SolverBackend
from patterns_db.store.checkpointing import Steps
from patterns_db.store.table_files import Arrays

Tried = tuple[str, int, tuple[CaptureObservations, ...]]
"""A problem's value, the nodes of its search, and the observations to learn from."""

# Problems in a round, for each thread. More of them mean that no worker waits long for the hardest
# problem. Fewer of them mean that results are learned sooner.
PROBLEMS_A_THREAD = 8


class RemoteSolver:
    """Searches problems with priors that several searchers share.

    priors  in the format of ``SolverLearner.to_arrays``
    """

    def __init__(self, settings: SolverTrainingSettings, priors: Arrays) -> None:
        compile_solver()
        self.learner = SolverLearner(settings)
        self.learner.from_arrays(priors)

    def update(self, lesson: tuple[list[CaptureObservations], bool]) -> None:
        """Learn the results of a round, which may end a pass."""
        observations, ends_pass = lesson
        self.learner.learn(observations)
        if ends_pass:
            self.learner.end_pass()

    def work(self, problem: Problem) -> Tried:
        """Search a problem with the current priors, without learning."""
        learner = self.learner
        lessons: list[CaptureObservations] = []
        learner.reader.on_search_end = lambda: lessons.append(learner.observe())
        reading = learner.read(problem)
        return reading.value, reading.nodes, tuple(lessons)


class ClusterSolver(SolverBackend):
    """The backend of a solver training that works on a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def together(self, wanted: int | None) -> int:
        """Return the number of problems of a round."""
        return wanted or PROBLEMS_A_THREAD * self._cluster.threads

    def solving_steps(self, trainer: SolverTrainer) -> Steps:
        """Yield a step for each round. It returns the number of problems tried."""
        settings, learner = trainer.settings, trainer.learner
        rounds = Rounds(self._cluster, RemoteSolver, lambda: (settings, learner.to_arrays()))
        while not trainer.finished:
            numbers = trainer.progress.left[: settings.together]
            results = rounds.run([trainer.problems[number] for number in numbers])
            yield partial(_learn, trainer, results, rounds)


def _learn(trainer: SolverTrainer, results: list[Tried], rounds: Rounds) -> int:
    observations = [one for _, _, lessons in results for one in lessons]
    trainer.progress.observed += trainer.learner.learn(observations)
    rounds.finish((observations, trainer.finish([(value, nodes) for value, nodes, _ in results])))
    return len(results)
