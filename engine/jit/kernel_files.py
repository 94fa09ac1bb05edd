"""Compiled kernels on disk: one file for each, with a digest that is checked before it is used.

This replaces numba's own cache files, which are unpickled as they are found. A damaged one raises
an error in whatever kernel is called, and changed machine code is simply run. Here a file that is
damaged, or not ours alone, is dropped and its kernel is compiled anew. A file that cannot be
written is no error: the next start compiles again.

A file is the SHA-256 of the rest, then the pickle of what numba needs to rebuild the kernel. Its
name has a digest of the signature, of the processor, and of the source. All insides of numba that
this needs stand in ``numba.core.caching``; see ``linking`` for what happens where they change.
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
    """A file whose digest is wrong, or that another user could have written."""


def read_file(path: Path) -> bytes | None:
    """Return a file's contents without the digest; None when there is no file.

    Raises DamagedFileError, and OSError when it cannot be read.
    """
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as file:
        # The folder was looked at when we started; a folder above it may be anybody's.
        if not is_private(os.fstat(descriptor)):
            raise DamagedFileError("not ours alone")
        data = file.read()
    contents = data[_DIGEST_BYTES:]
    if hashlib.sha256(contents).digest() != data[:_DIGEST_BYTES]:
        raise DamagedFileError("wrong digest")
    return contents


def write_file(path: Path, contents: bytes) -> None:
    """Write a file with its digest, whole or not at all. Raises OSError."""
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
    """The cache of one kernel, as numba's dispatcher asks for it.

    function  the kernel before it is compiled
    folder    holds the files; it need not be there
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._py_func = function
        self._folder = folder
        name = f"{function.__module__}.{function.__qualname__}"
        self._name = name.replace("<", "").replace(">", "")  # which Windows forbids
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
        except Exception as error:  # whatever it is, compiling helps
            reason = f"{type(error).__name__}: {error}".partition("\n")[0]
            _say_once("compiled code in the cache is damaged (%s, %s): it is compiled anew",
                      path.name, reason)  # fmt: skip
            _remove(path)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for a signature, if the disk takes it."""
        if not self._enabled:
            return
        if data.library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
            warnings.warn(f"the kernel {self._name} cannot be kept in a cache", stacklevel=2)
            return
        path = self._file(sig, data.codegen)
        try:
            write_file(path, dumps(data._reduce()))
        except OSError as error:
            _say_once("compiled code cannot be kept (%s: %s): the next start compiles again",
                      path.parent, error.strerror)  # fmt: skip

    def flush(self) -> None:
        """Forget all that was kept of this kernel."""
        for path in self._folder.glob(f"{self._name}-*.kernel"):
            _remove(path)

    def _file(self, sig: Any, codegen: Any) -> Path:
        function = self._py_func
        # The folder is named after our sources; but kernels may stand in tests, too.
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
    """Log a warning, but of each kind only the first in this process."""
    if message not in _said:
        _said.add(message)
        logger.warning(message, *values)
