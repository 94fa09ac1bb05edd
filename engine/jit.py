"""The one door to numba: the ``@kernel`` decorator, its cache folder and the warm-up list.

Every compiled function of yomi is made by ``@kernel``, so that all of them share the same
options and the same cache. Only this file imports numba (a ruff rule says so).

numba does not notice an edit in a kernel that *another* file calls, nor a changed flag. So the
cache folder is named after a digest of all our kernel-bearing sources and of the flags in force:
an edit simply starts a fresh folder. This is the one place of the engine that opens files.

A kernel that kernels call is a *part*, compiled once but left unoptimized. What Python calls is a
*program*: all its parts, linked, optimized together and made machine code (``_make_parts``). So
every further kernel that Python calls costs a cold start more than one that kernels call.
"""

import hashlib
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
from numba.core import config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.typing import make_concrete_template

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


@overload
def kernel(function: F, *, allocates: bool = False, inlined: bool = False) -> Any: ...
@overload
def kernel(*, allocates: bool = False, inlined: bool = False) -> Callable[[F], Any]: ...
def kernel(function: F | None = None, *, allocates: bool = False, inlined: bool = False) -> Any:
    """Compile a function on first use, with the options that all kernels of yomi share.

    The GIL is released, the result is cached on disk, division by zero follows IEEE rules.
    allocates  True for the few kernels that create arrays. The others are compiled without
               numba's reference counting, which costs a third of a playout's time.
    inlined    True for what is called for every candidate: an array is handed over as seven
               numbers, so calling a small kernel can cost more than running it. Measure it: in
               roll-outs it made most things slower.
    """
    if function is None:
        return lambda f: kernel(f, allocates=allocates, inlined=inlined)
    compiled = numba.njit(
        nogil=True,
        forceinline=inlined,
        cache=True,
        error_model="numpy",
        _nrt=allocates or not JIT_ENABLED,
        pipeline_class=_PartCompiler,
    )(function)
    if JIT_ENABLED:
        _make_parts(compiled)
    KERNELS.append(compiled)
    return compiled


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """A kernel's code before it is optimized and made machine code: to be linked into programs."""

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class _PartCompiler(Compiler):  # type: ignore[misc]
    """numba's compiler, but what it makes is a ``_Part``."""

    def __init__(
        self, typing: Any, target: Any, _: None, args: Any, result: Any, flags: Any, names: Any
    ) -> None:
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        part = _Part(target.codegen(), "part")
        super().__init__(typing, target, part, args, result, flags, names)


def _make_parts(compiled: Any) -> None:
    """Optimize a kernel only when Python calls it, together with all kernels that it calls.

    numba would optimize each kernel and make machine code of it before its callers are compiled,
    and do so again with everything that they call: once for each level of calls above it. This
    was more than half of the time of a cold start.

    A kernel that is called with a constant is compiled for its type, not for its value (numba's
    types are ``unliteral``). Otherwise ``f(x, 2)``, ``f(x, 3)`` and ``f(x, n)`` would be three.
    """
    compiler, target = compiled._compiler, compiled.targetctx
    compile_part = compiler.compile
    compiled.parts = {}

    def part_for(args: Any) -> Any:
        if args not in compiled.parts:
            with compiled._compiling_counter:  # by this numba knows that a kernel calls itself
                part = compile_part(args, None)
            target.insert_user_function(part.fndesc, part.fndesc, [part.library])
            compiled.parts[args] = part
        return compiled.parts[args]

    def compile_program(args: Any, _: Any) -> Any:
        part = part_for(args)
        library = target.codegen().create_library(compiled.__name__)
        library.enable_object_caching()
        library.add_linking_library(part.library)
        with target.push_code_library(library):
            target.create_cpython_wrapper(
                library, part.fndesc, part.environment, part.call_helper, release_gil=True
            )
        entry = target.get_executable(library, part.fndesc, part.environment)
        return part._replace(library=library, entry_point=entry)

    def get_call_template(args: Any, kws: Any) -> Any:
        unliteral = numba.types.unliteral
        plain = {name: unliteral(kind) for name, kind in kws.items()}
        signature, args = compiler.fold_argument_types(tuple(map(unliteral, args)), plain)
        part_for(args)
        signatures = [part.signature for part in compiled.parts.values()]
        name = compiled.__name__
        return make_concrete_template(name, name, signatures), signature, args, {}

    compiler.compile = compile_program
    compiled.get_call_template = get_call_template
    compiled.get_overload = lambda args: compiled.parts[tuple(args)].fndesc


_WARM_UPS: dict[str, Callable[[], object]] = {}
_PLAYING: list[str] = []


def warm_up(name: str, *, playing: bool = False) -> Callable[[F], F]:
    """Register a function that calls a group of kernels once, so that they get compiled.

    playing  True for what a game needs: it is compiled before the first move
    """

    def register(function: F) -> F:
        _WARM_UPS[name] = function
        if playing:
            _PLAYING.append(name)
        return function

    return register


def warm_up_names(*, playing: bool = False) -> list[str]:
    """Return the names of all registered kernel groups, or of those that a game needs, in order."""
    return list(_PLAYING if playing else _WARM_UPS)


def compile_all(*, playing: bool = False) -> Iterator[tuple[str, float]]:
    """Compile or load all groups, or those that a game needs; yield each one's name and seconds."""
    for name in warm_up_names(playing=playing):
        function = _WARM_UPS[name]
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
