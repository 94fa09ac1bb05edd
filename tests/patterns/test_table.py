"""engine.patterns.table: the hash table agrees with a dictionary, beliefs survive packing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EpDiverged
from engine.patterns.table import (
    LOG_VARIANCE_STEP,
    MEAN_STEP,
    claim_slot,
    find_slot,
    load_belief,
    pack_beliefs,
    slots_for,
)

keys_64 = st.integers(0, 2**64 - 1)


@given(st.lists(keys_64, unique=True, max_size=60), st.lists(keys_64, max_size=20))
@settings(deadline=None)
def test_against_a_dictionary(inside, outside):
    keys = np.zeros(slots_for(len(inside)), np.uint32)
    slots = {key: claim_slot(keys, np.uint64(key)) for key in inside}
    checks = {max(key >> 32, 1) for key in inside}
    if len(checks) == len(inside):
        assert sorted(slots.values()) == np.flatnonzero(keys).tolist()
    for key, slot in slots.items():
        assert find_slot(keys, np.uint64(key)) == slot
        assert claim_slot(keys, np.uint64(key)) == slot
    for key in outside:
        if max(key >> 32, 1) not in checks:
            assert find_slot(keys, np.uint64(key)) == -1


def test_collisions_wrap_around_and_a_full_table_ends_the_search():
    keys = np.zeros(4, np.uint32)
    last = [np.uint64((check << 32) | 0xFFFFFFFF) for check in (0, 7, 8, 9, 10)]
    assert [claim_slot(keys, key) for key in last] == [3, 0, 1, 2, -1]
    assert [find_slot(keys, key) for key in last] == [3, 0, 1, 2, -1]
    assert keys.tolist() == [7, 8, 9, 1]


def test_many_classes_at_the_highest_load():
    rng = np.random.default_rng(2)
    present = rng.integers(0, 2**64, 3000, np.uint64)
    absent = rng.integers(0, 2**64, 3000, np.uint64)
    keys = np.zeros(slots_for(len(present)), np.uint32)
    slots = [claim_slot(keys, key) for key in present]
    assert len(set(slots)) == len(present)
    assert [find_slot(keys, key) for key in present] == slots
    assert all(find_slot(keys, key) == -1 for key in absent)


@given(st.floats(-15.9, 15.9), st.floats(1e-12, 1e6))
@settings(deadline=None)
def test_beliefs_survive_packing(mean, variance):
    packed = pack_beliefs(np.array([[0.0, 1.0], [mean, variance]]))
    beliefs = np.zeros((3, 2))
    load_belief(packed, 1, beliefs, 2)
    assert beliefs[2, 0] == pytest.approx(mean, abs=0.5001 * MEAN_STEP)
    assert beliefs[2, 1] == pytest.approx(variance, rel=0.501 * LOG_VARIANCE_STEP)


def test_extreme_means_are_cut():
    assert pack_beliefs(np.array([[1e9, 1.0], [-1e9, 1.0]]))[:, 0].tolist() == [32767, -32768]


@pytest.mark.parametrize("bad", [(np.nan, 1.0), (np.inf, 1.0), (0.0, 0.0), (0.0, np.nan)])
def test_beliefs_that_are_none_are_refused(bad):
    with pytest.raises(EpDiverged):
        pack_beliefs(np.array([bad]))
