"""The tables shipped with yomi: they load, their values are sensible, and damage is noticed."""

import numpy as np
import pytest

from engine.errors import ModelFormatError
from engine.rollout.guided import (
    KIND_BESIDE,
    KIND_CAPTURES,
    KIND_FARTHER,
    KIND_SELF_ATARI,
    KINDS,
    NEIGHBORHOODS,
)
from patterns_db.search_tables.rollout_training import ROWS, new_beliefs
from patterns_db.shipped import (
    ROLLOUT_TABLE,
    load_knowledge,
    read_rollout_beliefs,
    write_rollout_beliefs,
)
from patterns_db.store.table_files import open_arrays


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


def test_the_shipped_table_is_whole():
    _, manifest = open_arrays(ROLLOUT_TABLE, "roll-out weights")
    assert manifest["games"] > 1000
    assert manifest["moves"] > 100 * manifest["games"]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "rollout.table"
    beliefs = new_beliefs()
    beliefs[[3, 70, ROWS - 1]] = [(0.5, 0.25), (-1.5, 0.125), (2.0, 0.5)]
    write_rollout_beliefs(path, beliefs, {"games": 1})
    return path


def test_round_trip(path):
    beliefs = new_beliefs()
    beliefs[[3, 70, ROWS - 1]] = [(0.5, 0.25), (-1.5, 0.125), (2.0, 0.5)]
    np.testing.assert_array_equal(read_rollout_beliefs(path), beliefs)


def test_every_kind_of_damage_is_one_clear_error(path):
    whole = path.read_bytes()
    damaged = [
        b"",
        b"no table",
        whole[:100],
        whole[:-1],
        bytes([*whole[:-40], whole[-40] ^ 1, *whole[-39:]]),
    ]
    for data in damaged:
        path.write_bytes(data)
        with pytest.raises(ModelFormatError, match=r"rollout\.table") as caught:
            read_rollout_beliefs(path)
        assert "\n" not in str(caught.value)
    path.unlink()
    with pytest.raises(ModelFormatError, match="cannot read"):
        read_rollout_beliefs(path)
