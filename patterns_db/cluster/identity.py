"""The identity of a yomi: processes with the same identity compute the same results."""

import hashlib
from functools import cache
from pathlib import Path

from patterns_db.printing import program_version

_ROOT = Path(__file__).resolve().parents[2]


@cache
def identity() -> str:
    """Return the version, and a digest of the sources of all computing code and of its tables."""
    digest = hashlib.sha256()
    # Many states of the sources between two releases have the same version.
    packages = ("engine/**/*.py", "patterns_db/**/*.py", "gtp/**/*.py")
    for pattern in (*packages, "patterns_db/tables/*.table"):
        for path in sorted(_ROOT.glob(pattern)):
            digest.update(path.relative_to(_ROOT).as_posix().encode())
            # The length is fixed, so that the end of a file cannot be taken for the start of the
            # next.
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{program_version()}, sources and tables {digest.hexdigest()[:8]}"
