"""Training on patterns on a cluster: the harvest in parts, and learning from games in shards.

The harvest equals that of one process bit for bit. The learned values depend only on the number of
shards in a round: see ``patterns_db.patterns.rounds``.
"""

from functools import partial

from engine.patterns.hashing import Keys
from patterns_db.cluster.replicas import Rounds
from patterns_db.cluster.tasks import Cluster
from patterns_db.patterns.backend import PatternBackend
from patterns_db.patterns.harvest import Harvest, OnGames, count_games, select, sight_games
from patterns_db.patterns.rounds import SIZES, Message, ShardLearner, merge, next_round, split_games
from patterns_db.patterns.sightings import (
    Counts,
    common_counts,
    join_counts,
    join_sighted,
    new_sighted,
    new_sightings,
)
from patterns_db.patterns.training import GAMES_DONE, Classes, Learned, TrainingSettings
from patterns_db.records.archive import GameArchive, cut_games
from patterns_db.store.checkpointing import Steps


def count_part(twice: Keys, games: GameArchive) -> Counts:
    """Do the second pass of a harvest over a part of the games, on a worker."""
    return common_counts(count_games(games, twice), 1)


class ClusterPatterns(PatternBackend):
    """The backend of a training on patterns that works on a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__()
        self._cluster = cluster

    def shards(self, wanted: int | None) -> int:
        """Return the number of shards in a round, by default the cluster's number of threads."""
        return wanted or self._cluster.threads

    def harvest(self, games: GameArchive, settings: TrainingSettings, progress: OnGames) -> Harvest:
        """Return the pattern classes. An interrupted harvest starts again."""
        # A part's filters are as large as those of the whole, so there are few parts for each
        # thread of the cluster.
        ends = split_games(games, 0, games.games, 2 * self._cluster.threads)
        parts = [cut_games(games, *part) for part in ends]
        sighted, counted = new_sighted(len(games.moves)), new_sightings()
        results = self._cluster.results
        for number, some in results(sight_games, [(part, len(games.moves)) for part in parts]):
            join_sighted(sighted, some)
            progress(parts[number].games)
        for number, counts in results(count_part, [(part,) for part in parts], [sighted.twice]):
            counted = join_counts(counted, counts)
            progress(parts[number].games)
        return select(common_counts(counted, settings.min_count), settings.max_patterns)

    def learning_steps(
        self, games: GameArchive, classes: Classes, learned: Learned, settings: TrainingSettings
    ) -> Steps:
        """Yield a step for each round. It returns the number of moves learned from."""
        rounds = Rounds(self._cluster, ShardLearner, lambda: (classes, learned, settings))
        most = self.shards(settings.shards)
        while (done := int(learned.tally[GAMES_DONE])) < games.games:
            shards = next_round(games, done, most, SIZES.shard)
            messages = rounds.run([cut_games(games, *shard) for shard in shards])
            yield partial(_merge, learned, messages, shards[-1][1], rounds)


def _merge(learned: Learned, messages: list[Message], done: int, rounds: Rounds) -> int:
    rounds.finish(merge(learned, messages, done))
    return sum(int(message.tally[1]) for message in messages)
