"""Compiled kernels on disk: one file for each, with a digest that is checked before use.

numba's own cache files are unpickled without a check, and changed machine code is simply run. Here
a file that is damaged or writable by others is dropped, and its kernel is compiled again. A file
is the SHA-256 of the rest, then the pickle of numba's data for rebuilding the kernel. Its name has
a digest of the signature, of the processor and of the source. All internals of numba used here are
in ``numba.core.caching``; ``linking`` explains what happens when they change.
"""

import functools
import hashlib
import inspect
import logging
import os
import pickle
import uuid
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from engine.jit.folders import is_private

_DIGEST_BYTES = 32
_said: set[str] = set()

logger = logging.getLogger(__name__)


class DamagedFileError(Exception):
    """The digest of a file is wrong, or another user could have written it."""


def read_file(path: Path) -> bytes | None:
    """Return a file's contents, None if there is none. Raises DamagedFileError and OSError."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as file:
        # The folder was checked at the start. A folder above it may belong to anyone.
        if not is_private(os.fstat(descriptor)):
            raise DamagedFileError("not ours alone")
        data = file.read()
    contents = data[_DIGEST_BYTES:]
    if hashlib.sha256(contents).digest() != data[:_DIGEST_BYTES]:
        raise DamagedFileError("wrong digest")
    return contents


def write_file(path: Path, contents: bytes) -> None:
    """Write a file with its digest atomically. Raises OSError."""
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(hashlib.sha256(contents).digest())
            file.write(contents)
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


class KernelFiles(FunctionCache):  # type: ignore[misc]
    """The cache of one kernel, with the interface that numba's dispatcher requires."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._py_func = function
        self._folder = folder
        name = f"{function.__module__}.{function.__qualname__}"
        self._name = name.replace("<", "").replace(">", "")  # Windows forbids both
        self.enable()

    @property
    def cache_path(self) -> str:
        """The folder, for the dispatcher's statistics."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the kernel compiled for a signature; None if it has to be compiled."""
        if not self._enabled:
            return None
        target_context.refresh()
        path = self._file(sig, target_context.codegen())
        try:
            contents = read_file(path)
            if contents is None:
                return None
            return CompileResult._rebuild(target_context, *pickle.loads(contents))
        except Exception as error:  # compiling again helps in every case
            reason = f"{type(error).__name__}: {error}".partition("\n")[0]
            _say_once("compiled code in the cache is damaged (%s, %s): compiling it again",
                      path.name, reason)  # fmt: skip
            _remove(path)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the code compiled for a signature, if the disk takes it."""
        if not self._enabled:
            return
        if data.library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
            warnings.warn(f"the kernel {self._name} cannot be kept in a cache", stacklevel=2)
            return
        path = self._file(sig, data.codegen)
        try:
            write_file(path, dumps(data._reduce()))
        except OSError as error:
            _say_once("compiled code cannot be stored (%s: %s): the next start compiles again",
                      path.parent, error.strerror)  # fmt: skip

    def flush(self) -> None:
        """Forget all stored code of this kernel."""
        for path in self._folder.glob(f"{self._name}-*.kernel"):
            _remove(path)

    def _file(self, sig: Any, codegen: Any) -> Path:
        function = self._py_func
        # The folder is named after our sources, but tests may contain kernels, too.
        source = _digest_of_source(inspect.getfile(function))
        key = (source, function.__code__.co_firstlineno, *self._index_key(sig, codegen))
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return self._folder / f"{self._name}-{digest}.kernel"


@functools.cache
def _digest_of_source(file: str) -> str:
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:  # typed at a prompt: the code itself is part of the key
        return ""


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        logger.debug("cannot delete %s", path)


def _say_once(message: str, *values: object) -> None:
    """Log a warning; of each kind only the first in this process."""
    if message not in _said:
        _said.add(message)
        logger.warning(message, *values)
