"""A process that reads two collections in two more, which never end; the tests kill it."""

import sys
import time
from pathlib import Path

from patterns_db.records import archive


def read(path: Path, file: Path) -> None:
    """Replace the archive's own function."""
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    time.sleep(600)


def main() -> None:
    """Begin to read."""
    archive._read_to_file = read
    archive.decode_paths([Path("one"), Path("two")], Path("nowhere"), 2)
