"""Child processes that import nothing of the folder in which yomi was started."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_SAFE = "PYTHONSAFEPATH"


@contextmanager
def safe_children() -> Iterator[None]:
    """Let Python's child processes, those of multiprocessing too, leave out the current folder."""
    before = os.environ.get(_SAFE)
    os.environ[_SAFE] = "1"
    try:
        yield
    finally:
        del os.environ[_SAFE]
        if before is not None:
            os.environ[_SAFE] = before
