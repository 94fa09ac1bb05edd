"""Atomic writes: a file is complete or missing, however the writing process ends.

The new content goes to a file without a name, reaches the disk, gets a name that nobody else has,
and then replaces the old file. No other file is touched. Of several writers the last one wins.
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

# O_BINARY exists on Windows alone, and the others do not.
_PLAIN = os.O_WRONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NEW = _PLAIN | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
# Linux removes a file without a name when the process ends, even by a kill.
_NAMELESS = getattr(os, "O_TMPFILE", 0) if os.path.isdir("/proc/self/fd") else 0


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically. See ``whole_file``."""
    with whole_file(path) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces ``path`` when it is complete on disk.

    If anything fails before, ``path`` is unchanged and the new file is removed. After a kill a file
    ``.yomi-HEX.part`` remains on systems other than Linux. The permissions of an old file are kept.
    Raises OSError, also if ``path`` is write-protected, a link, a folder, a pipe or a device.
    """
    mode = _mode_of(path)
    # The new file is next to the old one, not in the system's folder of temporary files: a rename
    # is atomic only within a file system. Its name cannot be predicted, so that nobody can create
    # it first in a folder that others may write to, and is short, since that of ``path`` may be
    # as long as names can be.
    part = path.with_name(f".yomi-{secrets.token_hex(8)}.part")
    descriptor, named = _open_new(path, part)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None and os.name == "posix":
                os.fchmod(descriptor, mode)
            yield file
            file.flush()
            os.fsync(descriptor)  # otherwise a rename may reach the disk before the content
            if not named:
                # With src_dir_fd, which an absolute path ignores, the link in /proc is followed.
                os.link(f"/proc/self/fd/{descriptor}", part, src_dir_fd=descriptor)
                named = True
        part.replace(path)
    except BaseException as error:  # including Ctrl-C
        if named:
            part.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:  # of a write to a full disk
            error.filename = str(path)
        raise
    _sync_folder(path.parent)


def require_writable(path: Path, folder: Path) -> None:
    """Check that ``whole_file`` can write a file whose folder is, or will be made in, ``folder``.

    Raises OSError.
    """
    _mode_of(path)
    # Only a trial is certain: a file system may be read-only.
    part = folder / f".yomi-{secrets.token_hex(8)}.part"
    descriptor, named = _open_new(path, part)
    os.close(descriptor)
    if named:
        part.unlink()


def _mode_of(path: Path) -> int | None:
    """Return the permissions of the file to replace, or None if there is none yet."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISREG(mode):
        # A rename would replace it: that needs rights in the folder alone.
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "this file is write-protected", str(path))
        return stat.S_IMODE(mode) & 0o777
    if stat.S_ISLNK(mode):
        raise OSError(errno.ELOOP, "a link is not replaced; name the file itself", str(path))
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "this is a folder, not a file", str(path))
    raise OSError(errno.EINVAL, "a device or pipe is not replaced; name a file", str(path))


def _open_new(path: Path, part: Path) -> tuple[int, bool]:
    """Return the descriptor of a new file next to ``part``, and whether it has that name.

    Errors name ``path``, the file to be written.
    """
    try:
        if _NAMELESS:
            return os.open(part.parent, _PLAIN | _NAMELESS, 0o666), False
    except OSError:  # not every file system has files without names
        pass
    try:
        return os.open(part, _NEW, 0o666), True
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _sync_folder(folder: Path) -> None:
    """Make a rename durable, on systems that can open folders."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
