"""The replaceable part of a training on patterns, and the backend for a single process.

The pipeline receives a backend: ``SerialPatterns``, or that of ``patterns_db.cluster.training``.
"""

from pathlib import Path
from typing import NamedTuple, Protocol

from patterns_db.patterns.harvest import Harvest, OnGames, harvest
from patterns_db.patterns.training import TOLERANCE, Classes, Learned, Trainer
from patterns_db.records.archive import GameArchive
from patterns_db.store.checkpointing import Steps


class HarvestTask(NamedTuple):
    """The input of a harvest, and a folder for a backend's unfinished parts.

    min_count, max_patterns  see ``harvest.harvest``
    folder                   of the training, for the backend's own checkpoints
    checkpoint_seconds       time between two of them
    """

    games: GameArchive
    min_count: int
    max_patterns: int | None
    folder: Path
    checkpoint_seconds: float


class LearningTask(NamedTuple):
    """The input of learning. ``learned`` changes in place.

    classes  the table of the classes in ``harvest``
    models   see ``TrainingSettings``
    shards   learned in parallel, see ``rounds``; None: one move after the other
    independent  see ``TrainingSettings``
    """

    games: GameArchive
    harvest: Harvest
    classes: Classes
    learned: Learned
    beta_squared: float
    models: tuple[str, ...]
    shards: int | None
    independent: bool = False


class PatternBackend(Protocol):
    """The two long stages of a training, in this process or elsewhere."""

    def shards(self, wanted: int | None) -> int | None:
        """Return the number of shards that are learned in parallel, or None without shards.

        wanted  the number in the settings, or in the resumed run; None: any
        """

    def harvest(self, task: HarvestTask, progress: OnGames) -> Harvest:
        """Return the pattern classes of some games. See ``harvest.harvest``."""

    def learning_steps(self, task: LearningTask) -> Steps:
        """Yield the steps that learn from all remaining games. Each returns its number of moves."""


class SerialPatterns:
    """Learns in this process, one move after the other."""

    def shards(self, wanted: int | None) -> None:
        """Return None: nothing is learned in parallel."""

    def harvest(self, task: HarvestTask, progress: OnGames) -> Harvest:
        """Return the pattern classes. An interrupted harvest starts again."""
        return harvest(task.games, task.min_count, task.max_patterns, progress)

    def learning_steps(self, task: LearningTask) -> Steps:
        """Return the steps of a ``Trainer``."""
        how = task.beta_squared, TOLERANCE, task.models
        classes, learned, independent = task.classes, task.learned, task.independent
        return Trainer(task.games, classes, learned, *how, independent=independent).steps()


SERIAL_PATTERNS = SerialPatterns()
