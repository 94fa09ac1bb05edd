"""Folders of compiled kernels: one for each package and version of its sources.

numba notices neither an edit in a kernel that *another* file calls nor a changed flag. A folder
is therefore named after a digest of the flags and of all sources that its kernels may depend on:
those of its own and of earlier packages. In the engine only this module, ``compiling`` and
``kernel_files`` open files. Files of the cache are unpickled and run, so no other user may write
them. A folder that is a link, another user's or writable by others is not used.
"""

import atexit
import hashlib
import logging
import os
import re
import shutil
import stat
import sys
import tempfile
from pathlib import Path

PACKAGES = ("engine", "patterns_db", "scripts")  # gtp has no kernels, because it never computes

_ROOT = Path(__file__).resolve().parents[2]
_OURS = re.compile(r"(linking|engine|patterns_db|scripts)-[0-9a-f]{16}|[0-9a-f]{16}")
_PROBE_BYTES = 1 << 16  # a full disk can still create empty files

logger = logging.getLogger(__name__)


def is_private(status: os.stat_result) -> bool:
    """Return whether a file or folder (as ``lstat`` sees it) is no link and only we can write it.

    Windows has neither owners nor modes here; a user's folders are closed to other users there.
    """
    if stat.S_ISLNK(status.st_mode):
        return False
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def is_writable(folder: Path) -> bool:
    """Return whether files can be written there: not on a read-only or full disk."""
    try:  # os.access is not reliable on Windows
        with tempfile.TemporaryFile(dir=folder, buffering=0) as probe:
            return probe.write(bytes(_PROBE_BYTES)) == _PROBE_BYTES
    except OSError:
        return False


def make_private(folder: Path) -> bool:
    """Make a folder if it is missing; return whether it is ours alone. Refusals are logged."""
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return False
    if is_private(status):
        return True
    logger.warning(
        "the cache folder %s is not used: it is a link, another user's, or writable by others"
        " (then: chmod go-w)",
        folder,
    )
    return False


def base_folder() -> Path:
    """Return the folder that holds the others; a read-only one if none can be written."""
    private = []
    for base in filter(None, (_user_folder(), _shared_folder())):
        if make_private(base):
            if is_writable(base):
                return base
            private.append(base)
    return private[0] if private else _temporary_folder()


def _temporary_folder() -> Path:
    """Return a folder that is deleted at the end of this process; it is missing on failure."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="yomi-"))
    except OSError:  # the cache then finds nothing and keeps nothing
        return _ROOT / "no-cache"
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _shared_folder() -> Path | None:
    """Return a folder of this user in the system's folder of temporary files, if that exists."""
    user = f"yomi-{os.getuid()}" if hasattr(os, "getuid") else "yomi"
    try:
        return Path(tempfile.gettempdir()) / user
    except OSError:
        return None


def _user_folder() -> Path | None:
    """Return the user's cache folder for yomi (NUMBA_CACHE_DIR wins, then the platform's).

    None: the user has no home, as in a container that runs under a number without a name.
    """
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return Path(named)
    if sys.platform == "win32" and "LOCALAPPDATA" in os.environ:
        return Path(os.environ["LOCALAPPDATA"]) / "yomi" / "cache"
    place = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(os.path.expanduser("~/Library/Caches" if sys.platform == "darwin" else place))
    return folder / "yomi" if folder.is_absolute() else None


def private_folder(base: Path, name: str) -> Path:
    """Return a folder inside the base, or a temporary one if it exists and is not ours alone."""
    folder = base / name
    if make_private(folder) or not os.path.lexists(folder):
        return folder
    return _temporary_folder()


def linking_folder(base: Path, flags: object) -> Path:
    """Return the folder for the probe's result on numba's internals under these flags."""
    digest = hashlib.sha256()
    for name in ("linking.py", "kernel_files.py"):
        digest.update((_ROOT / "engine/jit" / name).read_bytes())
    digest.update(repr(flags).encode())
    return private_folder(base, f"linking-{digest.hexdigest()[:16]}")


class Cache:
    """The folders of all packages, inside a base; flags count by their ``repr``."""

    def __init__(self, base: Path, flags: object) -> None:
        self.base = base
        self._folders: dict[str, Path] = {}
        # Each package's digest continues the one before, so that no source is read twice.
        self._digests = [hashlib.sha256(repr(flags).encode())]

    def folder(self, module: str) -> Path:
        """Return the folder of a module's kernels; it exists unless the disk takes no files.

        Modules of other packages (tests) may call all of ours, like scripts.
        """
        package = module.partition(".")[0]
        if package not in PACKAGES:
            package = PACKAGES[-1]
        if package not in self._folders:
            name = f"{package}-{self._digest(package)}"
            self._folders[package] = private_folder(self.base, name)
        return self._folders[package]

    def _digest(self, package: str) -> str:
        wanted = PACKAGES.index(package) + 1
        for name in PACKAGES[len(self._digests) - 1 : wanted]:
            digest = self._digests[-1].copy()
            for path in sorted((_ROOT / name).rglob("*.py")):
                digest.update(path.relative_to(_ROOT).as_posix().encode())
                digest.update(path.read_bytes())
            self._digests.append(digest)
        return self._digests[wanted].hexdigest()[:16]

    def prune(self, linking: Path) -> int:
        """Delete all folders but the current ones and ``linking``; return how many were removed."""
        current = {linking, *(self.folder(name) for name in PACKAGES)}
        removed = 0
        for folder in self.base.iterdir():
            # NUMBA_CACHE_DIR may hold other data: delete only names that we could have given.
            if folder in current or not _OURS.fullmatch(folder.name) or folder.is_symlink():
                continue
            shutil.rmtree(folder, ignore_errors=True)
            removed += not folder.exists()
        return removed
