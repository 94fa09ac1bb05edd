"""The part of a training on patterns that can be done elsewhere, and the backend that does it here.

The pipeline is handed a backend: ``SerialPatterns``, or ``patterns_db.cluster.training``'s.
"""

from pathlib import Path
from typing import NamedTuple, Protocol

from patterns_db.patterns.harvest import Harvest, OnGames, harvest
from patterns_db.patterns.training import TOLERANCE, Classes, Learned, Trainer
from patterns_db.records.archive import GameArchive
from patterns_db.store.checkpointing import Steps


class HarvestTask(NamedTuple):
    """What is harvested, and where a backend may keep its unfinished parts.

    min_count, max_patterns  see ``harvest.harvest``
    folder                   of the training, for checkpoints of the backend's own
    checkpoint_seconds       between two of them
    """

    games: GameArchive
    min_count: int
    max_patterns: int | None
    folder: Path
    checkpoint_seconds: float


class LearningTask(NamedTuple):
    """What is learned from; ``learned`` changes in place.

    classes  the table of the classes in ``found``
    models   see ``TrainingSettings``
    shards   learned side by side, see ``rounds``; None: one move after the other
    """

    games: GameArchive
    found: Harvest
    classes: Classes
    learned: Learned
    beta_squared: float
    models: tuple[str, ...]
    shards: int | None


class PatternBackend(Protocol):
    """Does the two stages that take long, in this process or elsewhere."""

    def shards(self, wanted: int | None) -> int | None:
        """Return the number of shards that are learned side by side; None: no shards.

        wanted  by the settings, or by the run that is resumed; None: any
        """

    def harvest(self, task: HarvestTask, progress: OnGames) -> Harvest:
        """Return the pattern classes of some games, see ``harvest.harvest``."""

    def learning_steps(self, task: LearningTask) -> Steps:
        """Yield the steps that learn from all games that are left; each returns its moves."""


class SerialPatterns:
    """Learns in this process, one move after the other."""

    def shards(self, wanted: int | None) -> None:
        """Return None: nothing is learned side by side."""

    def harvest(self, task: HarvestTask, progress: OnGames) -> Harvest:
        """Return the pattern classes; a harvest that is interrupted begins anew."""
        return harvest(task.games, task.min_count, task.max_patterns, progress)

    def learning_steps(self, task: LearningTask) -> Steps:
        """Return the steps of a ``Trainer``."""
        how = task.beta_squared, TOLERANCE, task.models
        return Trainer(task.games, task.classes, task.learned, *how).steps()


SERIAL_PATTERNS = SerialPatterns()
