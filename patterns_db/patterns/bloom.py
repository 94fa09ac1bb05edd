"""A Bloom filter, which tells whether a pattern class was seen before.

Bloom (1970), as Stern, Herbrich & Graepel (2006) use it in Sec. 2.4. A harvest looks for the
classes that occur at least twice among hundreds of millions. Most classes occur once. The filter
never forgets a key. With a known probability it takes a new key for a seen one, so exact counts
follow.

# Deviates: all bits of a key lie in one block of 512 bits, a cache line (Putze, Sanders & Singler
2007). A key then costs one cache miss instead of seven. For a rate of 0.01 the filter is 4 % larger
than a plain one, for 0.001 it is 8 %. The rate is computed for blocks as they fill. In a block the
places come from a short congruential sequence. Double hashing has too few different sequences there
(2**17), and doubled the false positives at 0.001.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.jit import kernel

BLOCK_WORDS = 8
BLOCK_BITS = 64 * BLOCK_WORDS

_LOW, _HALF, _ONE = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(1)
# The sequence's highest 3 of 32 bits are a word of the block, the next 6 a bit of the word.
_TO_WORD, _TO_BIT, _IN_WORD = np.uint64(29), np.uint64(23), np.uint64(63)
_FACTOR, _SUMMAND = np.uint64(1664525), np.uint64(1013904223)  # Knuth & Lewis's, modulo 2**32


class BloomFilter(NamedTuple):
    """A set of seen keys.

    words   uint64[blocks * BLOCK_WORDS], the bits; all 0 at the start
    hashes  number of bits that a key sets
    """

    words: npt.NDArray[np.uint64]
    hashes: int


def false_positive_rate(bits_per_key: float, hashes: int) -> float:
    """Return the rate of false positives of a filter that is filled as planned.

    The number of keys in a block has a Poisson distribution. j keys leave a bit unset with
    probability (1 - 1/512) ** (j hashes).
    """
    # Mean number of keys in a block.
    expected = BLOCK_BITS / bits_per_key
    # The sum covers twelve deviations of a Poisson number. The rest is far below any allowed rate.
    reach = int(expected + 12.0 * math.sqrt(expected) + 12.0)
    rate = 0.0
    log_chance = -expected  # of j keys in a block
    for j in range(reach):
        unset = (1.0 - 1.0 / BLOCK_BITS) ** (j * hashes)
        rate += math.exp(log_chance) * (1.0 - unset) ** hashes
        log_chance += math.log(expected / (j + 1.0))
    return rate


def new_filter(keys: int, rate: float) -> BloomFilter:
    """Return an empty filter with at most this rate of false positives after ``keys`` keys.

    keys  >= 1, number of different keys expected
    rate  between 1e-6 and 0.5
    Raises ValueError outside these limits.
    """
    if keys < 1 or not 1e-6 <= rate <= 0.5:
        raise ValueError(f"no Bloom filter for {keys} keys and a rate of {rate}")
    bits_per_key = -math.log(rate) / math.log(2.0) ** 2  # enough for a plain filter
    # Bloom's optimum: half of all bits are set at the end.
    hashes = round(bits_per_key * math.log(2.0))
    while false_positive_rate(bits_per_key, hashes) > rate:
        # Some blocks get more keys than others, so a blocked filter needs up to a tenth more bits.
        bits_per_key *= 1.01
    blocks = math.ceil(keys * bits_per_key / BLOCK_BITS)
    return BloomFilter(np.zeros(blocks * BLOCK_WORDS, np.uint64), hashes)


@kernel
def add_key(words: npt.NDArray[np.uint64], hashes: int, key: np.uint64) -> bool:
    """Add a key. Return whether it was (probably) there before.

    words   uint64[blocks * BLOCK_WORDS], changes in place
    hashes  int64
    key     uint64; its low half chooses the block, its high half the places in it
    """
    blocks = np.uint64(len(words) // BLOCK_WORDS)
    # All bits of a key lie in one cache line: one miss per key instead of one for each hash.
    # Multiplication and shift replace a division by the number of blocks.
    start = np.int64(((key & _LOW) * blocks) >> _HALF) * BLOCK_WORDS
    # The halves are independent, so keys of one block still have different places in it.
    place = key >> _HALF
    is_present = True
    # The loop does not stop at the first unset bit, since all of the key's bits must be set.
    for _ in range(hashes):
        place = (place * _FACTOR + _SUMMAND) & _LOW
        word = start + np.int64(place >> _TO_WORD)
        mask = _ONE << ((place >> _TO_BIT) & _IN_WORD)
        if words[word] & mask == 0:
            is_present = False
            words[word] |= mask
    return is_present


@kernel
def has_key(words: npt.NDArray[np.uint64], hashes: int, key: np.uint64) -> bool:
    """Return whether a key was (probably) added before. Arguments as for ``add_key``."""
    blocks = np.uint64(len(words) // BLOCK_WORDS)
    start = np.int64(((key & _LOW) * blocks) >> _HALF) * BLOCK_WORDS
    place = key >> _HALF
    for _ in range(hashes):
        place = (place * _FACTOR + _SUMMAND) & _LOW
        if (
            words[start + np.int64(place >> _TO_WORD)] & (_ONE << ((place >> _TO_BIT) & _IN_WORD))
            == 0
        ):
            return False
    return True
