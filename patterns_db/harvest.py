"""Harvest: which pattern classes did experts play at least twice, and how often.

Stern, Herbrich & Graepel (2006), section 2.4. Two passes over the games:

1. *Sight.* Every class of every expert move goes through a Bloom filter; a class that was there
   already is noted in a table. The filter forgets nothing, so the table holds all classes that
   were played twice, and a few (its rate of false positives) that were not.
2. *Count.* The table no longer grows; every occurrence is counted. The walk up the templates of a
   move stops at the first class that is not noted: larger ones around it were played at most as
   often. So the counts of all classes that were played twice are exact, and what the filter
   noted wrongly has a count of 1 or 0 and is dropped.

A class stays only if its smaller classes stay, because lookups stop at the first miss: a smaller
class is never rarer than a larger one around it, and of equals the smaller is taken first.

Memory: the filter has some 12 bits a class (10 bits a class and 8.4 classes a move: 0.45 GB for
42 million moves), the table 17 bytes a slot, at most 2/3 full.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import COLOR, EMPTY, SIZE, Board, empty_board
from engine.go.geometry import STRIDE
from engine.jit import kernel
from engine.patterns.evidence import new_memory
from engine.patterns.features import (
    FACTS,
    ChainLiberties,
    Integers,
    feature_bits,
    forget_liberties,
    new_liberties,
    study_move,
)
from engine.patterns.hashing import (
    LINE_KEYS,
    PLAYER_KEYS,
    VERTEX_KEYS,
    Keys,
    RingHashes,
    new_hashes,
)
from engine.patterns.templates import OFFSETS, REACH, SPAN, TEMPLATES
from patterns_db.archive import POINT_BITS, GameArchive
from patterns_db.bloom import BloomFilter, add_key, new_filter
from patterns_db.packed import Moves, begin_game, can_make_move, color_of, is_choice, make_move

FALSE_POSITIVES = 0.01
CLASSES_PER_MOVE = 10  # different ones; measured: 8.4 of 14 in 200,000 games, more in fewer
SIGHTINGS_LOAD = 2 / 3  # fuller, linear probing gets long


class Harvest(NamedTuple):
    """The classes that stay, the commonest first; of equals the smallest template first.

    keys       uint64[n], pattern classes
    counts     uint32[n], how often experts played them
    templates  uint8[n], 1..14
    smaller    int32[n], the class of the next smaller template inside it, -1 for template 1
    """

    keys: Keys
    counts: npt.NDArray[np.uint32]
    templates: npt.NDArray[np.uint8]
    smaller: npt.NDArray[np.int32]


class Sightings(NamedTuple):
    """An open-addressing table of classes seen twice; linear probing from the key's low bits.

    keys       uint64[2 ** k], 0 = free
    counts     uint32[2 ** k]
    templates  uint8[2 ** k]
    smaller    int32[2 ** k], slot of the class of the next smaller template, once counted
    used       int64[1], slots in use
    """

    keys: Keys
    counts: npt.NDArray[np.uint32]
    templates: npt.NDArray[np.uint8]
    smaller: npt.NDArray[np.int32]
    used: Integers


class Walker(NamedTuple):
    """Scratch for replaying games and taking the keys of one move at a time."""

    board: Board
    memory: Integers
    hashes: RingHashes  # of the empty board; never changed
    chains: ChainLiberties
    facts: Integers
    sums: Keys  # uint64[14 * 8], the rings around one move
    keys: Keys  # uint64[14], the classes of one move


def new_walker(size: int) -> Walker:
    """Return scratch for boards of a size."""
    return Walker(
        empty_board(size),
        new_memory(),
        new_hashes(size),
        new_liberties(),
        np.zeros(FACTS, np.int64),
        np.zeros(TEMPLATES * LINE_KEYS, np.uint64),
        np.zeros(TEMPLATES, np.uint64),
    )


def new_sightings(slots: int) -> Sightings:
    """Return an empty table; ``slots`` is a power of two."""
    return Sightings(
        np.zeros(slots, np.uint64),
        np.zeros(slots, np.uint32),
        np.zeros(slots, np.uint8),
        np.full(slots, -1, np.int32),
        np.zeros(1, np.int64),
    )


@kernel
def find_sighting(sightings: Sightings, key: np.uint64) -> int:
    """Return the slot of a class, or -1 - (the free slot where it would go)."""
    mask = np.uint64(len(sightings.keys) - 1)
    slot = np.int64(key & mask)
    while sightings.keys[slot] != key:
        if sightings.keys[slot] == 0:
            return -1 - slot
        slot = (slot + 1) & np.int64(mask)
    return slot


@kernel
def note_sighting(sightings: Sightings, key: np.uint64, template: int) -> None:
    """Put a class into the table unless it is there."""
    slot = find_sighting(sightings, key)
    if slot < 0:
        sightings.keys[-1 - slot] = key
        sightings.templates[-1 - slot] = template
        sightings.used[0] += 1


@kernel
def take_keys(walker: Walker, point: int, color: int) -> None:
    """Compute the classes of all templates around one move, from the stones on the board.

    One vertex alone is cheaper from scratch than by keeping all vertices' hashes up to date, as
    ``matching`` does.
    walker  Walker; keys and scratch are overwritten
    point   int64, a legal move of ``color``
    """
    board, hashes, sums = walker.board, walker.hashes, walker.sums
    start = (color - 1) * PLAYER_KEYS + point * VERTEX_KEYS
    for i in range(TEMPLATES * LINE_KEYS):
        sums[i] = hashes.lines[start + i]
    size = np.int64(board[SIZE])
    # Offsets are counted from the move, in a square that reaches over any board's edge.
    center = (REACH - point // STRIDE) * SPAN + REACH - point % STRIDE
    for row in range(1, size + 1):
        for column in range(1, size + 1):
            stone = np.int64(board[COLOR + row * STRIDE + column])
            if stone != EMPTY:
                offset = center + row * SPAN + column
                line = (np.int64(hashes.ring[offset]) - 1) * LINE_KEYS
                code = (offset + (0 if stone == color else OFFSETS)) * LINE_KEYS
                for symmetry in range(LINE_KEYS):
                    sums[line + symmetry] ^= hashes.codes[code + symmetry]
    forget_liberties(walker.chains)
    study_move(board, walker.chains, point, color, walker.facts)
    feature_code = hashes.feature_codes[feature_bits(board, color, walker.facts)]
    for template in range(TEMPLATES):
        least = sums[template * LINE_KEYS]
        for symmetry in range(LINE_KEYS):
            if template > 0:
                sums[template * LINE_KEYS + symmetry] ^= sums[(template - 1) * LINE_KEYS + symmetry]
            if symmetry == 0:
                least = sums[template * LINE_KEYS]
            least = min(least, sums[template * LINE_KEYS + symmetry])
        walker.keys[template] = least ^ feature_code


@kernel
def sight_game(
    walker: Walker, moves: Moves, size: int, words: Keys, hashes: int, sightings: Sightings
) -> int:
    """Pass the classes of one game's moves through the filter, note those that were there.

    walker     Walker of this board size; scratch
    moves      uint16[n], the packed moves of the game, which is cut at an illegal one
    size       int64, board size
    words      uint64[...], hashes int64, the Bloom filter; changes in place
    sightings  Sightings with room for 14 classes a move; changes in place
    returns    int64, number of expert moves
    """
    begin_game(walker.board, walker.memory, size)
    count = 0
    for i in range(len(moves)):
        move = np.int64(moves[i])
        if not can_make_move(walker.board, move):
            break
        if is_choice(move):
            count += 1
            take_keys(walker, move & POINT_BITS, color_of(move))
            seen = True
            for template in range(TEMPLATES):
                key = walker.keys[template]
                # A new class cannot have a larger one around it that is not new.
                seen = add_key(words, hashes, key) and seen
                if seen:
                    note_sighting(sightings, key, template + 1)
        make_move(walker.board, walker.memory, move)
    return count


@kernel
def count_game(walker: Walker, moves: Moves, size: int, sightings: Sightings) -> None:
    """Count the classes of one game's moves, those that the table has; see ``sight_game``."""
    begin_game(walker.board, walker.memory, size)
    for i in range(len(moves)):
        move = np.int64(moves[i])
        if not can_make_move(walker.board, move):
            break
        if is_choice(move):
            take_keys(walker, move & POINT_BITS, color_of(move))
            smaller = -1  # template 1 has none inside it
            for template in range(TEMPLATES):
                slot = find_sighting(sightings, walker.keys[template])
                if slot < 0:  # then no larger class around it is in the table either
                    break
                sightings.counts[slot] += np.uint32(1)
                sightings.smaller[slot] = smaller
                smaller = slot
        make_move(walker.board, walker.memory, move)


