"""The one door to numba: the ``@kernel`` decorator, its cache folder and the warm-up list.

Every compiled function of yomi is made by ``@kernel``, so that all of them share the same
options and the same cache. Only this file imports numba (a ruff rule says so).

numba does not notice an edit in a kernel that *another* file calls, nor a changed flag. So the
cache folder is named after a digest of all our kernel-bearing sources and of the flags in force:
an edit simply starts a fresh folder. This is the one place of the engine that opens files.
"""

import hashlib
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGES = ("engine", "patterns_db", "scripts")  # gtp has no kernels: it never computes

JIT_ENABLED: bool = not config.DISABLE_JIT

logger = logging.getLogger(__name__)


def _source_digest() -> str:
    """Return a digest of every source that a cached kernel may depend on, and of the flags."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    flags = (numba.__version__, sys.version_info[:3], config.BOUNDSCHECK, config.OPT)
    digest.update(repr(flags).encode())
    return digest.hexdigest()[:16]


def _cache_base() -> Path:
    """Return the user's cache folder for yomi (NUMBA_CACHE_DIR wins, then the platform's)."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return Path(named)
    if sys.platform == "win32" and "LOCALAPPDATA" in os.environ:
        return Path(os.environ["LOCALAPPDATA"]) / "yomi" / "cache"
    if sys.platform == "darwin":
        return Path("~/Library/Caches/yomi").expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "yomi"


def _writable_cache_folder() -> Path:
    """Create and return the cache folder; a read-only home falls back to the temporary folder."""
    name = _source_digest()
    user = f"yomi-{os.getuid()}" if hasattr(os, "getuid") else "yomi"
    for base in (_cache_base(), Path(tempfile.gettempdir()) / user):
        folder = base / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / f".probe-{os.getpid()}"
            probe.touch()
            probe.unlink()
        except OSError:
            continue
        return folder
    return Path(tempfile.mkdtemp(prefix="yomi-"))


CACHE_FOLDER: Path | None = _writable_cache_folder() if JIT_ENABLED else None
if CACHE_FOLDER is not None:
    config.CACHE_DIR = str(CACHE_FOLDER)

KERNELS: list[Any] = []
"""Every kernel made so far; a test asserts that each was compiled for one signature only."""


def kernel(function: F | None = None, *, allocates: bool = False) -> Any:
    """Compile a function on first use, with the options that all kernels of yomi share.

    The GIL is released, the result is cached on disk, division by zero follows IEEE rules.
    allocates  True for the few kernels that create arrays. The others are compiled without
               numba's reference counting, which costs a third of a playout's time.
    """
    if function is None:
        return lambda f: kernel(f, allocates=allocates)
    compiled = numba.njit(
        nogil=True, cache=True, error_model="numpy", _nrt=allocates or not JIT_ENABLED
    )(function)
    if JIT_ENABLED:
        _forget_literals(compiled)
    KERNELS.append(compiled)
    return compiled


def _forget_literals(compiled: Any) -> None:
    """Make a kernel that others call with a constant compile for its type, not for its value.

    Otherwise numba compiles ``f(x, 2)``, ``f(x, 3)`` and ``f(x, n)`` one by one.
    """
    find_template = compiled.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = {name: numba.types.unliteral(kind) for name, kind in kws.items()}
        return find_template([numba.types.unliteral(kind) for kind in args], plain)

    compiled.get_call_template = get_call_template


_WARM_UPS: dict[str, Callable[[], object]] = {}


def warm_up(name: str) -> Callable[[F], F]:
    """Register a function that calls a group of kernels once, so that they get compiled."""

    def register(function: F) -> F:
        _WARM_UPS[name] = function
        return function

    return register


def warm_up_names() -> list[str]:
    """Return the names of all registered kernel groups, in dependency order."""
    return list(_WARM_UPS)


def compile_all() -> Iterator[tuple[str, float]]:
    """Compile or load each registered group; yield its name and the seconds it took."""
    for name, function in _WARM_UPS.items():
        start = time.perf_counter()
        function()
        yield name, time.perf_counter() - start


def prune_cache() -> int:
    """Delete cache folders of other source versions; return how many were removed."""
    if CACHE_FOLDER is None:
        return 0
    removed = 0
    for folder in CACHE_FOLDER.parent.iterdir():
        if folder == CACHE_FOLDER or len(folder.name) != len(CACHE_FOLDER.name):
            continue
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
        folder.rmdir()
        removed += 1
    return removed
