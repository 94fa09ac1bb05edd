"""A Bloom filter, which tells whether a pattern class was seen before.

Bloom (1970), as Stern, Herbrich & Graepel (2006) use it in Sec. 2.4. A harvest looks for the
classes that occur at least twice among hundreds of millions. Most classes occur once. The filter
never forgets a key. It takes one new key in a hundred for a seen one, so exact counts follow.

# Deviates: all bits of a key lie in one block of 512 bits, a cache line (Putze, Sanders & Singler
2007). A key then costs one cache miss instead of seven. The filter is 4 % larger than a plain one
of the same rate. In a block the places come from a short congruential sequence.
"""

import numpy as np
import numpy.typing as npt

from engine.jit import kernel

BLOCK_WORDS = 8
BLOCK_BITS = 64 * BLOCK_WORDS
# The number of keys in a block has a Poisson distribution. Over it, the rate of false positives is
# 0.0096 when the filter holds as many keys as planned.
BITS_PER_KEY, HASHES = 10, 7

_LOW, _HALF, _ONE = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(1)
# The sequence's highest 3 of 32 bits are a word of the block, the next 6 a bit of the word.
_TO_WORD, _TO_BIT, _IN_WORD = np.uint64(29), np.uint64(23), np.uint64(63)
_FACTOR, _SUMMAND = np.uint64(1664525), np.uint64(1013904223)  # Knuth & Lewis's, modulo 2**32


def new_filter(keys: int) -> npt.NDArray[np.uint64]:
    """Return an empty filter for ``keys`` different keys: uint64[blocks * BLOCK_WORDS]."""
    blocks = -(-keys * BITS_PER_KEY // BLOCK_BITS)
    return np.zeros(blocks * BLOCK_WORDS, np.uint64)


@kernel
def add_key(words: npt.NDArray[np.uint64], key: np.uint64) -> bool:
    """Add a key. Return whether it was (probably) there before.

    words  uint64[blocks * BLOCK_WORDS], changes in place
    key    uint64; its low half chooses the block, its high half the places in it
    """
    blocks = np.uint64(len(words) // BLOCK_WORDS)
    # All bits of a key lie in one cache line: one miss per key instead of one for each hash.
    # Multiplication and shift replace a division by the number of blocks.
    start = np.int64(((key & _LOW) * blocks) >> _HALF) * BLOCK_WORDS
    # The halves are independent, so keys of one block still have different places in it.
    place = key >> _HALF
    is_present = True
    # The loop does not stop at the first unset bit, since all of the key's bits must be set.
    for _ in range(HASHES):
        place = (place * _FACTOR + _SUMMAND) & _LOW
        word = start + np.int64(place >> _TO_WORD)
        mask = _ONE << ((place >> _TO_BIT) & _IN_WORD)
        if words[word] & mask == 0:
            is_present = False
            words[word] |= mask
    return is_present


@kernel
def has_key(words: npt.NDArray[np.uint64], key: np.uint64) -> bool:
    """Return whether a key was (probably) added before. Arguments as for ``add_key``."""
    blocks = np.uint64(len(words) // BLOCK_WORDS)
    start = np.int64(((key & _LOW) * blocks) >> _HALF) * BLOCK_WORDS
    place = key >> _HALF
    for _ in range(HASHES):
        place = (place * _FACTOR + _SUMMAND) & _LOW
        if (
            words[start + np.int64(place >> _TO_WORD)] & (_ONE << ((place >> _TO_BIT) & _IN_WORD))
            == 0
        ):
            return False
    return True
