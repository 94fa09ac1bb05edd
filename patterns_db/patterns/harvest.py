"""The harvest of the pattern classes that experts played at least twice, with their counts.

Stern, Herbrich & Graepel (2006), section 2.4. Two passes over the games:

1. *Sight.* Every class of every expert move goes through a Bloom filter. A class that is already
   there goes into a second filter. Filters forget nothing. So the second holds all classes that
   were played twice, and a few others (the rate of false positives).
2. *Count.* Every occurrence of a class in the second filter is counted. The walk up the templates
   of a move stops at the first class that is missing there: larger ones around it were played
   at most as often. The counts of all classes that were played twice are therefore exact. False
   positives of the filter have a count of 1 and are dropped.

Either pass may be done in parts, in any order and anywhere: filters are joined by ``or``, counts
are added. A class stays only if its smaller classes stay, because lookups stop at the first miss.
A filter takes 0.5 GB for 42 million moves.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.patterns.hashing import Keys
from engine.patterns.templates import TEMPLATES
from patterns_db.patterns.packed import PackedMoves
from patterns_db.patterns.sightings import (
    Counts,
    Sighted,
    Sightings,
    common_counts,
    count_game,
    new_sighted,
    new_sightings,
    sight_game,
    with_room,
)
from patterns_db.patterns.walker import Walker, new_walker
from patterns_db.records.archive import GameArchive

OnGames = Callable[[int], object]


class Harvest(NamedTuple):
    """The harvested classes, the commonest first; among equals, the smallest template first."""

    keys: Keys  # uint64[n], pattern classes
    counts: npt.NDArray[np.uint32]  # uint32[n], how often experts played them
    templates: npt.NDArray[np.uint8]  # uint8[n], 1..14
    # int32[n], index of the next smaller template's class inside it, -1 for template 1
    smaller: npt.NDArray[np.int32]


def _ignore(_: int) -> None:
    """Do nothing."""


def harvest(
    games: GameArchive,
    min_count: int = 2,
    max_patterns: int | None = None,
    progress: OnGames = _ignore,
) -> Harvest:
    """Return the classes that experts played at least ``min_count`` times.

    min_count     >= 2
    max_patterns  keep only the commonest ones
    progress      called with 1 after each game, in either pass
    Source: Stern, Herbrich & Graepel (2006), section 2.4
    """
    sighted = sight_games(games, len(games.moves), progress)
    counted = count_games(games, sighted.twice, progress)
    return select(common_counts(counted, min_count), max_patterns)


def sight_games(games: GameArchive, all_moves: int, progress: OnGames = _ignore) -> Sighted:
    """Do the first pass over some games.

    all_moves  of all games that are harvested together: only filters of one size can be joined
    """
    sighted = new_sighted(all_moves)
    for walker, size, moves in _each_game(games):
        sight_game(walker, moves, size, *sighted)
        progress(1)
    return sighted


def count_games(games: GameArchive, twice: Keys, progress: OnGames = _ignore) -> Sightings:
    """Do the second pass over some games, with the first pass's filter over all of them."""
    sightings = new_sightings()
    for walker, size, moves in _each_game(games):
        # Room is made before the game, since a kernel cannot enlarge the table.
        sightings = with_room(sightings, TEMPLATES * len(moves))
        count_game(walker, moves, size, twice, sightings)
        progress(1)
    return sightings


def _each_game(games: GameArchive) -> Iterator[tuple[Walker, int, PackedMoves]]:
    """Yield a walker for its board, the board size and the packed moves of each game."""
    walkers: dict[int, Walker] = {}
    for i in range(games.games):
        size = int(games.sizes[i])
        if size not in walkers:
            walkers[size] = new_walker(size)
        yield walkers[size], size, games.moves[games.starts[i] : games.starts[i + 1]]


def select(counted: Counts, max_patterns: int | None) -> Harvest:
    """Return counted classes, all common enough, in the order of Harvest."""
    # The key is the last criterion, so that the order does not depend on the table's size. Any
    # prefix of this order contains every class's smaller ones: they are never rarer, and first
    # among equals.
    played = counted.counts.astype(np.int64)
    order = np.lexsort((counted.keys, counted.templates, -played))[:max_patterns]
    keys, templates = counted.keys[order], counted.templates[order]
    by_key = np.argsort(keys)
    smaller = by_key[np.searchsorted(keys, counted.inside[order], sorter=by_key)].astype(np.int32)
    smaller[templates == 1] = -1
    return Harvest(keys, counted.counts[order], templates, smaller)
