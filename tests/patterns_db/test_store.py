"""patterns_db.store: round trips, one clear error for every damaged file, atomic writing."""

import hashlib
import json
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import ModelFormatError
from engine.jit import kernel
from engine.patterns.hashing import PATTERN_KEY_VERSION
from engine.patterns.table import claim_slot, find_slot
from engine.patterns.valuing import PatternKnowledge
from patterns_db.store import (
    FORMAT_VERSION,
    VALUE_VERSION,
    PatternModel,
    open_arrays,
    read_patterns,
    write_arrays,
    write_patterns,
)

ARRAYS = {
    "keys": np.arange(1000, dtype=np.uint32),
    "values": np.arange(14, dtype=np.int16).reshape(7, 2) - 7,
    "nothing": np.zeros((0, 2)),
    "beliefs": np.linspace(0.0, 1.0, 6).reshape(3, 2),
}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "x.table"
    write_arrays(path, "test", ARRAYS, {"games": 3, "name": "読み"})
    return path


def test_round_trip(path):
    arrays, manifest = open_arrays(path, "test", verify=True)
    assert manifest == {"games": 3, "name": "読み"}
    assert list(arrays) == sorted(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert type(arrays[name]) is np.ndarray
        assert arrays[name].flags.c_contiguous
        assert arrays[name].ctypes.data % 64 == 0 or array.size == 0
        np.testing.assert_array_equal(arrays[name], array)


def test_maps_are_private(path):
    before = path.read_bytes()
    arrays, _ = open_arrays(path, "test")
    arrays["keys"][:] = 7
    assert path.read_bytes() == before
    assert open_arrays(path, "test").arrays["keys"][5] == 5


def test_the_digest_is_that_of_the_file(path):
    digest = write_arrays(path, "test", ARRAYS, {})
    assert digest == hashlib.sha256(path.read_bytes()).hexdigest()
    first = path.read_bytes()
    write_arrays(path, "test", ARRAYS, {})
    assert path.read_bytes() == first


@kernel
def total(values):
    """Sum values."""
    result = 0
    for i in range(len(values)):
        result += values[i]
    return result


def test_kernels_take_maps_and_arrays_alike(path):
    """A read-only map would compile every kernel a second time."""
    keys = open_arrays(path, "test").arrays["keys"]
    assert total(keys) == total(ARRAYS["keys"]) == 499500
    assert len(getattr(total, "signatures", [0])) == 1


@given(st.integers(0, 5000))
@settings(deadline=None)
def test_every_truncation_is_noticed(tmp_path_factory, length):
    path = tmp_path_factory.mktemp("store") / "x.table"
    write_arrays(path, "test", ARRAYS, {"games": 3})
    data = path.read_bytes()
    path.write_bytes(data[: min(length, len(data) - 1)])
    with pytest.raises(ModelFormatError) as caught:
        open_arrays(path, "test")
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    path.write_bytes(data + b"more")
    with pytest.raises(ModelFormatError, match="truncated or damaged"):
        open_arrays(path, "test")


@given(st.integers(0, 10**6), st.integers(1, 255))
@settings(deadline=None)
def test_every_changed_byte_is_noticed(tmp_path_factory, place, change):
    path = tmp_path_factory.mktemp("store") / "x.table"
    write_arrays(path, "test", ARRAYS, {"games": 3})
    data = bytearray(path.read_bytes())
    data[place % len(data)] ^= change
    path.write_bytes(data)
    with pytest.raises(ModelFormatError):
        open_arrays(path, "test", verify=True)


@pytest.mark.parametrize("content", [b"", b"hello", b"\x89PNG\r\n\x1a\n" + bytes(100), bytes(500)])
def test_foreign_files(path, content):
    path.write_bytes(content)
    with pytest.raises(ModelFormatError, match="not a table file of yomi"):
        open_arrays(path, "test")


def test_another_version_and_another_kind(path):
    with pytest.raises(ModelFormatError, match="holds test, not patterns"):
        open_arrays(path, "patterns")
    data = bytearray(path.read_bytes())
    data[8:12] = struct.pack("<I", FORMAT_VERSION + 1)
    path.write_bytes(data)
    with pytest.raises(ModelFormatError, match="format version 2, this yomi reads version 1"):
        open_arrays(path, "test")


def test_a_missing_file_and_a_folder(tmp_path):
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(ModelFormatError, match="cannot read"):
            open_arrays(path, "test")


def test_arrays_that_cannot_be_stored(path):
    for array in (np.array(["text"]), np.zeros((4, 4))[:, 1], np.zeros(3, ">f8")):
        with pytest.raises(TypeError, match="cannot store"):
            write_arrays(path, "test", {"x": array}, {})
    open_arrays(path, "test", verify=True)


def test_pattern_models(tmp_path):
    path = tmp_path / "patterns.yomi"
    keys = np.zeros(32, np.uint32)
    numbers = [np.uint64(7 << 40 | n * 0x10000001) for n in range(20)]
    slots = [claim_slot(keys, key) for key in numbers]
    values = np.arange(64, dtype=np.int16).reshape(32, 2)
    knowledge = PatternKnowledge(keys, values, np.ones((3, 2)), 0.5)
    write_patterns(path, PatternModel(knowledge, {"games": 200}))
    found, manifest = read_patterns(path, verify=True)
    assert [find_slot(found.keys, key) for key in numbers] == slots
    np.testing.assert_array_equal(found.values, values)
    np.testing.assert_array_equal(found.evidence, np.ones((3, 2)))
    assert found.beta_squared == 0.5
    versions = {"key_version": PATTERN_KEY_VERSION, "value_version": VALUE_VERSION}
    assert manifest == {"games": 200, "beta_squared": 0.5, **versions}
    summary = json.loads((tmp_path / "patterns.yomi.MANIFEST").read_text())
    assert summary == {
        "file": "patterns.yomi",
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "format_version": FORMAT_VERSION,
        "games": 200,
        "beta_squared": 0.5,
        **versions,
    }
    write_arrays(path, "patterns", {}, {**versions, "key_version": PATTERN_KEY_VERSION + 1})
    with pytest.raises(ModelFormatError, match=r"pattern keys of version \d+, this yomi computes"):
        read_patterns(path)
    for older in ({}, {"nested": [4, 7, 10]}, {"value_version": VALUE_VERSION - 1}):
        write_arrays(path, "patterns", {}, {"key_version": PATTERN_KEY_VERSION, **older})
        with pytest.raises(ModelFormatError, match=r"values of version .*; train it again"):
            read_patterns(path)
