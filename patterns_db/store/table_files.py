"""Table files: named arrays and a manifest, versioned, memory-mapped, written atomically.

    bytes 0-7    MAGIC
    8-11         FORMAT_VERSION                  all numbers are little-endian
    12-15        length of the header
    16-47        SHA-256 of the header
    48-          the header, JSON: kind, size of the whole file, SHA-256 of the bytes after it,
                 dtype, shape and offset of each array, and the manifest
    then         the arrays, each at a multiple of alignment

The arrays are mapped copy-on-write, so that processes share one copy in memory and kernels see
ordinary writable arrays (one signature). A file is verified before a process uses it. Its manifest
is also stored next to it in readable form, ``FILE.MANIFEST``.
"""

import hashlib
import json
import math
import os
import stat
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.errors import ModelFormatError
from engine.patterns.choice import VARIANCE
from engine.patterns.hashing import PATTERN_KEY_VERSION
from engine.patterns.valuing import EVIDENCE_ROWS, PatternKnowledge
from patterns_db.store.layouts import Layout, positive, require_layout, require_range
from patterns_db.store.whole_files import whole_file, write_whole

MAGIC = b"\x89yomi\r\n\x1a"  # shows whether a transfer was in text mode, like PNG's
FORMAT_VERSION = 1
VALUE_VERSION = 3  # of pattern models: a class's value is stored complete, not as a sum of parts


class TableLimits(NamedTuple):
    """Sizes of the files of tables."""

    alignment: int = 64  # a cache line
    # Bytes; the manifest of ten thousand collections is a tenth of it
    longest_header: int = 16 << 20
    most_axes: int = 8
    most_elements: int = 1 << 48


TABLE = TableLimits()

_VERIFIED: set[tuple[int, ...]] = set()  # device, inode, time and size of verified files
_START = struct.Struct("<8sII32s")
_PATTERNS = "patterns"  # kind of the files of pattern models
_PATTERN_LAYOUT: Layout = {
    "keys": ("<u4", ("slots",)),
    "values": ("<i2", ("slots", 2)),
    "evidence": ("<f8", ("rows", 2)),
}
_DTYPES = {"<u4", "<i2", "<f8", "<f4", "<i8", "<u8", "|u1", "|b1"}

Arrays = Mapping[str, npt.NDArray[Any]]
Manifest = dict[str, Any]


class StoredArrays(NamedTuple):
    """The content of a file: its arrays by name (copy-on-write maps) and its manifest."""

    arrays: dict[str, npt.NDArray[Any]]
    manifest: Manifest


class PatternModel(NamedTuple):
    """A trained pattern model, with its games and settings."""

    knowledge: PatternKnowledge
    manifest: Manifest


def _padding(offset: int) -> int:
    return -offset % TABLE.alignment


def write_arrays(path: Path, kind: str, arrays: Arrays, manifest: Manifest) -> str:
    """Write a file atomically. Return the SHA-256 of all its bytes, in hexadecimal.

    kind      purpose of the file, for example "patterns"; ``open_arrays`` checks it
    arrays    C-contiguous, of plain numbers; names are kept
    manifest  JSON values: the games and how they were used
    """
    entries: dict[str, Manifest] = {}
    # There are two checksums: one of the content to verify a file, one of all bytes for its
    # MANIFEST.
    content = hashlib.sha256()
    offset = 0  # relative to the first array
    for name, array in arrays.items():
        entries[name] = {"dtype": array.dtype.str, "shape": array.shape, "offset": offset}
        for piece in _pieces(array):
            content.update(piece)
            offset += len(piece)
    header = {
        "kind": kind,
        "content_bytes": offset,
        "content_sha256": content.hexdigest(),
        "arrays": entries,
        "manifest": manifest,
    }
    # Keys are sorted, so that equal tables make equal files, byte for byte.
    text = json.dumps(header, sort_keys=True).encode()
    # JSON may end in spaces, which let the arrays begin at a multiple of alignment.
    text += b" " * _padding(_START.size + len(text))
    start = _START.pack(MAGIC, FORMAT_VERSION, len(text), hashlib.sha256(text).digest())
    whole = hashlib.sha256()
    with whole_file(path) as file:
        for piece in (start, text, *(p for array in arrays.values() for p in _pieces(array))):
            whole.update(piece)
            file.write(piece)
    return whole.hexdigest()


