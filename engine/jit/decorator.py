"""``@kernel``: numba's ``njit`` with the common options of all kernels of yomi."""

import contextlib
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
from numba.core import config

from engine.jit.folders import Cache, base_folder, linking_folder

F = TypeVar("F", bound=Callable[..., Any])

logger = logging.getLogger(__name__)

JIT_ENABLED: bool = not config.DISABLE_JIT

KERNELS: list[Any] = []
"""Every kernel made so far; a test asserts that each was compiled for one signature only."""

# Documented options only. A plain kernel has these alone, so any version of numba accepts it.
_OPTIONS = {"nogil": True, "error_model": "numpy"}


def _try_linking(folder: Path) -> Any:
    """Return the module that compiles faster by numba's internals, None if they have changed.

    folder  of the file that records a success, so that a warm start skips the test
    """
    try:
        # Imported here: the import itself fails if numba no longer has a name that it needs.
        from engine.jit import linking

        if not (folder / "works").exists():
            linking.probe(folder, **_OPTIONS)
            with contextlib.suppress(OSError):  # the next start tries again
                (folder / "works").touch()
    except Exception as error:  # an unknown numba may raise anything in our overrides
        logger.warning(
            "numba %s: kernels compile one by one, which takes longer (%s: %s)",
            numba.__version__, type(error).__name__, error,
        )  # fmt: skip
        return None
    return linking


CACHE: Cache | None = None
_LINKING: Any = None
if JIT_ENABLED:
    _FLAGS = (numba.__version__, sys.version_info[:3], config.BOUNDSCHECK, config.OPT)
    _BASE = base_folder()
    _LINKING_FOLDER = linking_folder(_BASE, _FLAGS)
    _LINKING = _try_linking(_LINKING_FOLDER)
    # Files of plain kernels and of programs are kept apart: only plain kernels can be compiled
    # into their callers.
    CACHE = Cache(_BASE, (*_FLAGS, _LINKING is not None))


def prune_cache() -> int:
    """Delete cache folders of other source versions; return how many were removed."""
    return 0 if CACHE is None else CACHE.prune(_LINKING_FOLDER)


@overload
def kernel(function: F, *, inlined: bool = False) -> Any: ...
@overload
def kernel(*, inlined: bool = False) -> Callable[[F], Any]: ...
def kernel(function: F | None = None, *, inlined: bool = False) -> Any:
    """Compile a function on first use, with the common options of all kernels of yomi.

    The GIL is released, the result is cached on disk, division by zero follows IEEE rules.
    A kernel creates no arrays; the only ones that it returns are arguments.
    inlined  True for functions called for every candidate: calling a small kernel can cost more
             than running it. Measure it: in roll-outs inlining made most kernels slower.
    """
    if function is None:
        return lambda f: kernel(f, inlined=inlined)
    if CACHE is None:
        compiled = numba.njit(**_OPTIONS)(function)
    elif _LINKING is None:
        compiled = _plain(function, CACHE.folder(function.__module__))
    else:
        folder = CACHE.folder(function.__module__)
        compiled = _LINKING.linked(function, folder, inlined=inlined, **_OPTIONS)
    KERNELS.append(compiled)
    return compiled


def _plain(function: Callable[..., Any], folder: Path) -> Any:
    """Return a kernel with numba's own cache, or without a cache if it cannot be written."""
    config.CACHE_DIR = str(folder)  # numba reads it while decorating
    try:
        return numba.njit(cache=True, **_OPTIONS)(function)
    except (OSError, RuntimeError):
        return numba.njit(**_OPTIONS)(function)
