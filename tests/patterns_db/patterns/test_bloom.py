"""patterns_db.patterns.bloom: no false negatives, stated false positives, expected memory."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patterns_db.patterns.bloom import BLOCK_BITS, add_key, false_positive_rate, new_filter


def add_keys(words, hashes, keys):
    """Add many keys in order; return which ones were (probably) there already."""
    return np.array([add_key(words, hashes, key) for key in keys])


@given(st.lists(st.integers(0, 2**64 - 1), max_size=50))
@settings(deadline=None)
def test_a_key_that_was_added_is_seen(keys):
    words, hashes = new_filter(50, 0.01)
    for key in keys:
        add_key(words, hashes, np.uint64(key))
    assert all(add_key(words, hashes, np.uint64(key)) for key in keys)


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


def test_first_occurrences_are_told_from_repeats():
    rng = np.random.default_rng(8)
    keys = rng.integers(0, 2**64, 5000, np.uint64)
    words, hashes = new_filter(5000, 1e-6)
    seen = add_keys(words, hashes, np.concatenate([keys, keys]))
    assert seen.sum() == 5000
    assert not seen[:5000].any()
    assert seen[5000:].all()


def test_memory_is_that_of_a_plain_filter_and_a_tenth():
    words, hashes = new_filter(1_000_000, 0.01)
    assert words.dtype == np.uint64
    assert 9.59 < words.size * 64 / 1_000_000 < 10.6
    assert 6 <= hashes <= 8
    assert words.size % (BLOCK_BITS // 64) == 0


def test_the_rate_falls_with_the_bits():
    rates = [false_positive_rate(bits, 5) for bits in (2.0, 5.0, 10.0, 20.0)]
    assert rates == sorted(rates, reverse=True)
    assert 0.0 < rates[-1] < rates[0] < 1.0


@pytest.mark.parametrize(("keys", "rate"), [(0, 0.01), (10, 0.0), (10, 0.9), (10, float("nan"))])
def test_impossible_filters_are_refused(keys, rate):
    with pytest.raises(ValueError, match="no Bloom filter"):
        new_filter(keys, rate)
