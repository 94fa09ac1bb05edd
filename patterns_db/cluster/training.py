"""Learning from games in shards on a cluster, and the backend for training patterns there.

The result depends only on the number of shards in a round: see ``patterns_db.patterns.rounds``.
"""

import uuid
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.patterns.hashing import Keys
from patterns_db.cluster.harvesting import harvest_on
from patterns_db.cluster.replicas import Version, ask_replicas, keep_replica, take_replica
from patterns_db.cluster.tasks import Cluster, bytes_of
from patterns_db.patterns.backend import HarvestTask, LearningTask
from patterns_db.patterns.checkpoints import gather, scatter
from patterns_db.patterns.harvest import Harvest, OnGames
from patterns_db.patterns.rounds import SIZES, Message, ShardLearner, merge, next_round
from patterns_db.patterns.training import GAMES_DONE, Learned, place_keys
from patterns_db.records.archive import GameArchive, cut_games
from patterns_db.store.checkpointing import Steps

BLOCK_BYTES = 80 << 20  # of prepared positions, see ``patterns.training``


class HarvestJob(NamedTuple):
    """Everything that a worker needs to learn from any game after the first ``done``."""

    keys: Keys  # of the harvest, in its order
    evidence: npt.NDArray[np.float64]  # these four arrays in the format of ``checkpoints.gather``
    paper: npt.NDArray[np.float64]
    counts: npt.NDArray[np.float64]
    tally: npt.NDArray[np.int64]
    beta_squared: float
    models: tuple[str, ...]
    independent: bool


def learn_shard(
    update: Message | None,
    setup: HarvestJob | None,
    before: Version,
    now: Version,
    games: GameArchive,
) -> Message | None:
    """Learn a shard of games on a worker. Return None if this worker needs ``setup`` for that.

    before  the version to which ``update`` applies; the result is ``now``
    """
    learner = take_replica(update, before, now)
    if learner is None:
        if setup is None:
            return None
        classes = place_keys(setup.keys)
        arrays = {name: getattr(setup, name) for name in Learned._fields}
        how = setup.beta_squared, setup.models
        learned = scatter(arrays, classes)
        learner = ShardLearner(classes, learned, *how, independent=setup.independent)
    message: Message = learner.learn(games)
    keep_replica(now, learner)
    return message


class ClusterTrainer:
    """Learns from all games in rounds, on a cluster; see ``patterns_db.patterns.rounds``."""

    def __init__(self, cluster: Cluster, task: LearningTask) -> None:
        self._cluster, self._task = cluster, task
        self._run = uuid.uuid4().hex
        self.rounds = 0
        self._update: Message | None = None
        # A worker holds a prior, a posterior, its setup data and a block of positions.
        cluster.require(3 * bytes_of(tuple(task.learned)) + 4 * BLOCK_BYTES, "learning")

    def steps(self) -> Steps:
        """Yield a step for each round. It returns the number of moves learned from."""
        games = self._task.games
        most = self._task.shards or self._cluster.threads
        before = now = self._version()
        while now.done < games.games:
            shards = next_round(games, now.done, most, SIZES.shard)
            messages = self._learn_round(shards, before, now)
            yield partial(self._merge, messages, shards[-1][1])
            before, now = now, self._version()

    def _merge(self, messages: list[Message], done: int) -> int:
        self._update, _ = merge(self._task.learned, messages, done)
        self.rounds += 1
        return sum(int(message.tally[1]) for message in messages)

    def _version(self) -> Version:
        return Version(self._run, int(self._task.learned.tally[GAMES_DONE]))

    def _learn_round(
        self, shards: list[tuple[int, int]], before: Version, now: Version
    ) -> list[Message]:
        """Return the result of each shard, in the shards' order."""
        parts = [(cut_games(self._task.games, *shard),) for shard in shards]
        # The first shard is learned alone. Meanwhile the other threads learn it too, to get their
        # replicas and load their kernels.
        times = self._cluster.threads if self.rounds == 0 and len(parts) == 1 else 1
        answers = ask_replicas(
            self._cluster, learn_shard, self._update, self._setup, (before, now), times * parts
        )
        return answers[: len(parts)]

    def _setup(self) -> HarvestJob:
        task = self._task
        arrays = gather(task.learned, task.classes)
        return HarvestJob(
            keys=task.harvest.keys, evidence=arrays["evidence"], paper=arrays["paper"],
            counts=arrays["counts"], tally=arrays["tally"], beta_squared=task.beta_squared,
            models=task.models, independent=task.independent,
        )  # fmt: skip


class ClusterPatterns:
    """The backend of a training on patterns that works on a cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def shards(self, wanted: int | None) -> int:
        """Return the number of shards in a round, by default the cluster's number of threads."""
        return wanted or self._cluster.threads

    def harvest(self, task: HarvestTask, progress: OnGames) -> Harvest:
        """Return the pattern classes. Finished parts are kept."""
        return harvest_on(self._cluster, task, progress)

    def learning_steps(self, task: LearningTask) -> Steps:
        """Return the steps of a ``ClusterTrainer``."""
        return ClusterTrainer(self._cluster, task).steps()
