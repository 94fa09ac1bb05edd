"""The Bloom filter bit by bit against sets, and its stated rate against plain chance and counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from patterns_db.patterns.bloom import (
    BLOCK_BITS,
    BLOCK_WORDS,
    add_key,
    false_positive_rate,
    new_filter,
)
from tests.reference import bloom as twin

KEYS = st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=40)


def bits_of(words, block):
    """Return the numbers of the bits set in a block."""
    own = words[block * BLOCK_WORDS : (block + 1) * BLOCK_WORDS]
    return {64 * i + bit for i, word in enumerate(own) for bit in range(64) if int(word) >> bit & 1}


@given(KEYS, st.integers(1, 60), st.sampled_from([0.5, 0.1, 0.01, 1e-4]))
def test_against_sets(keys, planned, rate):
    words, hashes = new_filter(planned, rate)
    slow = twin.BloomFilter(len(words) // BLOCK_WORDS, hashes)
    for key in [*keys, *keys[::-1]]:
        assert bool(add_key(words, hashes, np.uint64(key))) == slow.add(key)
    for block, bits in enumerate(slow.blocks):
        assert bits_of(words, block) == bits


@given(st.integers(1, 10**6), st.floats(1e-6, 0.5))
def test_a_filter_meets_its_rate_within_a_bounded_size(keys, rate):
    words, hashes = new_filter(keys, rate)
    bits_per_key = words.size * 64 / keys
    assert false_positive_rate(bits_per_key, hashes) <= rate * (1 + 1e-9)
    least = -np.log(rate) / np.log(2) ** 2  # of a plain filter
    assert words.size * 64 <= 1.6 * least * keys + BLOCK_BITS
    assert words.size % BLOCK_WORDS == 0
    assert not words.any()


def add_keys(words, hashes, keys):
    """Add many keys in order; return which ones were (probably) there already."""
    return np.array([add_key(words, hashes, key) for key in keys])


@pytest.mark.parametrize("rate", [0.1, 0.01, 0.001])
def test_false_positives_are_as_rare_as_stated(rate):
    n, batch, batches = 20_000, 250, 80  # batches that fill the filter almost no further
    rng = np.random.default_rng(7)
    words, hashes = new_filter(n, rate)
    add_keys(words, hashes, rng.integers(0, 2**64, n, np.uint64))
    found = sum(
        add_keys(words.copy(), hashes, rng.integers(0, 2**64, batch, np.uint64)).sum()
        for _ in range(batches)
    )
    expected = rate * batch * batches
    assert found == pytest.approx(expected, abs=0.1 * expected + 4.0 * np.sqrt(expected))


@pytest.mark.parametrize(("keys", "rate"), [(0, 0.01), (10, 0.0), (10, 0.9), (10, float("nan"))])
def test_impossible_filters_are_refused(keys, rate):
    with pytest.raises(ValueError, match="no Bloom filter"):
        new_filter(keys, rate)
