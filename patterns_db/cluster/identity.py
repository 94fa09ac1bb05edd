"""Which yomi a process runs: two that compute the same have the same identity."""

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


@cache
def identity() -> str:
    """Return the version, and a digest of the sources of all that computes and of its tables."""
    try:
        program = version("yomi-go")
    except PackageNotFoundError:
        program = "not installed"
    digest = hashlib.sha256()
    # Between two releases there are many versions of one number.
    packages = ("engine/**/*.py", "patterns_db/**/*.py", "gtp/**/*.py")
    for pattern in (*packages, "patterns_db/tables/*.table"):
        for path in sorted(_ROOT.glob(pattern)):
            digest.update(path.relative_to(_ROOT).as_posix().encode())
            # Of fixed length: no end of one file can be taken for the beginning of the next.
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{program}, sources and tables {digest.hexdigest()[:8]}"
