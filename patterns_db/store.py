"""Table files: named arrays and a manifest, versioned, memory-mapped, written atomically.

    bytes 0-7    MAGIC
    8-11         FORMAT_VERSION                  little-endian, as everything
    12-15        length of the header
    16-47        SHA-256 of the header
    48-          the header, JSON: kind, size of the whole file, SHA-256 of what follows the header,
                 dtype, shape and offset of each array, and the manifest
    then         the arrays, each at a multiple of ALIGNMENT

Opening reads the header only; the arrays are mapped copy-on-write, so that processes share one
copy in memory and kernels see ordinary writable arrays (one signature). Beside a table stands its
manifest in readable form, ``FILE.MANIFEST``.
"""

import hashlib
import json
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.errors import ModelFormatError
from engine.patterns.hashing import PATTERN_KEY_VERSION
from engine.patterns.valuing import PatternKnowledge
from patterns_db.whole_files import whole_file, write_whole

MAGIC = b"\x89yomi\r\n\x1a"  # shows a transfer as text, as PNG's does
FORMAT_VERSION = 1
VALUE_VERSION = 3  # of pattern models: a class's value is stored whole, not in parts to add up
ALIGNMENT = 64  # a cache line
_START = struct.Struct("<8sII32s")
_PATTERNS = "patterns"  # kind of the files of pattern models
_DTYPES = {"<u4", "<i2", "<f8", "<f4", "<i8", "<u8", "|u1", "|b1"}

Arrays = Mapping[str, npt.NDArray[Any]]
Manifest = dict[str, Any]


class StoredArrays(NamedTuple):
    """What a file holds: its arrays by name (copy-on-write maps) and its manifest."""

    arrays: dict[str, npt.NDArray[Any]]
    manifest: Manifest


class PatternModel(NamedTuple):
    """A trained pattern model, and the games that it learned from and how."""

    knowledge: PatternKnowledge
    manifest: Manifest


def _padding(offset: int) -> int:
    return -offset % ALIGNMENT


def write_arrays(path: Path, kind: str, arrays: Arrays, manifest: Manifest) -> str:
    """Write a file atomically; return the SHA-256 of all its bytes, in hexadecimal.

    kind      what the file is for, "patterns" for example; ``open_arrays`` asks for it
    arrays    C-contiguous, of plain numbers; names are kept
    manifest  what can be said in JSON: games used and how they were used
    """
    entries: dict[str, Manifest] = {}
    # Two sums: one of the content to verify a file, one of all bytes for its MANIFEST.
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
    # Sorted keys: the same tables make the same file, byte for byte.
    text = json.dumps(header, sort_keys=True).encode()
    # JSON may end in spaces: with them the arrays begin at a multiple of ALIGNMENT.
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


def open_arrays(path: Path, kind: str, *, verify: bool = False) -> StoredArrays:
    """Map a file's arrays; changes to them stay private and are not written back.

    verify  read everything and compare it with the checksum (some 30 ms for 48 MB)
    Raises ModelFormatError when the file is missing, not ours, of another version or kind,
    truncated, or damaged as far as it was looked at.
    """
    try:
        with path.open("rb") as file:
            header, start = _read_header(path, file, kind)
        # The size alone tells a truncated file without reading 46 MB.
        found = path.stat().st_size
        expected = start + header["content_bytes"]
        if found != expected:
            raise ModelFormatError(f"{path}: truncated or damaged: {found} bytes, not {expected}")
        content: Any = np.zeros(0, np.uint8)
        if header["content_bytes"]:  # nothing cannot be mapped
            # Copy-on-write: a read-only map has a type of its own, for which every kernel would be
            # compiled again.
            content = np.asarray(np.memmap(path, np.uint8, "c", start))
    except OSError as error:
        raise ModelFormatError(f"{path}: cannot read: {error.strerror}") from None
    if verify and hashlib.sha256(content).hexdigest() != header["content_sha256"]:
        raise ModelFormatError(f"{path}: damaged: its content does not match its checksum")
    arrays = {name: _view(content, entry) for name, entry in header["arrays"].items()}
    return StoredArrays(arrays, header["manifest"])


def _read_header(path: Path, file: BinaryIO, kind: str) -> tuple[Manifest, int]:
    """Return the header and where the arrays start; ModelFormatError says what is wrong."""
    raw = file.read(_START.size)
    if not raw.startswith(MAGIC) or len(raw) < _START.size:
        raise ModelFormatError(f"{path}: not a table file of yomi")
    _, version, length, digest = _START.unpack(raw)
    if version != FORMAT_VERSION:
        raise ModelFormatError(
            f"{path}: format version {version}, this yomi reads version {FORMAT_VERSION}"
        )
    text = file.read(length)
    # Before it is parsed: no error of JSON has to be told apart from damage.
    if len(text) < length or hashlib.sha256(text).digest() != digest:
        raise ModelFormatError(f"{path}: truncated or damaged: its header is not whole")
    header: Manifest = json.loads(text)
    if header["kind"] != kind:
        raise ModelFormatError(f"{path}: holds {header['kind']}, not {kind}")
    return header, _START.size + length


def _view(content: npt.NDArray[np.uint8], entry: Manifest) -> npt.NDArray[Any]:
    dtype, shape = np.dtype(entry["dtype"]), tuple(entry["shape"])
    size = math.prod(shape) * dtype.itemsize
    return content[entry["offset"] : entry["offset"] + size].view(dtype).reshape(shape)


def write_table(path: Path, kind: str, arrays: Arrays, manifest: Manifest) -> None:
    """Write arrays (``write_arrays``) and, beside them, their manifest: ``FILE.MANIFEST``."""
    digest = write_arrays(path, kind, arrays, manifest)
    summary = {"file": path.name, "sha256": digest, "format_version": FORMAT_VERSION, **manifest}
    text = json.dumps(summary, indent=2).encode() + b"\n"
    write_whole(path.with_name(path.name + ".MANIFEST"), text)


def write_patterns(path: Path, model: PatternModel) -> None:
    """Write a pattern model; ``write_table``."""
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


def require_version(path: Path, manifest: Manifest, name: str, mine: int, what: str) -> None:
    """Raise ModelFormatError when a table was made with another version of what is computed.

    name  of the version in the manifest
    what  is computed, in words
    """
    version = manifest.get(name)
    if version != mine:
        raise ModelFormatError(
            f"{path}: {what} of version {version}, this yomi computes version {mine}"
        )


def read_patterns(path: Path, *, verify: bool = False) -> PatternModel:
    """Map a pattern model whose keys and values are those that the engine reads.

    Raises ModelFormatError, see ``open_arrays``.
    """
    arrays, manifest = open_arrays(path, _PATTERNS, verify=verify)
    require_version(path, manifest, "key_version", PATTERN_KEY_VERSION, "pattern keys")
    version = manifest.get("value_version")
    if version != VALUE_VERSION:
        raise ModelFormatError(
            f"{path}: values of version {version}, this yomi reads {VALUE_VERSION}; train it again"
        )
    beta_squared = float(manifest["beta_squared"])
    knowledge = PatternKnowledge(arrays["keys"], arrays["values"], arrays["evidence"], beta_squared)
    return PatternModel(knowledge, manifest)
