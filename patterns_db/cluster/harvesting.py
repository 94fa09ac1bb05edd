"""The harvest in parts on a cluster. The result equals that of one process bit for bit."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from engine.patterns.hashing import Keys
from patterns_db.cluster.tasks import Cluster, Shared, bytes_of
from patterns_db.patterns.backend import HarvestTask
from patterns_db.patterns.harvest import Harvest, OnGames, Range, count_games, select, sight_games
from patterns_db.patterns.rounds import split_games
from patterns_db.patterns.sightings import (
    Counts,
    Sighted,
    common_counts,
    join_counts,
    join_sighted,
    new_sighted,
    new_sightings,
    pack_counts,
    ranges_for,
)
from patterns_db.records.archive import GameArchive, cut_games
from patterns_db.store.checkpointing import Steps, load_arrays, save_arrays, take_steps
from patterns_db.store.table_files import Arrays


def sight_shard(games: GameArchive, wanted: Range) -> Sighted:
    """Do the first pass over a part of the games, on a worker."""
    return sight_games(games, wanted)


def count_shard(twice: Keys, games: GameArchive, wanted: Range, hashes: int) -> Counts:
    """Do the second pass over a part of the games, on a worker."""
    return pack_counts(count_games(games, wanted, twice, hashes))


def harvest_on(cluster: Cluster, task: HarvestTask, progress: OnGames) -> Harvest:
    """Do as ``harvest.harvest``, on a cluster.

    The task's folder keeps finished parts: sighted-0.npz and counted-0.npz for the first range.
    """
    games = task.games
    ranges = ranges_for(len(games.moves))
    # The memory holds both filters twice: as computed and as sent.
    needed = 2 * bytes_of(new_sighted(len(games.moves), ranges))
    cluster.require(needed, "the harvest")
    counted = new_sightings()
    for number in range(ranges):
        wanted = Range(number, ranges, len(games.moves))
        sighting = SightingPass(cluster, task, wanted, task.folder / f"sighted-{number}.npz")
        sighting.run(task.checkpoint_seconds, progress)
        file = task.folder / f"counted-{number}.npz"
        counting = CountingPass(cluster, task, wanted, sighting.sighted, file)
        counting.run(task.checkpoint_seconds, progress)
        counted = join_counts(counted, common_counts(counting.counted, task.min_count))
    return select(counted, task.max_patterns)


class _Pass:
    """One pass over all games in parts, with a record of the finished ones.

    file  the finished parts, with the state that ``arrays`` returns
    """

    function: Callable[..., Any]

    def __init__(self, cluster: Cluster, task: HarvestTask, most: int, file: Path) -> None:
        self._cluster, self._games, self._file = cluster, task.games, file
        self._all = split_games(task.games, 0, task.games.games, most)
        self._done: set[tuple[int, int]] = set()
        arrays = dict(load_arrays(file)) if file.exists() else None
        if arrays is not None:
            # The division into parts stays that of the start. It ignores the number of workers now.
            self._all = [(int(first), int(last)) for first, last in arrays.pop("parts")]
            self._done = {(int(first), int(last)) for first, last in arrays.pop("done")}
            self.load(arrays)

    def run(self, seconds: float, progress: OnGames) -> None:
        """Run the remaining parts, and save at intervals of ``seconds``."""
        progress(sum(last - first for first, last in self._done))
        take_steps(self._steps(), self._save, seconds, progress)

    def _steps(self) -> Steps:
        parts = [part for part in self._all if part not in self._done]
        arguments = [self.arguments(cut_games(self._games, *part)) for part in parts]
        for number, result in self._cluster.results(self.function, arguments):
            yield partial(self._finish, parts[number], result)

    def _finish(self, part: tuple[int, int], result: Any) -> int:
        self.join(result)
        self._done.add(part)
        return part[1] - part[0]

    def _save(self) -> None:
        done = np.array(sorted(self._done), np.int64).reshape(-1, 2)
        save_arrays(self._file, {**self.arrays(), "parts": np.array(self._all), "done": done})

    def arguments(self, games: GameArchive) -> tuple[Any, ...]:
        """Return the function's arguments for a part."""
        raise NotImplementedError

    def join(self, result: Any) -> None:
        """Add the function's result."""
        raise NotImplementedError

    def arrays(self) -> Arrays:
        """Return the results of the finished parts."""
        raise NotImplementedError

    def load(self, arrays: Arrays) -> None:
        """Continue from the results that ``arrays`` returned."""
        raise NotImplementedError


class SightingPass(_Pass):
    """The first pass: filters of the played classes."""

    function = staticmethod(sight_shard)

    def __init__(self, cluster: Cluster, task: HarvestTask, wanted: Range, file: Path) -> None:
        self._wanted = wanted
        self.sighted = new_sighted(wanted.all_moves, wanted.ranges)
        # A part's filters are as large as those of the whole, so there are few parts for each
        # thread of the cluster. Counts are smaller.
        super().__init__(cluster, task, 2 * cluster.threads, file)

    def arguments(self, games: GameArchive) -> tuple[Any, ...]:
        """Return the games and the range."""
        return games, self._wanted

    def join(self, result: Sighted) -> None:
        """Join filters."""
        join_sighted(self.sighted, result)

    def arrays(self) -> Arrays:
        """Return the filters."""
        return {"once": self.sighted.once, "twice": self.sighted.twice}

    def load(self, arrays: Arrays) -> None:
        """Take over filters."""
        self.sighted = self.sighted._replace(once=arrays["once"], twice=arrays["twice"])


class CountingPass(_Pass):
    """The second pass: counts of the classes that were sighted twice."""

    function = staticmethod(count_shard)

    def __init__(
        self, cluster: Cluster, task: HarvestTask, wanted: Range, sighted: Sighted, file: Path
    ) -> None:
        self._wanted, self._hashes, self._twice = wanted, sighted.hashes, Shared(sighted.twice)
        self.counted = new_sightings()
        super().__init__(cluster, task, 4 * cluster.threads, file)

    def arguments(self, games: GameArchive) -> tuple[Any, ...]:
        """Return the filter, the games, the range and the number of hashes."""
        return self._twice, games, self._wanted, self._hashes

    def join(self, result: Counts) -> None:
        """Add counts."""
        self.counted = join_counts(self.counted, result)

    def arrays(self) -> Arrays:
        """Return the counts."""
        return pack_counts(self.counted)._asdict()

    def load(self, arrays: Arrays) -> None:
        """Add counts."""
        self.join(Counts._make(arrays[name] for name in Counts._fields))
