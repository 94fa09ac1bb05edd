"""The table of pattern classes in play: a compact, read-only hash table.

A class is stored as 32 bits of its 64-bit key and two 16-bit numbers, 8 bytes in all. Thus 4.8
million classes fit into 48 MB at a load of 0.8. Probing reads only the keys, 16 per cache line. The
low half of the key gives the first slot to probe, the high half is stored as the check.

A class that is not in the table is mistaken for another one if a check in its probe sequence
agrees: 1.2e-8 per lookup, or one misjudged candidate every 24,000 moves.
# Deviates: the paper's hash table holds whole keys and exact beliefs.

Means and log variances are fixed-point, in steps far below the beliefs' own uncertainty.
"""

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats
from engine.errors import EpDiverged
from engine.jit import kernel
from engine.patterns.choice import MEAN, VARIANCE

TableKeys = npt.NDArray[np.uint32]

MEAN_STEP = 1.0 / 2048.0  # reaches +-16 prior deviations
LOG_VARIANCE_STEP = 1.0 / 1024.0  # reaches exp(+-32)
MAX_LOAD = 0.8  # at 0.85 an unsuccessful search takes twice as long
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)


def slots_for(classes: int) -> int:
    """Return the number of slots of a table for some classes, at a load of at most MAX_LOAD."""
    return max(16, int(classes / MAX_LOAD) + 1)


@kernel
def check_of(key: np.uint64) -> np.uint32:
    """Return the part of a class key that the table stores: its high half, but never 0."""
    check = np.uint32(key >> _HALF)
    return check if check != 0 else np.uint32(1)  # 0 is a free slot


@kernel
def home_of(keys: TableKeys, key: np.uint64) -> int:
    """Return the first slot of the search for a class: its low half, scaled to the table."""
    # A product instead of a remainder: it allows any number of slots, not only powers of two.
    # Also, uint64 % int64 is wrong in compiled code for keys of 2**63 and more.
    return np.int64(((key & _LOW) * np.uint64(len(keys))) >> _HALF)


@kernel
def find_slot(keys: TableKeys, key: np.uint64) -> int:
    """Return the slot of a class in the table, -1 if it is absent.

    keys  uint32[slots], 0 = free, never full
    """
    check = check_of(key)
    slot = home_of(keys, key)
    for _ in range(len(keys)):
        if keys[slot] == check:
            return slot
        if keys[slot] == 0:
            return -1
        slot += 1
        if slot == len(keys):
            slot = 0
    return -1


@kernel
def claim_slot(keys: TableKeys, key: np.uint64) -> int:
    """Return the slot of a class in the table and insert it if absent; -1 if full."""
    check = check_of(key)
    slot = home_of(keys, key)
    for _ in range(len(keys)):
        if keys[slot] == check:
            return slot
        if keys[slot] == 0:
            keys[slot] = check
            return slot
        slot += 1
        if slot == len(keys):
            slot = 0
    return -1


@kernel(inlined=True)
def load_mean(values: npt.NDArray[np.int16], slot: int) -> float:
    """Unpack the mean of the belief about one class; values as for ``load_belief``."""
    return values[slot, MEAN] * MEAN_STEP


@kernel
def load_belief(values: npt.NDArray[np.int16], slot: int, beliefs: Floats, row: int) -> None:
    """Unpack the belief of one class.

    values   int16[slots, 2], see ``pack_beliefs``
    beliefs  float64[rows, 2], MEAN and VARIANCE of ``row`` change in place
    """
    beliefs[row, MEAN] = load_mean(values, slot)
    beliefs[row, VARIANCE] = np.exp(values[slot, VARIANCE] * LOG_VARIANCE_STEP)


def pack_beliefs(beliefs: Floats) -> npt.NDArray[np.int16]:
    """Return beliefs float64[n, 2] as int16[n, 2] for a table; too large means are clipped.

    MEAN is in steps of MEAN_STEP, VARIANCE is a logarithm in steps of LOG_VARIANCE_STEP.

    Raises EpDiverged when a mean is not finite or a variance is not positive.
    """
    means, variances = beliefs[:, MEAN], beliefs[:, VARIANCE]
    if not (np.isfinite(beliefs).all() and (variances > 0.0).all()):
        raise EpDiverged("a belief lacks a finite mean and a positive variance")
    limits = np.iinfo(np.int16)
    steps = np.stack([means / MEAN_STEP, np.log(variances) / LOG_VARIANCE_STEP], axis=1)
    return np.clip(np.rint(steps), limits.min, limits.max).astype(np.int16)
