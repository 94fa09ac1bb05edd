"""Files that are whole or not there at all, whatever ends the process that writes them.

The new content goes to a file of its own, reaches the disk, and only then takes the old one's
name. One process writes a file at a time; the others wait. Beside the file ``.NAME.lock`` stands
for as long as it is written.
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
# O_BINARY is Windows' alone, the others are not.
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_NEW |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_LONGEST = 200  # bytes of a file's name that its companions keep: a name may have 255


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, all or nothing; see ``whole_file``."""
    with whole_file(path) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that takes the place of ``path`` when it is complete on disk.

    If anything fails before, ``path`` is as it was and the new file is gone (after a kill it is
    left, and the next writer of ``path`` removes it). The permissions of an old file are kept.
    Raises OSError, also where ``path`` is a link, a folder, a pipe or a device.
    """
    mode = _mode_of(path)
    # Beside the old file, not in the system's folder of temporary files: a rename is one step
    # only within a file system. A name that nobody can foresee, so that in a folder that others
    # may write to nobody can be there first.
    part = path.with_name(f"{_companion(path)}.{secrets.token_hex(8)}.part")
    with _alone(path, part):
        descriptor = _open_for(path, part, _NEW)
        try:
            with os.fdopen(descriptor, "wb") as file:
                if mode is not None and os.name == "posix":
                    os.fchmod(descriptor, mode)
                yield file
                file.flush()
                os.fsync(descriptor)  # a rename may reach the disk before the content does
            part.replace(path)
        except BaseException:  # Ctrl-C too
            part.unlink(missing_ok=True)
            raise
    _sync_folder(path.parent)


def _mode_of(path: Path) -> int | None:
    """Return the permissions of the file that is to be replaced; None where there is none yet."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISREG(mode):
        return stat.S_IMODE(mode) & 0o777
    if stat.S_ISLNK(mode):
        raise OSError(errno.ELOOP, "a link is not replaced; name the file itself", str(path))
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
    raise OSError(errno.EINVAL, "a device or pipe is not replaced; name a file", str(path))


def _companion(path: Path) -> str:
    """Return how the names of a file's lock and parts begin."""
    return "." + os.fsdecode(os.fsencode(path.name)[:_LONGEST])


def _open_for(path: Path, companion: Path, flags: int) -> int:
    """Open a file that helps to write another one, which errors name."""
    try:
        return os.open(companion, flags, 0o666)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


@contextmanager
def _alone(path: Path, part: Path) -> Iterator[None]:
    """Wait until nobody else writes a file, and keep others waiting; remove what a kill left.

    part  the new content, beside ``path``
    Raises OSError when somebody writes for longer than WAIT_SECONDS.
    """
    if os.name != "posix":  # unique names alone keep files whole
        yield
        return
    lock = path.with_name(f"{_companion(path)}.lock")
    descriptor = _lock(path, lock)
    try:
        # The lock file says what is being written, so a kill leaves a trace of its part.
        left = os.fsdecode(os.read(descriptor, 1024))
        if left.startswith(f"{_companion(path)}.") and left.endswith(".part") and "/" not in left:
            path.with_name(left).unlink(missing_ok=True)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, os.fsencode(part.name), 0)
        yield
    finally:
        # While it is still locked: then whoever waits for it sees that it is gone.
        with suppress(OSError):
            lock.unlink()
        os.close(descriptor)


def _lock(path: Path, lock: Path) -> int:
    """Return the descriptor of a file's lock, which is ours until it is closed."""
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
            # Its last owner may have removed it: then it keeps nobody out.
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
        return True  # a file system without locks: unique names alone keep files whole
    return True


def _sync_folder(folder: Path) -> None:
    """Make a rename durable, where folders can be opened at all."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
