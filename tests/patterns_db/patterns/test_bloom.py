"""The Bloom filter bit by bit against sets, and its stated rate against plain chance and counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from patterns_db.patterns.bloom import BLOCK_WORDS, HASHES, add_key, new_filter
from tests.reference import bloom as twin

KEYS = st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=40)


def bits_of(words, block):
    """Return the numbers of the bits set in a block."""
    own = words[block * BLOCK_WORDS : (block + 1) * BLOCK_WORDS]
    return {64 * i + bit for i, word in enumerate(own) for bit in range(64) if int(word) >> bit & 1}


@given(KEYS, st.integers(1, 60))
def test_against_sets(keys, planned):
    words = new_filter(planned)
    slow = twin.BloomFilter(len(words) // BLOCK_WORDS, HASHES)
    for key in [*keys, *keys[::-1]]:
        assert bool(add_key(words, np.uint64(key))) == slow.add(key)
    for block, bits in enumerate(slow.blocks):
        assert bits_of(words, block) == bits


def add_keys(words, keys):
    """Add many keys in order; return which ones were (probably) there already."""
    return np.array([add_key(words, key) for key in keys])


def test_false_positives_are_as_rare_as_stated():
    n, batch, batches = 20_000, 250, 80  # batches that fill the filter almost no further
    rng = np.random.default_rng(7)
    words = new_filter(n)
    add_keys(words, rng.integers(0, 2**64, n, np.uint64))
    found = sum(
        add_keys(words.copy(), rng.integers(0, 2**64, batch, np.uint64)).sum()
        for _ in range(batches)
    )
    expected = 0.0096 * batch * batches
    assert found == pytest.approx(expected, abs=0.1 * expected + 4.0 * np.sqrt(expected))
