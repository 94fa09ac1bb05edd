"""patterns_db.store.table_files: round trips, damage, atomic writing."""

import hashlib
import json
import os
import struct
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import ModelFormatError, YomiError
from engine.jit import kernel
from engine.patterns.hashing import PATTERN_KEY_VERSION
from engine.patterns.table import claim_slot, find_slot
from engine.patterns.valuing import EVIDENCE_ROWS, PatternKnowledge
from patterns_db import shipped
from patterns_db.patterns.added_tables import read_context, read_responses, read_trees
from patterns_db.people.table import read_people
from patterns_db.search_tables.calibration_table import read_calibration
from patterns_db.solvers.solver_priors import read_prior_table
from patterns_db.solvers.solver_tables import read_life_weights
from patterns_db.store import table_files
from patterns_db.store.table_files import (
    FORMAT_VERSION,
    MAGIC,
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
    arrays, manifest = open_arrays(path, "test")
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
        open_arrays(path, "test")


def header_of(path):
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[48 : 48 + length]), data[48 + length :]


def craft(path, header, content):
    """Write a file with correct checksums and any header."""
    text = (header if isinstance(header, str) else json.dumps(header)).encode()
    text += b" " * (-(48 + len(text)) % 64)
    start = struct.pack("<8sII32s", MAGIC, FORMAT_VERSION, len(text), hashlib.sha256(text).digest())
    path.write_bytes(start + text + content)


CRAFTED = [
    *({"shape": shape} for shape in ([2**40], [-1], [2**63, 2**63], [1.5], ["7"], 7, None, [True])),
    {"shape": [1] * 9},
    *({"offset": offset} for offset in (2**40, -64, 1, 1.0, None, "0")),
    *({"dtype": dtype} for dtype in ("|O", "<c16", "<f8,<f8", "|V1000", 8, None, [])),
]


@pytest.mark.parametrize("change", CRAFTED)
def test_crafted_arrays_are_refused(path, change):
    header, content = header_of(path)
    header["arrays"]["keys"].update(change)
    craft(path, header, content)
    with pytest.raises(ModelFormatError, match="its header was not written by yomi"):
        open_arrays(path, "test")


@pytest.mark.parametrize("name", ["kind", "manifest", "arrays", "content_bytes", "content_sha256"])
@pytest.mark.parametrize("value", [None, [], "x", -1])
def test_crafted_headers_are_refused(path, name, value):
    header, content = header_of(path)
    craft(path, {**header, name: value}, content)
    with pytest.raises(ModelFormatError):
        open_arrays(path, "test")
    del header[name]
    craft(path, header, content)
    with pytest.raises(ModelFormatError):
        open_arrays(path, "test")


@pytest.mark.parametrize("text", ["", "[]", "7", "{", "[" * 100_000, '{"arrays": {"x": 1}}'])
def test_headers_that_are_none(path, text):
    craft(path, text, b"")
    with pytest.raises(ModelFormatError, match="its header was not written by yomi"):
        open_arrays(path, "test")


def test_a_file_is_verified_once_and_again_when_it_changes(path, monkeypatch):
    sizes = []
    real = hashlib.sha256

    def counting(data=b""):
        sizes.append(len(data))
        return real(data)

    monkeypatch.setattr(table_files.hashlib, "sha256", counting)
    _, content = header_of(path)
    for _ in range(3):
        open_arrays(path, "test")
    assert sizes.count(len(content)) == 1
    data = bytearray(path.read_bytes())
    data[-60] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(0, 0))
    for _ in range(2):
        with pytest.raises(ModelFormatError, match="damaged: its content"):
            open_arrays(path, "test")


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFormatError, match="not a table file"):
        open_arrays(tmp_path / "pipe", "test")


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
    open_arrays(path, "test")


SOUND = {
    "keys": np.zeros(32, np.uint32),
    "values": np.zeros((32, 2), np.int16),
    "evidence": np.ones((EVIDENCE_ROWS, 2)),
}


