"""The game files in a file or archive: each as SGF or as the error that skipped it.

Archives may come from anywhere. A member is skipped with a reason if it is unreadable or unlike any
real game file. It costs no other member.
"""

import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from engine.errors import SgfError

_TYGEM = (".gib", ".ngf")
GAME_SUFFIXES = (".sgf", *_TYGEM)
TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2")


class MemberLimits(NamedTuple):
    """Sizes of files and archives that are read [bytes]."""

    # Of one SGF file: the largest collections in use have a tenth of it
    max_bytes: int = 256 << 20
    # Bytes of a file name: systems allow 255, and reviews add a few
    max_name: int = 200
    # An archive that unpacks to more was made to fill memory or time. SGF shrinks to a tenth.
    most_unpacked: int = 200  # times its size
    always_unpacked: int = 64 << 20  # bytes


LIMITS = MemberLimits()

_ZIP_ENCRYPTED = 0x1

# Errors of the standard library for damaged or handmade archives.
ARCHIVE_ERRORS = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    NotImplementedError,  # a zip compression that Python lacks
    ValueError,  # a negative size; a name in no known encoding
    LookupError,
    OverflowError,
    SgfError,
)


class Member(NamedTuple):
    """An SGF file."""

    source: str  # its name within the archive, or that of the file
    data: bytes | SgfError  # its bytes, or the error that skipped it
    done: int  # bytes read so far from the containing file


def read_members(path: Path, name: str) -> Iterator[Member]:
    """Yield every SGF file in a file. ``name`` is the source of a file that is not an archive.

    Raises one of ARCHIVE_ERRORS when the file cannot be read completely.
    """
    size = _regular_size(path)
    if path.name.lower().endswith(TAR_SUFFIXES):
        yield from _read_tar(path, size)
    elif path.suffix.lower() == ".zip":
        yield from _read_zip(path, size)
    elif fault := _fault_of(path.suffix, size):
        raise SgfError(fault)
    else:
        yield Member(name, path.read_bytes(), size)


def record_bytes(path: Path) -> bytes:
    """Return the content of a game file. It may come through a pipe.

    Raises SgfError for another format, and when it is too large, as a device that never ends is;
    OSError.
    """
    with path.open("rb") as file:
        data = file.read(LIMITS.max_bytes + 1)
    if fault := _fault_of(path.suffix, len(data)):
        raise SgfError(f"{path}: {fault}")
    return data


def _regular_size(path: Path) -> int:
    """Return a file's size. Raises SgfError for a pipe or device, as reading it may never end."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise SgfError("not a regular file")
    return status.st_size


def _read_tar(path: Path, size: int) -> Iterator[Member]:
    allowance = max(LIMITS.always_unpacked, LIMITS.most_unpacked * size)
    with path.open("rb") as raw, tarfile.open(fileobj=raw, mode="r:*") as tar:
        # Members are read in order. getmembers would unpack a compressed archive first.
        for member in tar:
            # Skipping a member unpacks it, too. A sparse member takes less room in the archive.
            allowance -= 0 if member.issparse() else max(member.size, 0)
            if allowance < 0:
                raise SgfError(f"unpacks to more than {LIMITS.most_unpacked} times its size")
            if not is_game_file(member.name) or member.isdir():
                continue
            fault = _fault_of(member.name, member.size)
            # A link is not followed, even to a member: for each one, a compressed archive would be
            # unpacked again from its beginning.
            if not member.isreg():
                fault = "a link or device, not a file"
            elif member.issparse():
                fault = "a sparse file"
            if fault:
                yield Member(member.name, SgfError(fault), raw.tell())
                continue
            content = tar.extractfile(member)
            if content is not None:
                # These are compressed bytes, as in the file's size, not those of the game.
                yield Member(member.name, content.read(), raw.tell())


def _read_zip(path: Path, size: int) -> Iterator[Member]:
    allowance = max(LIMITS.always_unpacked, LIMITS.most_unpacked * size)
    done = 0
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            if not is_game_file(entry.filename):
                continue
            done += entry.compress_size
            fault = _fault_of(entry.filename, entry.file_size)
            if stat.S_ISLNK(entry.external_attr >> 16):
                fault = "a link or device, not a file"
            elif entry.flag_bits & _ZIP_ENCRYPTED:
                fault = "encrypted"
            data: bytes | SgfError = SgfError(fault)
            if not fault:
                # Entries may share their compressed bytes.
                allowance -= entry.file_size
                if allowance < 0:
                    raise SgfError(f"unpacks to more than {LIMITS.most_unpacked} times its size")
                try:
                    data = archive.read(entry)
                except ARCHIVE_ERRORS as error:
                    data = SgfError(str(error) or type(error).__name__)
            yield Member(entry.filename, data, min(done, size))


def is_game_file(name: str, suffixes: tuple[str, ...] = GAME_SUFFIXES) -> bool:
    """Return whether a file in an archive or folder is a game. Hidden files (of macOS) are not."""
    base = name.rpartition("/")[2]
    return base.lower().endswith(suffixes) and not base.startswith(".")


def _fault_of(name: str, size: int) -> str:
    """Return the fault of a member by its name and size, or "" without one."""
    if name.lower().endswith(_TYGEM):
        return "a record of Tygem; Sabaki can open it and save it as SGF"
    if size > LIMITS.max_bytes:
        return f"larger than {LIMITS.max_bytes >> 20} MiB"
    if any(len(part.encode("utf-8", "replace")) > LIMITS.max_name for part in name.split("/")):
        return f"its name is longer than {LIMITS.max_name} bytes"
    return ""
