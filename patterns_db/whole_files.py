"""Files that are whole or not there at all, whatever ends the process that writes them.

The new content goes to a file of its own, reaches the disk, and only then takes the old one's
name. One process writes a file at a time.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, all or nothing; see ``whole_file``."""
    with whole_file(path) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that takes the place of ``path`` when it is complete on disk.

    If anything fails before, ``path`` is as it was and the new file is gone (after a kill: left
    as ``.NAME.part``, which the next attempt overwrites). Raises OSError.
    """
    # Beside the old file, not in the system's folder of temporary files: a rename is one step
    # only within a file system. Its name is fixed, so that kills do not litter a folder with
    # checkpoints of hundreds of megabytes.
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # a rename may reach the disk before the content does
        part.replace(path)
    except BaseException:  # Ctrl-C too
        part.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable, where folders can be opened at all."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