@kernel
def move_sightings(old: Sightings, new: Sightings) -> None:
    """Copy all classes into another table, which is empty."""
    # Counts need not be copied: the table grows while classes are sighted, before they are counted.
    for slot in range(len(old.keys)):
        if old.keys[slot] != 0:
            note_sighting(new, old.keys[slot], np.int64(old.templates[slot]))


def with_room(sightings: Sightings, wanted: int) -> Sightings:
    """Return the table, or a larger copy if it has no room for so many more classes."""
    while sightings.used[0] + wanted > SIGHTINGS_LOAD * len(sightings.keys):
        larger = new_sightings(2 * len(sightings.keys))
        move_sightings(sightings, larger)
        sightings = larger
    return sightings


def filter_for(moves: int) -> BloomFilter:
    """Return a Bloom filter for the classes of so many moves, FALSE_POSITIVES at the end."""
    return new_filter(max(1, CLASSES_PER_MOVE * moves), FALSE_POSITIVES)


def harvest(
    games: GameArchive,
    min_count: int = 2,
    max_patterns: int | None = None,
    progress: Callable[[int], object] = lambda games: None,
) -> Harvest:
    """Return the classes that experts played at least ``min_count`` times.

    min_count     >= 2
    max_patterns  keep only so many, the commonest
    progress      told after each game of either pass that one more is done
    Source: Stern, Herbrich & Graepel (2006), section 2.4
    """
    # Sized by moves: how many classes there are is what the harvest finds out.
    words, hashes = filter_for(len(games.moves))
    walkers = {int(size): new_walker(int(size)) for size in np.unique(games.sizes)}
    sightings = new_sightings(1 << 20)  # it grows; 17 MB to begin with
    for size, moves in _each_game(games):
        # Before the game: a kernel cannot let the table grow.
        sightings = with_room(sightings, TEMPLATES * len(moves))
        sight_game(walkers[size], moves, size, words, hashes, sightings)
        progress(1)
    for size, moves in _each_game(games):
        count_game(walkers[size], moves, size, sightings)
        progress(1)
    return select(sightings, min_count, max_patterns)