def _pieces(array: npt.NDArray[Any]) -> tuple[memoryview, bytes]:
    """Return an array's bytes and the padding after them."""
    if array.dtype.str not in _DTYPES or not array.flags.c_contiguous:
        raise TypeError(f"cannot store this array: {array.dtype}, strides {array.strides}")
    return array.reshape(-1).view(np.uint8).data, b"\0" * _padding(array.nbytes)


def open_arrays(path: Path, kind: str) -> StoredArrays:
    """Map a file's arrays. Changes to them stay private and are not written back.

    Everything is read once and compared with the checksum (about 30 ms for 46 MB). This is not
    repeated in the same process for a file of the same inode, time and size. To replace a table,
    rename another one to its name. Changing or truncating a mapped file would change what players
    read, or crash them. Raises ModelFormatError when the file is missing, not ours, of another
    version or kind, truncated or damaged.
    """
    try:
        # The type is checked first: opening a pipe would wait for a writer.
        if not path.is_dir() and not stat.S_ISREG(path.stat().st_mode):
            raise ModelFormatError(f"{path}: not a table file of yomi")
        with path.open("rb") as file:
            header, start = _read_header(path, file, kind)
            status = os.fstat(file.fileno())
            expected = start + header["content_bytes"]
            if status.st_size != expected:
                raise ModelFormatError(
                    f"{path}: truncated or damaged: {status.st_size} bytes, not {expected}"
                )
            content: Any = np.zeros(0, np.uint8)
            if header["content_bytes"]:  # an empty file cannot be mapped
                # The map is copy-on-write. A read-only map has another type, for which every kernel
                # would be compiled again.
                content = np.asarray(np.memmap(file, np.uint8, "c", start))
    except OSError as error:
        raise ModelFormatError(f"{path}: cannot read: {error.strerror}") from None
    same = (status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size)
    if same not in _VERIFIED:
        if hashlib.sha256(content).hexdigest() != header["content_sha256"]:
            raise ModelFormatError(f"{path}: damaged: its content does not match its checksum")
        _VERIFIED.add(same)
    arrays = {name: _view(content, entry) for name, entry in header["arrays"].items()}
    return StoredArrays(arrays, header["manifest"])


def _read_header(path: Path, file: BinaryIO, kind: str) -> tuple[Manifest, int]:
    """Return the header and the start of the arrays. Raises ModelFormatError."""
    raw = file.read(_START.size)
    if not raw.startswith(MAGIC) or len(raw) < _START.size:
        raise ModelFormatError(f"{path}: not a table file of yomi")
    _, version, length, digest = _START.unpack(raw)
    if version != FORMAT_VERSION:
        raise ModelFormatError(
            f"{path}: format version {version}, this yomi reads version {FORMAT_VERSION}"
        )
    text = file.read(min(length, TABLE.longest_header + 1))
    # The checksum comes before parsing, so that JSON errors need not be told apart from damage.
    if len(text) != length or hashlib.sha256(text).digest() != digest:
        raise ModelFormatError(f"{path}: truncated or damaged: its header is incomplete")
    try:
        header: Manifest = json.loads(text)
        sound = _is_header(header, _START.size + length)
    except (ValueError, RecursionError, TypeError, AttributeError, KeyError):
        sound = False
    if not sound:
        raise ModelFormatError(f"{path}: its header was not written by yomi")
    if header["kind"] != kind:
        raise ModelFormatError(f"{path}: holds {header['kind']}, not {kind}")
    return header, _START.size + length


