"""Harvest and learning in shards of games, on a cluster.

The harvest is that of one process, bit for bit, whoever did which part. What is learned depends
on how many shards a round has, and on nothing else: see ``patterns_db.patterns.rounds``.
"""

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.patterns.hashing import Keys
from patterns_db.cluster.replicas import Version, ask_replicas, keep_replica, take_replica
from patterns_db.cluster.tasks import Cluster, Shared, bytes_of
from patterns_db.patterns.checkpoints import gather, load_arrays, save_arrays, scatter
from patterns_db.patterns.harvest import Harvest, Range, count_games, select, sight_games
from patterns_db.patterns.rounds import SHARD, Message, ShardLearner, merge, next_round, split_games
from patterns_db.patterns.sightings import (
    Counts,
    Sighted,
    Sightings,
    common_counts,
    join_counts,
    join_sighted,
    new_sighted,
    new_sightings,
    pack_counts,
    ranges_for,
)
from patterns_db.patterns.training import GAMES_DONE, Classes, Learned, place_keys
from patterns_db.records.archive import GameArchive, cut_games
from patterns_db.store.keeper import Keeper
from patterns_db.store.table_files import Arrays

# Filters are as large for a part as for the whole, so there are few parts; counts are smaller.
SIGHT_PARTS, COUNT_PARTS = 2, 4  # for each thread of the cluster
BLOCK_BYTES = 80 << 20  # of prepared positions, see ``training``

OnGames = Callable[[int], object]


# -- harvest --------------------------------------------------------------------------------------


def sight_shard(games: GameArchive, wanted: Range) -> Sighted:
    """Do the first pass over a part of the games, on a worker."""
    return sight_games(games, wanted)


def count_shard(twice: Keys, games: GameArchive, wanted: Range, hashes: int) -> Counts:
    """Do the second pass over a part of the games, on a worker."""
    return pack_counts(count_games(games, wanted, twice, hashes))


def harvest_on(
    cluster: Cluster,
    games: GameArchive,
    min_count: int,
    max_patterns: int | None,
    folder: Path,
    checkpoint_seconds: float,
    progress: OnGames,
) -> Harvest:
    """Do as ``harvest.harvest``, on a cluster.

    folder  keeps the parts that are done, sighted-0.npz and counted-0.npz for the first range
    """
    ranges = ranges_for(len(games.moves))
    # Both filters, as computed and as they are sent.
    needed = 2 * bytes_of(new_sighted(len(games.moves), ranges))
    cluster.require(needed, "the harvest")
    counted = new_sightings()
    for number in range(ranges):
        wanted = Range(number, ranges, len(games.moves))
        files = folder / f"sighted-{number}.npz", folder / f"counted-{number}.npz"
        sighted = _sight(cluster, games, wanted, files[0], checkpoint_seconds, progress)
        found = _count(cluster, games, wanted, sighted, files[1], checkpoint_seconds, progress)
        counted = join_counts(counted, common_counts(found, min_count))
    return select(counted, max_patterns)


def _sight(
    cluster: Cluster,
    games: GameArchive,
    wanted: Range,
    file: Path,
    checkpoint_seconds: float,
    progress: OnGames,
) -> Sighted:
    """Return the filters of all games."""
    parts = Parts(games, SIGHT_PARTS * cluster.threads)
    sighted = new_sighted(wanted.all_moves, wanted.ranges)
    if (arrays := parts.load(file, progress)) is not None:
        sighted = sighted._replace(once=arrays["once"], twice=arrays["twice"])
    arguments = [(cut_games(games, *part), wanted) for part in parts.left]

    def save() -> None:
        parts.save(file, {"once": sighted.once, "twice": sighted.twice})

    with Keeper(save, checkpoint_seconds) as keeper:
        for number, other in cluster.results(sight_shard, arguments):
            with keeper.change():
                join_sighted(sighted, other)
                progress(parts.finish(number))
    return sighted


def _count(
    cluster: Cluster,
    games: GameArchive,
    wanted: Range,
    sighted: Sighted,
    file: Path,
    checkpoint_seconds: float,
    progress: OnGames,
) -> Sightings:
    """Return the counts of all games."""
    parts = Parts(games, COUNT_PARTS * cluster.threads)
    counted = new_sightings()
    if (arrays := parts.load(file, progress)) is not None:
        counted = join_counts(counted, Counts(*(arrays[name] for name in Counts._fields)))
    twice = Shared(sighted.twice)
    arguments = [(twice, cut_games(games, *part), wanted, sighted.hashes) for part in parts.left]

    def save() -> None:
        parts.save(file, pack_counts(counted)._asdict())

    with Keeper(save, checkpoint_seconds) as keeper:
        for number, counts in cluster.results(count_shard, arguments):
            with keeper.change():
                counted = join_counts(counted, counts)
                progress(parts.finish(number))
    return counted


