"""Which yomi a process runs: two that compute the same have the same identity."""

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


@cache
def identity() -> str:
    """Return the version and a digest of the sources of all that computes."""
    try:
        program = version("yomi")
    except PackageNotFoundError:
        program = "not installed"
    digest = hashlib.sha256()
    # Between two releases there are many versions of one number.
    for package in ("engine", "patterns_db"):
        for path in sorted((_ROOT / package).rglob("*.py")):
            digest.update(path.relative_to(_ROOT).as_posix().encode())
            digest.update(path.read_bytes())
    return f"{program}, sources {digest.hexdigest()[:8]}"
