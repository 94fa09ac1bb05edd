"""The transposition table of the paper's solver.

Source: Zhao & Mueller, Section 5.1: 2^20 entries; "since the evaluation of terminal nodes is
expensive, they can never be overwritten by interior nodes". A finished sum takes the first slot,
from its home slot on, that holds no other finished sum. A search for it therefore walks over
finished sums only. An interior position may use only its home slot.
"""

from typing import NamedTuple

import numpy as np

from engine.jit import kernel

UNUSED, LOWER, UPPER, EXACT, FINISHED = 0, 1, 2, 3, 4
"""Kinds of entries: lower bound, upper bound, exact value, value of a finished sum."""


class Table(NamedTuple):
    """Entries by slot; the number of slots is a power of two (Section 5.1)."""

    keys: np.ndarray  # int64[slots]
    values: np.ndarray  # float64[slots], Left's win probability or a bound of it
    kinds: np.ndarray  # int64[slots]
    moves: np.ndarray  # int64[slots], best move known, -1 none


@kernel
def home_slot(table: Table, key: int) -> int:
    """Return the slot (int64) where the walk for a key (int64 >= 0) begins."""
    # Masks are small, similar numbers. Without mixing they would share their slots.
    folded = (key ^ (key >> 31)) & 0x7FFFFFFF
    return ((folded * 0x9E3779B1) >> 31) & (table.keys.shape[0] - 1)  # stays below 2^63


@kernel
def find_finished(table: Table, key: int) -> int:
    """Return the slot of a finished sum, or ~slot of its future place when it is absent."""
    slot = home_slot(table, key)
    while table.kinds[slot] == FINISHED:
        if table.keys[slot] == key:
            return slot
        slot = (slot + 1) & (table.keys.shape[0] - 1)
    return ~slot


@kernel
def find_interior(table: Table, key: int) -> int:
    """Return the slot of an interior position, -1 when it is absent."""
    slot = home_slot(table, key)
    # Unused slots hold key 0, which is also the empty position's key.
    if table.keys[slot] == key and table.kinds[slot] != UNUSED:
        return slot
    return -1


@kernel
def store(table: Table, slot: int, key: int, value: float, kind: int, move: int) -> None:
    """Write an entry; an interior position does not replace a finished sum."""
    # The paper's rule (Section 5.1): finished sums are expensive and stay.
    if table.kinds[slot] == FINISHED and kind != FINISHED:
        return
    table.keys[slot] = key
    table.values[slot] = value
    table.kinds[slot] = kind
    table.moves[slot] = move


def make_table(bits: int) -> Table:
    """Return an empty table of 2^bits slots."""
    slots = 1 << bits
    return Table(
        np.zeros(slots, dtype=np.int64),
        np.zeros(slots),
        np.zeros(slots, dtype=np.int64),
        np.full(slots, -1, dtype=np.int64),
    )
