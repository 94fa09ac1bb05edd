"""Training of the solver's priors on capture problems.

Source: Stern, Herbrich & Graepel (2007), section 5.2. The problems are tried one after the other,
and after every search the model learns from the solved nodes. Failed problems are tried again in
the next pass with the new knowledge, until a pass solves nothing more. Between passes the spreads
beta_i^2 are estimated by moments (``patterns_db.solvers.spreads``).

A folder FILE.work next to the table holds the checkpoint from which ``resume`` continues. If only
nodes are limited, a resumed run writes the same table as an uninterrupted one.
"""

import hashlib
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from engine.captures.reader import compile_solver
from engine.errors import BadSetup
from patterns_db.records.problems import Malformed, Problem, read_problems
from patterns_db.solvers.solver_learner import SolverTrainingSettings
from patterns_db.solvers.solver_priors import write_priors
from patterns_db.solvers.solver_trainer import SolverTrainer
from patterns_db.store.checkpointing import Steps, load_arrays, save_arrays, take_steps
from patterns_db.store.work_folder import begun_setting, open_work, remove_work


class SolverBackend:
    """Searches problems in this process; that of ``patterns_db.cluster.solving`` does not."""

    def together(self, wanted: int | None) -> int | None:
        """Return the number of problems that are searched with the same priors.

        wanted   the number in the settings, or in the resumed run; None: any
        returns  None: one after the other, learning after each search
        """
        return None

    def solving_steps(self, trainer: SolverTrainer) -> Steps:
        """Yield the steps of a training. Each returns the number of problems tried."""
        while not trainer.finished:
            yield trainer.step


def read_all(path: Path) -> list[Problem]:
    """Return the problems of a file. Raises BadSetup if one is malformed or there are none."""
    try:
        records = list(read_problems(path))
    except OSError as error:
        raise BadSetup(f"{path}: {error.strerror}") from None
    problems = []
    for problem in records:
        if isinstance(problem, Malformed):
            raise BadSetup(f"{path}: {problem.id}: {problem.reason}")
        problems.append(problem)
    if not problems:
        raise BadSetup(f"{path}: no problems")
    return problems


def train_solver(
    settings: SolverTrainingSettings,
    out: Path,
    *,
    resume: bool = False,
    checkpoint: float = 180.0,
    say: Callable[[str], None] = print,
    backend: SolverBackend | None = None,
    anew: bool = False,
) -> list[dict[str, int]]:
    """Train priors and write the table. Return the results of each pass.

    resume      continue an earlier run with the same settings and problems
    anew        delete an earlier run's work
    checkpoint  seconds between two checkpoints
    backend     searches the problems, in this process unless given
    Raises BadSetup for unusable problems, ModelFormatError for a damaged checkpoint, and the
    errors of ``open_work``.
    """
    backend = backend or SolverBackend()
    problems = read_all(settings.problems)
    work = out.with_name(out.name + ".work")
    begun = begun_setting(work, "together") if resume else None
    settings = replace(settings, together=backend.together(settings.together or begun))
    with open_work(work, _notes(settings), (), resume=resume, anew=anew):
        trainer = _train(settings, problems, work / "learned.npz", checkpoint, say, backend)
        passes, knowledge = trainer.progress.passes, trainer.learner.knowledge
        notes = {"problems": len(problems), "done": passes, "settings": _notes(settings)}
        patterns = write_priors(out, knowledge, settings.min_evidence, notes)
        say(f"{int(knowledge.used[0])} patterns learned, {patterns} written")
        # The folder is removed after the table is written: a failed run continues from it.
        remove_work(work)
    return passes


def _train(
    settings: SolverTrainingSettings,
    problems: list[Problem],
    file: Path,
    checkpoint: float,
    say: Callable[[str], None],
    backend: SolverBackend,
) -> SolverTrainer:
    """Return a finished trainer, starting at the newest checkpoint."""
    compile_solver()  # before the clock of any problem starts
    trainer = SolverTrainer(settings, problems)
    if file.exists():
        trainer.from_arrays(load_arrays(file))
    reported = len(trainer.progress.passes)

    def save() -> None:
        save_arrays(file, trainer.to_arrays())

    def progress(count: int) -> None:
        nonlocal reported
        bar.update(count)
        for last in trainer.progress.passes[reported:]:
            reported += 1
            say(f"pass {reported}: {last['solved']} of {last['tried']} solved")
            bar.set_description(f"pass {reported + 1}")

    with tqdm(desc=f"pass {reported + 1}", unit="problem") as bar:
        take_steps(backend.solving_steps(trainer), save, checkpoint, progress)
    save()  # writing the table may fail, and the training must not be repeated then
    return trainer


def _notes(settings: SolverTrainingSettings) -> dict[str, Any]:
    notes = asdict(settings)
    notes["problems_sha256"] = hashlib.sha256(settings.problems.read_bytes()).hexdigest()
    # The digest depends on content, not on names: moving a file keeps the training.
    del notes["problems"]
    return notes
