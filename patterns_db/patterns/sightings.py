"""Intermediate results of a harvest: the classes seen twice, and their counts.

``Sighted`` holds, for a set of games, which classes occur and which occur at least twice. It is a
pair of Bloom filters, so two sets of games are joined by their bits alone, in any order: a class in
both sets was seen twice. ``Sightings`` counts the classes that occur at least twice.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Ints
from engine.jit import kernel
from engine.patterns.hashing import Keys
from engine.patterns.templates import TEMPLATES
from patterns_db.patterns.bloom import add_key, has_key, new_filter
from patterns_db.patterns.packed import PackedMoves, begin_game, color_of, next_choice
from patterns_db.patterns.walker import Walker, take_keys
from patterns_db.records.archive import POINT_BITS

CLASSES_PER_MOVE = 10  # different ones; measured: 8.4 of 14 in 200,000 games, more in fewer
SIGHTINGS_LOAD = 2 / 3  # above it linear probing takes long


class Sighted(NamedTuple):
    """Bloom filters of the classes of some games."""

    once: Keys  # uint64[...], of all classes
    twice: Keys  # uint64[...], of all that occur at least twice, and of some more


def new_sighted(moves: int) -> Sighted:
    """Return filters for the classes of some moves."""
    # The size depends on the moves, since the number of classes is not known yet.
    words = new_filter(max(1, CLASSES_PER_MOVE * moves))
    return Sighted(words, np.zeros_like(words))


def join_sighted(sighted: Sighted, other: Sighted) -> None:
    """Join other games' filters of the same size into ``sighted``."""
    # A class of both sets has all its bits in both filters. Bits shared by different classes are
    # included as well: they fill the second filter a little, and never lose a class.
    sighted.twice[:] |= sighted.once & other.once
    sighted.twice[:] |= other.twice
    sighted.once[:] |= other.once


@kernel
def sight_game(walker: Walker, moves: PackedMoves, size: int, once: Keys, twice: Keys) -> None:
    """Pass the classes of one game's moves through the filters.

    walker       Walker of this board size; scratch
    moves        uint16[n], the packed moves of the game, which is cut at an illegal one
    size         int64, board size
    once, twice  uint64[...], see Sighted; change in place
    """
    begin_game(walker.board, walker.memory, size)
    i = next_choice(walker.board, walker.memory, moves, np.int64(-1))
    while i < len(moves):
        move = np.int64(moves[i])
        take_keys(walker, move & POINT_BITS, color_of(move))
        for template in range(TEMPLATES):
            if add_key(once, walker.keys[template]):
                add_key(twice, walker.keys[template])
        i = next_choice(walker.board, walker.memory, moves, i)


class Sightings(NamedTuple):
    """An open-addressing table of counted classes; linear probing from the key's low bits."""

    keys: Keys  # uint64[2 ** k], 0 = free
    counts: npt.NDArray[np.uint32]  # uint32[2 ** k]
    templates: npt.NDArray[np.uint8]  # uint8[2 ** k]
    inside: Keys  # uint64[2 ** k], the class of the next smaller template, 0 for none
    used: Ints  # int64[1], slots in use


class Counts(NamedTuple):
    """The classes of a table without its free slots, as it is sent. Fields as in Sightings."""

    keys: Keys
    counts: npt.NDArray[np.uint32]
    templates: npt.NDArray[np.uint8]
    inside: Keys


def new_sightings(slots: int = 1 << 20) -> Sightings:
    """Return an empty table. ``slots`` is a power of two (it grows; 21 MB at first)."""
    return Sightings(
        np.zeros(slots, np.uint64),
        np.zeros(slots, np.uint32),
        np.zeros(slots, np.uint8),
        np.zeros(slots, np.uint64),
        np.zeros(1, np.int64),
    )


@kernel
def find_sighting(sightings: Sightings, key: np.uint64) -> int:
    """Return the slot of a class, or -1 - (its free slot) if it is missing."""
    mask = np.uint64(len(sightings.keys) - 1)
    slot = np.int64(key & mask)
    while sightings.keys[slot] != key:
        if sightings.keys[slot] == 0:
            return -1 - slot
        slot = (slot + 1) & np.int64(mask)
    return slot


@kernel
def add_count(
    sightings: Sightings, key: np.uint64, count: int, template: int, inside: np.uint64
) -> None:
    """Add to the count of a class, which is inserted if missing.

    inside  uint64, the class of the next smaller template, 0 for none
    """
    slot = find_sighting(sightings, key)
    if slot < 0:
        slot = -1 - slot
        sightings.keys[slot] = key
        sightings.templates[slot] = template
        sightings.inside[slot] = inside
        sightings.used[0] += 1
    sightings.counts[slot] += np.uint32(count)


@kernel
def count_game(
    walker: Walker, moves: PackedMoves, size: int, twice: Keys, sightings: Sightings
) -> None:
    """Count the classes of one game's moves that the filter has. See ``sight_game``.

    sightings  Sightings with room for 14 classes a move; changes in place
    """
    begin_game(walker.board, walker.memory, size)
    i = next_choice(walker.board, walker.memory, moves, np.int64(-1))
    while i < len(moves):
        move = np.int64(moves[i])
        take_keys(walker, move & POINT_BITS, color_of(move))
        inside = np.uint64(0)  # template 1 contains no other
        for template in range(TEMPLATES):
            key = walker.keys[template]
            # No larger class around it was played twice either.
            if not has_key(twice, key):
                break
            add_count(sightings, key, 1, template + 1, inside)
            inside = key
        i = next_choice(walker.board, walker.memory, moves, i)


@kernel
def add_counts(
    sightings: Sightings,
    keys: Keys,
    counts: npt.NDArray[np.uint32],
    templates: npt.NDArray[np.uint8],
    inside: Keys,
) -> None:
    """Add many counts (see Counts) to a table with room for them. Free slots are skipped."""
    for i in range(len(keys)):
        if keys[i] != 0:
            add_count(sightings, keys[i], np.int64(counts[i]), np.int64(templates[i]), inside[i])


def with_room(sightings: Sightings, wanted: int) -> Sightings:
    """Return the table, or a larger copy if it lacks room for ``wanted`` more classes."""
    while sightings.used[0] + wanted > SIGHTINGS_LOAD * len(sightings.keys):
        larger = new_sightings(2 * len(sightings.keys))
        add_counts(larger, *sightings[:4])
        sightings = larger
    return sightings


def common_counts(sightings: Sightings, min_count: int) -> Counts:
    """Return the classes of a table that were played at least ``min_count`` times."""
    keys, counts, templates, inside, _ = sightings
    slots = np.flatnonzero(counts >= min_count)
    return Counts(keys[slots], counts[slots], templates[slots], inside[slots])


def join_counts(sightings: Sightings, counts: Counts) -> Sightings:
    """Return a table with the counts of other games added. It may be a larger one."""
    sightings = with_room(sightings, len(counts.keys))
    add_counts(sightings, *counts)
    return sightings
