"""The Bloom filter bit by bit against sets, and its stated rate against plain chance."""

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


@given(KEYS, st.randoms(use_true_random=False))
def test_the_filter_does_not_depend_on_the_order(keys, random):
    shuffled = random.sample(keys, len(keys))
    filled = []
    for order in (keys, shuffled):
        words, hashes = new_filter(20, 0.01)
        for key in order:
            add_key(words, hashes, np.uint64(key))
        filled.append(words)
    assert np.array_equal(*filled)


@pytest.mark.parametrize("key", [0, 1, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1])
def test_keys_at_the_ends_of_their_range(key):
    words, hashes = new_filter(1000, 0.01)
    assert not add_key(words, hashes, np.uint64(key))
    assert add_key(words, hashes, np.uint64(key))
    block, bits = twin.BloomFilter(len(words) // BLOCK_WORDS, hashes).places(key)
    assert bits_of(words, block) == bits
    assert sum(int(word).bit_count() for word in words) == len(bits)  # no bits elsewhere


@pytest.mark.parametrize(("keys", "blocks", "hashes"), [(60, 1, 5), (800, 16, 6), (300, 3, 3)])
def test_the_stated_rate_is_that_of_plain_chance(keys, blocks, hashes):
    expected = false_positive_rate(blocks * BLOCK_BITS / keys, hashes)
    if blocks == 1:  # one block holds them all; the formula assumes many blocks, filled by chance
        unset = (1 - 1 / BLOCK_BITS) ** (keys * hashes)
        expected = (1 - unset) ** hashes
    rng = np.random.default_rng(keys)
    found = twin.false_positive_rate(keys, blocks, hashes, rng)
    assert found == pytest.approx(expected, abs=4 * np.sqrt(expected / 2000))


@given(st.integers(1, 10**6), st.floats(1e-6, 0.5))
def test_a_filter_meets_its_rate_within_a_bounded_size(keys, rate):
    words, hashes = new_filter(keys, rate)
    bits_per_key = words.size * 64 / keys
    assert false_positive_rate(bits_per_key, hashes) <= rate * (1 + 1e-9)
    least = -np.log(rate) / np.log(2) ** 2  # of a plain filter
    assert words.size * 64 <= 1.6 * least * keys + BLOCK_BITS
    assert words.size % BLOCK_WORDS == 0
    assert not words.any()
