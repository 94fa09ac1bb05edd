"""Where compiled kernels are kept: one folder for each package and version of its sources.

numba does not notice an edit in a kernel that *another* file calls, nor a changed flag. So a
folder is named after a digest of all sources that its kernels may depend on and of the flags in
force: an edit simply starts a fresh folder. A package's kernels call those of its own and of the
packages before it: an edit in scripts/ leaves the engine's folder as it is. This is, with
``groups``, the one place of the engine that opens files.
"""

import hashlib
import os
import re
import sys
import tempfile
from pathlib import Path

PACKAGES = ("engine", "patterns_db", "scripts")  # gtp has no kernels: it never computes

_ROOT = Path(__file__).resolve().parents[2]
_OURS = re.compile(r"(linking|engine|patterns_db|scripts)-[0-9a-f]{16}|[0-9a-f]{16}")


def base_folder() -> Path:
    """Return the folder that holds the others; a read-only home falls back to a temporary one."""
    user = f"yomi-{os.getuid()}" if hasattr(os, "getuid") else "yomi"
    for base in (_user_folder(), Path(tempfile.gettempdir()) / user):
        try:
            base.mkdir(parents=True, exist_ok=True)
            probe = base / f".probe-{os.getpid()}"  # os.access is no answer on Windows
            probe.touch()
            probe.unlink()
        except OSError:
            continue
        return base
    return Path(tempfile.mkdtemp(prefix="yomi-"))


def _user_folder() -> Path:
    """Return the user's cache folder for yomi (NUMBA_CACHE_DIR wins, then the platform's)."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return Path(named)
    if sys.platform == "win32" and "LOCALAPPDATA" in os.environ:
        return Path(os.environ["LOCALAPPDATA"]) / "yomi" / "cache"
    if sys.platform == "darwin":
        return Path("~/Library/Caches/yomi").expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "yomi"


def linking_folder(base: Path, flags: object) -> Path:
    """Return the folder for what is known about numba's insides under these flags."""
    digest = hashlib.sha256((_ROOT / "engine/jit/linking.py").read_bytes())
    digest.update(repr(flags).encode())
    return base / f"linking-{digest.hexdigest()[:16]}"


class Cache:
    """The folders of all packages.

    base   holds them
    flags  everything besides the sources that compiled code depends on; its ``repr`` counts
    """

    def __init__(self, base: Path, flags: object) -> None:
        self.base = base
        self._folders: dict[str, Path] = {}
        # Each package's digest goes on from the one before, so that no source is read twice.
        self._digests = [hashlib.sha256(repr(flags).encode())]

    def folder(self, module: str) -> Path:
        """Return the folder of a module's kernels; it is there.

        Modules of other packages (tests) may call all of ours, as scripts do.
        """
        package = module.partition(".")[0]
        if package not in PACKAGES:
            package = PACKAGES[-1]
        if package not in self._folders:
            folder = self.base / f"{package}-{self._digest(package)}"
            folder.mkdir(parents=True, exist_ok=True)
            self._folders[package] = folder
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
        """Delete the folders of other source versions and flags; return how many were removed.

        linking  what ``linking_folder`` returned, kept as well
        """
        current = {linking, *(self.folder(name) for name in PACKAGES)}
        removed = 0
        for folder in self.base.iterdir():
            # NUMBA_CACHE_DIR may hold more than ours: only names that we could have given go.
            if folder in current or not _OURS.fullmatch(folder.name):
                continue
            for path in sorted(folder.rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
            folder.rmdir()
            removed += 1
        return removed
