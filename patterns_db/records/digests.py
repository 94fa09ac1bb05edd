"""Digests of game collections, which show a training that its games have changed."""

import hashlib
from pathlib import Path
from typing import Any

from patterns_db.records.games import GameReader


def describe(path: Path) -> dict[str, Any]:
    """Return a collection's name and the SHA-256 of its content; for a folder, of all its games.

    Raises SgfError for a missing path, OSError for an unreadable file.
    """
    if path.is_file():
        return {"name": path.name, "sha256": _digest(path)}
    whole = hashlib.sha256()
    for file, source in GameReader([path]).files:
        whole.update(f"{_digest(file)} {source}\n".encode("utf-8", "surrogateescape"))
    return {"name": path.name, "sha256": whole.hexdigest()}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
