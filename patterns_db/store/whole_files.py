"""Atomic writes: a file is complete or missing, however the writing process ends.

The new content goes to a separate file, reaches the disk, and then replaces the old file. One
process writes a file at a time; the others wait. During the write a file ``.NAME.lock`` exists next
to it.
"""

import errno
import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

if os.name == "posix":
    import fcntl

WAIT_SECONDS = 60.0  # for another writer of the same file
_POLL_SECONDS = 0.005
# O_BINARY exists on Windows alone, and the others do not.
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_NEW |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_LONGEST = 200  # bytes of a file's name that its companions keep: a name may have 255


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically. See ``whole_file``."""
    with whole_file(path) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces ``path`` when it is complete on disk.

    If anything fails before, ``path`` is unchanged and the new file is removed. After a kill it
    remains until the next writer of ``path`` removes it. The permissions of an old file are kept.
    Raises OSError, also if ``path`` is write-protected, a link, a folder, a pipe or a device.
    """
    mode = _mode_of(path)
    # The new file is next to the old one, not in the system's folder of temporary files: a rename
    # is atomic only within a file system. Its name cannot be predicted, so that nobody can create
    # it first in a folder that others may write to.
    part = path.with_name(f"{_companion(path)}.{secrets.token_hex(8)}.part")
    with _alone(path, part):
        descriptor = _open_for(path, part, _NEW)
        try:
            with os.fdopen(descriptor, "wb") as file:
                if mode is not None and os.name == "posix":
                    os.fchmod(descriptor, mode)
                yield file
                file.flush()
                os.fsync(descriptor)  # otherwise a rename may reach the disk before the content
            part.replace(path)
        except BaseException as error:  # including Ctrl-C
            part.unlink(missing_ok=True)
            if isinstance(error, OSError) and error.filename is None:  # of a write to a full disk
                error.filename = str(path)
            raise
    _sync_folder(path.parent)


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
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
    raise OSError(errno.EINVAL, "a device or pipe is not replaced; name a file", str(path))


def _companion(path: Path) -> str:
    """Return the beginning of the names of a file's lock and parts."""
    return "." + os.fsdecode(os.fsencode(path.name)[:_LONGEST])


def _open_for(path: Path, companion: Path, flags: int) -> int:
    """Open an auxiliary file. Errors name the file to be written."""
    try:
        return os.open(companion, flags, 0o666)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


@contextmanager
def _alone(path: Path, part: Path) -> Iterator[None]:
    """Lock a file against other writers, waiting for them. Remove the part left by a kill.

    part  the new content, next to ``path``
    Raises OSError when another process writes for longer than WAIT_SECONDS.
    """
    if os.name != "posix":  # unique names alone keep files complete
        yield
        return
    lock = path.with_name(f"{_companion(path)}.lock")
    descriptor = _lock(path, lock)
    try:
        # The lock file names the part being written, so that it can be found after a kill.
        left = os.fsdecode(os.read(descriptor, 1024))
        if left.startswith(f"{_companion(path)}.") and left.endswith(".part") and "/" not in left:
            path.with_name(left).unlink(missing_ok=True)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, os.fsencode(part.name), 0)
        yield
    finally:
        # It is removed while still locked, so that waiting processes see that it is gone.
        with suppress(OSError):
            lock.unlink()
        os.close(descriptor)


def _lock(path: Path, lock: Path) -> int:
    """Return the descriptor of a file's lock, which we hold until it is closed."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        descriptor = _open_for(path, lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(errno.EINVAL, f"{lock.name} beside it is not a lock", str(path))
            while not _try_lock(descriptor):
                if time.monotonic() > deadline:
                    raise OSError(errno.EBUSY, "another process is writing this file", str(path))
                time.sleep(_POLL_SECONDS)
            # Its last owner may have removed it. Then it locks nothing.
            if os.fstat(descriptor).st_nlink > 0:
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # the file system has no locks: unique names alone keep files complete
    return True


def _sync_folder(folder: Path) -> None:
    """Make a rename durable, on systems that can open folders."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