def _each_game(games: GameArchive) -> Iterator[tuple[int, Moves]]:
    """Yield the board size and the packed moves of each game."""
    for i in range(games.games):
        yield int(games.sizes[i]), games.moves[games.starts[i] : games.starts[i + 1]]


def select(sightings: Sightings, min_count: int, max_patterns: int | None) -> Harvest:
    """Return the counted classes that are common enough, in the order of Harvest."""
    # A count of 1 is a false positive of the filter; from 2 on counts are exact.
    kept = np.flatnonzero(sightings.counts >= max(min_count, 2))
    keys, counts = sightings.keys[kept], sightings.counts[kept]
    templates = sightings.templates[kept]
    # By the key at last, so that the order does not depend on the table's size. Cutting this order
    # anywhere keeps every class's smaller ones: they are never rarer, and first among equals.
    order = np.lexsort((keys, templates, -counts.astype(np.int64)))[:max_patterns]
    # One more than there are slots: -1, "no smaller class", finds -1 there.
    place = np.full(len(sightings.keys) + 1, -1, np.int32)  # the last one for "none"
    place[kept[order]] = np.arange(len(order), dtype=np.int32)
    smaller = place[sightings.smaller[kept[order]]]
    return Harvest(keys[order], counts[order], templates[order], smaller)