class Parts:
    """The parts of a pass over all games, and which of them are done.

    left  first and last + 1 game of those that were left when the pass began
    """

    def __init__(self, games: GameArchive, most: int) -> None:
        self._all = split_games(games, 0, games.games, most)
        self._done: set[tuple[int, int]] = set()
        self.left = self._all

    def load(self, file: Path, progress: OnGames) -> Arrays | None:
        """Go on from a file; return what was saved with the parts."""
        if not file.exists():
            return None
        arrays = dict(load_arrays(file))
        # Cut as they were begun, however many workers there are now.
        self._all = [(int(first), int(last)) for first, last in arrays.pop("parts")]
        self._done = {(int(first), int(last)) for first, last in arrays.pop("done")}
        self.left = [part for part in self._all if part not in self._done]
        progress(sum(last - first for first, last in self._done))
        return arrays

    def finish(self, number: int) -> int:
        """Note that one of ``left`` is done; return its games."""
        part = self.left[number]
        self._done.add(part)
        return part[1] - part[0]

    def save(self, file: Path, arrays: Arrays) -> None:
        """Write what is done."""
        done = np.array(sorted(self._done), np.int64).reshape(-1, 2)
        save_arrays(file, {**arrays, "parts": np.array(self._all), "done": done})


# -- learning -------------------------------------------------------------------------------------


class HarvestJob(NamedTuple):
    """All that a worker needs to learn from any game after the first ``done``."""

    keys: Keys  # of the harvest, in its order
    evidence: npt.NDArray[np.float64]  # these four as ``checkpoints.gather`` has them
    paper: npt.NDArray[np.float64]
    counts: npt.NDArray[np.float64]
    tally: npt.NDArray[np.int64]
    beta_squared: float
    models: tuple[str, ...]


def learn_shard(
    update: Message | None,
    setup: HarvestJob | None,
    before: Version,
    now: Version,
    games: GameArchive,
) -> Message | None:
    """Learn a shard of games on a worker; None: this worker needs ``setup`` for that.

    before  the version that ``update`` makes ``now`` of
    """
    learner = take_replica(update, before, now)
    if learner is None:
        if setup is None:
            return None
        classes = place_keys(setup.keys)
        arrays = {name: getattr(setup, name) for name in Learned._fields}
        learner = ShardLearner(classes, scatter(arrays, classes), setup.beta_squared, setup.models)
    message: Message = learner.learn(games)
    keep_replica(now, learner)
    return message


class ClusterTrainer:
    """Learns from all games in rounds, on a cluster; see ``patterns_db.patterns.rounds``.

    shard_games  of one shard, at most
    damped       how many merged beliefs had to be damped to stay proper
    """

    def __init__(
        self,
        cluster: Cluster,
        games: GameArchive,
        found: Harvest,
        classes: Classes,
        learned: Learned,
        beta_squared: float,
        models: tuple[str, ...],
        shards: int,
        shard_games: int = SHARD,
    ) -> None:
        self._cluster, self.games, self._found, self._classes = cluster, games, found, classes
        self.learned, self._beta_squared, self._models = learned, beta_squared, models
        self._shards, self._shard_games = shards, shard_games
        self._run = uuid.uuid4().hex
        self.damped = self.rounds = 0
        # A worker's prior and posterior, what it is set up from, and a block of positions.
        cluster.require(3 * bytes_of(tuple(learned)) + 4 * BLOCK_BYTES, "learning")

    def run(self, keeper: Keeper, progress: OnGames) -> None:
        """Learn from all games that are left.

        progress  told the moves of each round when it is learned
        """
        update: Message | None = None
        before = now = self._version()
        while now.done < self.games.games:
            shards = next_round(self.games, now.done, self._shards, self._shard_games)
            messages = self._learn_round(shards, update, before, now)
            moves = sum(int(message.tally[1]) for message in messages)
            with keeper.change():
                update, damped = merge(self.learned, messages, shards[-1][1])
            self.damped += damped
            self.rounds += 1
            before, now = now, self._version()
            progress(moves)

    def _version(self) -> Version:
        return Version(self._run, int(self.learned.tally[GAMES_DONE]))

    def _learn_round(
        self,
        shards: list[tuple[int, int]],
        update: Message | None,
        before: Version,
        now: Version,
    ) -> list[Message]:
        """Return what each shard taught, in the order of the shards."""
        parts = [(cut_games(self.games, *shard),) for shard in shards]
        # The first shard is learned alone; meanwhile the other threads can get their replicas and
        # load their kernels, by learning it, too.
        times = self._cluster.threads if self.rounds == 0 and len(parts) == 1 else 1
        found = ask_replicas(
            self._cluster, learn_shard, update, self._setup, (before, now), times * parts
        )
        return found[: len(parts)]

    def _setup(self) -> HarvestJob:
        arrays = gather(self.learned, self._classes)
        return HarvestJob(
            self._found.keys,
            arrays["evidence"],
            arrays["paper"],
            arrays["counts"],
            arrays["tally"],
            self._beta_squared,
            self._models,
        )
