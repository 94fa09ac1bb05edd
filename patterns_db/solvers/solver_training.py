"""Trains the solver's priors on capture problems.

Source: Stern, Herbrich & Graepel (2007), section 5.2. The problems are tried one after the other;
after every search the model learns from the nodes that were solved. What failed is tried again
with what was learned meanwhile, pass after pass, until a pass solves nothing more. Between passes
the spreads beta_i^2 are estimated by moments (maths-notes section 7).

Beside the table stands FILE.work, the checkpoint from which ``resume`` goes on; with a limit in
nodes alone, a resumed run writes the same table as one that was never stopped.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from tqdm import tqdm

from engine.captures.fitting import estimate_spreads
from engine.captures.learning import Observations, learn_from_search, learn_observations
from engine.captures.priors import SolverPriors, beta_priors, gaussian_priors
from engine.captures.reader import CaptureReader, CaptureReading, compile_solver
from engine.errors import BadSetup, ModelFormatError
from patterns_db.patterns.checkpoints import load_arrays, save_arrays
from patterns_db.records.problems import Malformed, Problem, read_problems
from patterns_db.solvers.solver_priors import write_priors
from patterns_db.store.table_files import Arrays

if TYPE_CHECKING:
    from patterns_db.cluster.tasks import Cluster

_SMALLEST_TABLE = 1 << 12
# Of a round: enough that no worker waits long for the hardest, few enough that what they teach
# comes soon.
PROBLEMS_A_THREAD = 8


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
    together            problems searched with the same priors, on a cluster; None: one after the
                        other, learning after each search
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


@dataclass
class TrainingProgress:
    """Where training stands. ``left`` are the numbers of the problems to try in this pass."""

    left: list[int]
    failed: list[int]
    passes: list[dict[str, int]]  # of finished passes: tried, solved, nodes, observed
    solved: int = 0
    nodes: int = 0
    observed: int = 0


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


def read_all(path: Path) -> list[Problem]:
    """Return the problems of a file. Raises BadSetup when it has a malformed one or none at all."""
    try:
        found = list(read_problems(path))
    except OSError as error:
        raise BadSetup(f"{path}: {error.strerror}") from None
    problems = []
    for problem in found:
        if isinstance(problem, Malformed):
            raise BadSetup(f"{path}: {problem.id}: {problem.reason}")
        problems.append(problem)
    if not problems:
        raise BadSetup(f"{path}: no problems")
    return problems


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
        return learn_from_search(reader.tree, reader.scratch, self.knowledge, most)

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


class SolverTrainer:
    """A training run in memory."""

    def __init__(self, settings: SolverTrainingSettings, problems: list[Problem]) -> None:
        self.settings = settings
        self.problems = problems
        self.learner = SolverLearner(settings)
        self.progress = TrainingProgress(list(range(len(problems))), [], [])
        # After each search and not each problem: every liberty limit has a graph to learn from.
        self.learner.reader.on_search_end = self._learn

    @property
    def finished(self) -> bool:
        """Whether another pass would be in vain, or is not wanted."""
        return not self.progress.left

    def step(self) -> int:
        """Try one problem and learn from it; return how many were tried."""
        reading = self.learner.read(self.problems[self.progress.left[0]])
        self.finish([(reading.value, reading.nodes)])
        return 1

    def finish(self, results: Sequence[tuple[str, int]]) -> bool:
        """Note what came of the next problems; at the end of a pass, begin the next.

        results  value and nodes of each
        returns  whether a pass has ended
        """
        progress = self.progress
        for value, nodes in results:
            # Numbers in lists: so the whole state goes into a checkpoint as JSON.
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
        self.progress.observed += self.learner.learn_from_search()

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
        # A pass that solved nothing is the last: what is left is too hard for this budget.
        if progress.solved and len(progress.passes) < self.settings.passes:
            progress.left = progress.failed
        progress.failed = []
        progress.solved = progress.nodes = progress.observed = 0

    def to_arrays(self) -> dict[str, Any]:
        """Return everything that going on needs."""
        progress = np.frombuffer(json.dumps(asdict(self.progress)).encode(), np.uint8)
        return {**self.learner.to_arrays(), "progress": progress}

    def from_arrays(self, arrays: Arrays) -> None:
        """Go on where ``to_arrays`` was called."""
        self.learner.from_arrays(arrays)
        self.progress = TrainingProgress(**json.loads(arrays["progress"].tobytes()))


def train_solver(
    settings: SolverTrainingSettings,
    out: Path,
    *,
    resume: bool = False,
    checkpoint: float = 180.0,
    say: Callable[[str], None] = print,
    cluster: "Cluster | None" = None,
    anew: bool = False,
) -> list[dict[str, int]]:
    """Train priors and write the table; return what each pass did.

    resume      go on with what an earlier run has left
    anew        replace what an earlier run has left
    checkpoint  seconds between two checkpoints
    cluster     None: one problem after the other, here
    Raises BadSetup for problems that cannot be used and where a checkpoint is neither to be resumed
    nor replaced, ModelFormatError when there is nothing to resume, or what is there belongs to
    another training or is no checkpoint.
    """
    problems = read_all(settings.problems)
    work = out.with_name(out.name + ".work")
    if os.path.lexists(work) and not resume:
        load_arrays(work)  # whatever else it may be, it is not ours to replace
        if not anew:
            raise BadSetup(f"{work} holds a training: --resume goes on with it, --anew replaces it")
    # Before any problem's time is taken.
    compile_solver()
    if cluster is not None and settings.together is None:
        begun = _begun_together(work) if resume else None
        together = begun or PROBLEMS_A_THREAD * cluster.threads
        settings = replace(settings, together=together)
    trainer = SolverTrainer(settings, problems)
    identity = _identity(settings)
    if resume:
        _resume(trainer, work, identity)

    def save() -> None:
        save_arrays(work, {**trainer.to_arrays(), "identity": np.frombuffer(identity, np.uint8)})

    step = trainer.step
    if cluster is not None:
        from patterns_db.cluster.solving import ClusterSolver

        step = ClusterSolver(cluster, trainer).step
    _try_all(trainer, step, save, checkpoint, say)
    save()  # writing the table may fail; the training is not to be done again then
    passes = trainer.progress.passes
    notes = {"problems": len(problems), "done": passes, "settings": _notes(settings)}
    kept = write_priors(out, trainer.learner.knowledge, settings.min_evidence, notes)
    say(f"{int(trainer.learner.knowledge.used[0])} patterns learned, {kept} written")
    # After the table is written: until then it is what a failure goes on from.
    work.unlink()
    return passes


def _resume(trainer: SolverTrainer, work: Path, identity: bytes) -> None:
    """Go on from a checkpoint of the same training. Raises ModelFormatError."""
    arrays = load_arrays(work)
    if arrays.get("identity", np.zeros(0, np.uint8)).tobytes() != identity:
        raise ModelFormatError(f"{work}: another training, with other problems or options")
    trainer.from_arrays(arrays)


def _begun_together(work: Path) -> int | None:
    """Return how many problems a round of the training has that left this checkpoint."""
    try:
        notes = json.loads(load_arrays(work)["identity"].tobytes())
        together: int | None = notes.get("together")
    except (ModelFormatError, KeyError, ValueError, AttributeError):
        return None
    return together


def _try_all(
    trainer: SolverTrainer,
    step: Callable[[], int],
    save: Callable[[], None],
    checkpoint: float,
    say: Callable[[str], None],
) -> None:
    """Try problems until the trainer is finished, and save every ``checkpoint`` seconds."""
    saved = time.monotonic()
    with tqdm(desc="pass 1", unit="problem") as bar:
        while not trainer.finished:
            number = len(trainer.progress.passes)
            bar.update(step())
            if len(trainer.progress.passes) > number:
                last = trainer.progress.passes[-1]
                say(f"pass {number + 1}: {last['solved']} of {last['tried']} solved")
                bar.set_description(f"pass {number + 2}")
            if time.monotonic() - saved > checkpoint:
                save()
                saved = time.monotonic()


def _notes(settings: SolverTrainingSettings) -> dict[str, Any]:
    notes = asdict(settings)
    notes["problems_sha256"] = hashlib.sha256(settings.problems.read_bytes()).hexdigest()
    # By content, not by name: a moved file is the same training.
    del notes["problems"]
    if notes["together"] is None:  # as ever
        del notes["together"]
    if notes["seconds"] == float("inf"):  # JSON has no infinity
        notes["seconds"] = None
    return notes


def _identity(settings: SolverTrainingSettings) -> bytes:
    return json.dumps(_notes(settings), sort_keys=True).encode()
