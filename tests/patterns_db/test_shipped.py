"""The tables shipped with yomi: they load, their values are sensible, and damage is noticed."""

import numpy as np

from engine.rollout.guided import (
    KIND_BESIDE,
    KIND_CAPTURES,
    KIND_FARTHER,
    KIND_SELF_ATARI,
    KINDS,
    NEIGHBORHOODS,
)
from patterns_db.search_tables.rollout_training import ROWS, new_beliefs
from patterns_db.shipped import load_knowledge, read_rollout_beliefs, write_rollout_beliefs


def test_the_shipped_roll_out_weights():
    policy = load_knowledge(patterns=None).policy
    assert policy is not None
    assert policy.neighborhood.shape == (NEIGHBORHOODS,)
    assert policy.kind.shape == (KINDS,)
    for weights in policy:
        assert weights.dtype == np.float32
        assert np.isfinite(weights).all()
        assert (weights > 0).all()
    assert policy.kind[KIND_FARTHER | KIND_CAPTURES] > policy.kind[KIND_BESIDE]
    assert policy.kind[KIND_BESIDE | KIND_SELF_ATARI] < policy.kind[KIND_BESIDE]


def test_round_trip(tmp_path):
    beliefs = new_beliefs()
    beliefs[[3, 70, ROWS - 1]] = [(0.5, 0.25), (-1.5, 0.125), (2.0, 0.5)]
    write_rollout_beliefs(tmp_path / "rollout.table", beliefs, {"games": 1})
    np.testing.assert_array_equal(read_rollout_beliefs(tmp_path / "rollout.table"), beliefs)
