"""The replaceable part of a training on patterns, and the backend for a single process.

The pipeline receives a backend: ``SerialPatterns``, or that of ``patterns_db.cluster.training``.
"""

from typing import Protocol

from patterns_db.patterns.harvest import Harvest, OnGames, harvest
from patterns_db.patterns.training import Classes, Learned, Trainer, TrainingSettings
from patterns_db.records.archive import GameArchive
from patterns_db.store.checkpointing import Steps


class PatternBackend(Protocol):
    """The two long stages of a training, in this process or elsewhere."""

    def shards(self, wanted: int | None) -> int | None:
        """Return the number of shards that are learned in parallel, or None without shards.

        wanted  the number in the settings, or in the resumed run; None: any
        """

    def harvest(self, games: GameArchive, settings: TrainingSettings, progress: OnGames) -> Harvest:
        """Return the pattern classes of some games. See ``harvest.harvest``."""

    def learning_steps(
        self, games: GameArchive, classes: Classes, learned: Learned, settings: TrainingSettings
    ) -> Steps:
        """Yield the steps that learn from all remaining games. Each returns its number of moves.

        learned  changes in place
        """


class SerialPatterns:
    """Learns in this process, one move after the other."""

    def shards(self, wanted: int | None) -> None:
        """Return None: nothing is learned in parallel."""

    def harvest(self, games: GameArchive, settings: TrainingSettings, progress: OnGames) -> Harvest:
        """Return the pattern classes."""
        return harvest(games, settings.min_count, settings.max_patterns, progress)

    def learning_steps(
        self, games: GameArchive, classes: Classes, learned: Learned, settings: TrainingSettings
    ) -> Steps:
        """Return the steps of a ``Trainer``."""
        return Trainer(games, classes, learned, settings).steps()


SERIAL_PATTERNS = SerialPatterns()