def _is_header(header: Manifest, start: int) -> bool:
    """Return whether a header has the form of ``write_arrays``, with its arrays within the content.

    Raises a Python error if a value has another type or is missing.
    start  of the content in the file
    """
    size, arrays = header["content_bytes"], header["arrays"]
    texts = isinstance(header["kind"], str) and isinstance(header["content_sha256"], str)
    if not texts or not isinstance(header["manifest"], dict):
        return False
    if type(size) is not int or size < 0 or start % TABLE.alignment:
        return False
    for entry in arrays.values():
        dtype, shape, offset = entry["dtype"], entry["shape"], entry["offset"]
        if dtype not in _DTYPES or len(shape) > TABLE.most_axes:
            return False
        if any(type(number) is not int or number < 0 for number in (*shape, offset)):
            return False
        if offset % TABLE.alignment or offset + math.prod(shape) * np.dtype(dtype).itemsize > size:
            return False
        # numpy multiplies the sizes that are not zero, also for an array without elements.
        if math.prod(filter(None, shape)) > TABLE.most_elements:
            return False
    return True


def _view(content: npt.NDArray[np.uint8], entry: Manifest) -> npt.NDArray[Any]:
    dtype, shape = np.dtype(entry["dtype"]), tuple(entry["shape"])
    size = math.prod(shape) * dtype.itemsize
    return content[entry["offset"] : entry["offset"] + size].view(dtype).reshape(shape)


def write_table(path: Path, kind: str, arrays: Arrays, manifest: Manifest) -> None:
    """Write arrays (``write_arrays``) and their manifest, ``FILE.MANIFEST``."""
    digest = write_arrays(path, kind, arrays, manifest)
    summary = {"file": path.name, "sha256": digest, "format_version": FORMAT_VERSION, **manifest}
    text = json.dumps(summary, indent=2).encode() + b"\n"
    write_whole(path.with_name(path.name + ".MANIFEST"), text)


class TableKind(NamedTuple):
    """A kind of tables, whose values belong to one version of a computation."""

    name: str  # of the kind, as ``write_arrays`` takes it
    version_name: str  # of the version in the manifest
    version: int  # of the computation
    values: str  # name of the computed values in messages
    layout: Layout

    def write(self, path: Path, arrays: Arrays, manifest: Manifest) -> None:
        """Write a table and its readable manifest."""
        write_table(path, self.name, arrays, {**manifest, self.version_name: self.version})

    def read(self, path: Path) -> StoredArrays:
        """Map a table. Raises ModelFormatError, see ``open_arrays``; also for another version."""
        stored = open_arrays(path, self.name)
        version = stored.manifest.get(self.version_name)
        if version != self.version:
            raise ModelFormatError(
                f"{path}: {self.values} of version {version}, this yomi reads {self.version}"
            )
        require_layout(path, stored.arrays, self.layout)
        return stored


def write_patterns(path: Path, model: PatternModel) -> None:
    """Write a pattern model. See ``write_table``."""
    arrays: Arrays = {
        "keys": model.knowledge.keys,
        "values": model.knowledge.values,
        "evidence": model.knowledge.evidence,
    }
    manifest = {
        **model.manifest,
        "beta_squared": model.knowledge.beta_squared,
        "key_version": PATTERN_KEY_VERSION,
        "value_version": VALUE_VERSION,
    }
    write_table(path, _PATTERNS, arrays, manifest)


def read_patterns(path: Path) -> PatternModel:
    """Map a pattern model, and check that this engine can read its keys and values.

    Raises ModelFormatError, see ``open_arrays``.
    """
    arrays, manifest = open_arrays(path, _PATTERNS)
    mine = {"key_version": PATTERN_KEY_VERSION, "value_version": VALUE_VERSION}
    for name, version in mine.items():
        if manifest.get(name) != version:
            raise ModelFormatError(
                f"{path}: {name} {manifest.get(name)}, this yomi reads {version}; train it again"
            )
    beta_squared = positive(path, manifest, "beta_squared")
    sizes = require_layout(path, arrays, _PATTERN_LAYOUT)
    # The paper's model has no classes of added evidence, only "no pattern class matches".
    if sizes["rows"] not in (1, EVIDENCE_ROWS) or sizes["slots"] == 0:
        raise ModelFormatError(
            f"{path}: {sizes['slots']} slots and {sizes['rows']} rows of evidence,"
            f" this yomi reads {EVIDENCE_ROWS} rows, or 1"
        )
    require_range(path, "the variance of evidence", arrays["evidence"][:, VARIANCE], 0.0)
    knowledge = PatternKnowledge(arrays["keys"], arrays["values"], arrays["evidence"], beta_squared)
    return PatternModel(knowledge, manifest)
