"""Lookup of a pattern class in a read-only hash table."""

import numpy as np
import numpy.typing as npt

from engine.jit import kernel


@kernel
def find_slot(keys: npt.NDArray[np.uint64], key: np.uint64) -> int:
    """Return where a class key stands in an open-addressing table, -1 if it is not there.

    keys     uint64[2 ** k], linear probing from the key's low bits, 0 = free, never full
    key      uint64, not 0
    returns  int64
    """
    mask = np.uint64(len(keys) - 1)
    index = key & mask
    while keys[index] != key:
        if keys[index] == 0:
            return -1
        index = (index + np.uint64(1)) & mask
    return np.int64(index)
