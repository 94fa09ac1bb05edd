"""The replaceable part of a training on patterns: its two long stages."""

from patterns_db.patterns.harvest import Harvest, OnGames, harvest
from patterns_db.patterns.training import Classes, Learned, Trainer, TrainingSettings
from patterns_db.records.archive import GameArchive
from patterns_db.store.checkpointing import Steps


class PatternBackend:
    """Does both stages in this process; that of ``patterns_db.cluster.training`` does not.

    threads  see ``training.Trainer``
    """

    def __init__(self, threads: int = 2) -> None:
        self._threads = threads

    def shards(self, wanted: int | None) -> int | None:
        """Return the number of shards that are learned in parallel; None: one move after the other.

        wanted  the number in the settings, or in the resumed run; None: any
        """
        return None

    def harvest(self, games: GameArchive, settings: TrainingSettings, progress: OnGames) -> Harvest:
        """Return the pattern classes of some games. An interrupted harvest starts again."""
        return harvest(games, settings.min_count, settings.max_patterns, progress)

    def learning_steps(
        self, games: GameArchive, classes: Classes, learned: Learned, settings: TrainingSettings
    ) -> Steps:
        """Yield the steps that learn from all remaining games. Each returns its number of moves.

        learned  changes in place
        """
        return Trainer(games, classes, learned, settings, self._threads).steps()