@pytest.mark.parametrize(
    "change",
    [
        {"values": np.zeros((31, 2), np.int16)},
        {"values": np.zeros((32, 3), np.int16)},
        {"values": np.zeros(64, np.int16)},
        {"values": np.zeros((32, 2), np.float32)},
        {"keys": np.zeros(0, np.uint32), "values": np.zeros((0, 2), np.int16)},
        {"keys": np.zeros(32, np.int64)},
        {"evidence": np.ones((EVIDENCE_ROWS - 1, 2))},
        {"evidence": np.full((EVIDENCE_ROWS, 2), np.nan)},
        {"evidence": np.full((EVIDENCE_ROWS, 2), np.inf)},
        {"evidence": np.full((EVIDENCE_ROWS, 2), -1.0)},
        {"more": np.zeros(3)},
        {"keys": None},
    ],
)
def test_pattern_models_that_kernels_would_read_out_of_bounds(tmp_path, change):
    path = tmp_path / "x.table"
    versions = {"key_version": PATTERN_KEY_VERSION, "value_version": VALUE_VERSION}
    manifest = {**versions, "beta_squared": 2.0}
    write_arrays(path, "patterns", SOUND, manifest)
    read_patterns(path)
    arrays = {name: array for name, array in {**SOUND, **change}.items() if array is not None}
    write_arrays(path, "patterns", arrays, manifest)
    with pytest.raises(ModelFormatError) as caught:
        read_patterns(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    for beta_squared in (None, "2", 0.0, -1.0, float("nan"), float("inf"), True):
        write_arrays(path, "patterns", SOUND, {**versions, "beta_squared": beta_squared})
        with pytest.raises(ModelFormatError, match="its beta_squared is not a positive number"):
            read_patterns(path)


def test_pattern_models(tmp_path):
    path = tmp_path / "patterns.yomi"
    keys = np.zeros(32, np.uint32)
    numbers = [np.uint64(7 << 40 | n * 0x10000001) for n in range(20)]
    slots = [claim_slot(keys, key) for key in numbers]
    values = np.arange(64, dtype=np.int16).reshape(32, 2)
    knowledge = PatternKnowledge(keys, values, np.ones((EVIDENCE_ROWS, 2)), 0.5)
    write_patterns(path, PatternModel(knowledge, {"games": 200}))
    found, manifest = read_patterns(path)
    assert [find_slot(found.keys, key) for key in numbers] == slots
    np.testing.assert_array_equal(found.values, values)
    np.testing.assert_array_equal(found.evidence, np.ones((EVIDENCE_ROWS, 2)))
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
    with pytest.raises(ModelFormatError, match=r"key_version \d+, this yomi reads"):
        read_patterns(path)
    for older in ({}, {"nested": [4, 7, 10]}, {"value_version": VALUE_VERSION - 1}):
        write_arrays(path, "patterns", {}, {"key_version": PATTERN_KEY_VERSION, **older})
        with pytest.raises(ModelFormatError, match=r"value_version .*; train it again"):
            read_patterns(path)


READERS = {
    shipped.ROLLOUT_TABLE: shipped.read_rollout_beliefs,
    shipped.PATTERN_TABLE: read_patterns,
    shipped.CONTEXT_TABLE: read_context,
    shipped.TREE_TABLE: read_trees,
    shipped.RESPONSE_TABLE: read_responses,
    shipped.SOLVER_TABLE: read_prior_table,
    shipped.LIFE_TABLE: read_life_weights,
    shipped.CALIBRATION_TABLE: read_calibration,
    shipped.PEOPLE_TABLE: read_people,
}


@pytest.mark.parametrize("flips", [3, pytest.param(100, marks=pytest.mark.long)])
@pytest.mark.parametrize("table", READERS, ids=lambda table: table.name)
def test_every_flipped_bit_is_noticed(table, flips, tmp_path):
    random, copy = Random(1), tmp_path / "copy.table"
    data = bytearray(table.read_bytes())
    for _ in range(flips):
        place, bit = random.randrange(len(data)), 1 << random.randrange(8)
        data[place] ^= bit
        # A new file each time, as replacing a table by rename makes one.
        copy.unlink(missing_ok=True)
        copy.write_bytes(data)
        data[place] ^= bit
        with pytest.raises(YomiError):
            READERS[table](copy)


@pytest.mark.parametrize("table", READERS, ids=lambda table: table.stem)
@pytest.mark.parametrize("shape", [[0, 2**70], [2**62, 0], [2**40, 0, 2**40], [0, 1]])
def test_a_shape_that_no_array_has_is_one_error(table, shape, tmp_path):
    copy = tmp_path / "copy.table"
    copy.write_bytes(table.read_bytes())
    header, content = header_of(copy)
    first = next(iter(header["arrays"]))
    header["arrays"][first]["shape"] = shape
    craft(copy, header, content)
    with pytest.raises(ModelFormatError) as caught:
        READERS[table](copy)
    assert str(caught.value).startswith(str(copy))
    assert "\n" not in str(caught.value)
