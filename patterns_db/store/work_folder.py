"""The work folder of a training, ``OUT.work``: its owner and its contents.

A marker file with a text of yomi shows whose it is. In a folder without it, and in one that is
reached by a link, nothing is read, written or deleted. The marker is locked while a training runs.
"""

import json
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from engine.errors import YomiError
from patterns_db.store.whole_files import write_whole

if os.name == "posix":
    import fcntl

MARK = ".yomi-training"
_NOTE = "settings.json"
_TEXT = b"The work of a yomi train. Delete this folder when its table is written.\n"


@contextmanager
def open_work(
    folder: Path,
    settings: dict[str, Any],
    collections: Sequence[dict[str, Any]],
    *,
    resume: bool = False,
    anew: bool = False,
) -> Iterator[None]:
    """Prepare a work folder for a training, and keep other trainings out of it.

    settings     all settings that determine the result, as JSON values
    collections  the games, as ``records.games.describe`` returns them
    resume       continue with the contents, if there are any
    anew         delete the contents
    Raises YomiError if the folder is not ours, or in use by a training. Raises it for an existing
    training if neither ``resume`` nor ``anew`` is set, or if settings or games differ.
    """
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise YomiError(f"{folder}: not the work of yomi train; move it, or choose another --out")
    folder.mkdir(exist_ok=True)
    descriptor = _lock(folder)
    try:
        note = folder / _NOTE
        # The round trip through JSON turns tuples into lists.
        begun = json.loads(json.dumps({"settings": settings, "collections": list(collections)}))
        if anew:
            _empty(folder)
        elif resume:
            _compare(folder, _read_note(note), begun)
        elif any(folder.glob("*.npz")):
            raise YomiError(f"{folder} holds a training: --resume continues it, --anew deletes it")
        write_whole(note, json.dumps(begun, indent=2).encode())
        yield
    finally:
        os.close(descriptor)


def remove_work(folder: Path) -> None:
    """Delete a work folder, within its context. Another training may begin there at once."""
    _empty(folder)
    (folder / MARK).unlink()
    with suppress(OSError):  # another process has started there or added a file
        folder.rmdir()


def begun_setting(folder: Path, name: str) -> Any:
    """Return a setting of the training in a work folder, or None if it cannot be read."""
    settings = _read_note(folder / _NOTE).get("settings")
    return settings.get(name) if isinstance(settings, dict) else None


def _lock(folder: Path) -> int:
    """Return the descriptor of a folder's locked marker. An empty folder is marked first."""
    mark = folder / MARK
    if not any(folder.iterdir()):
        with suppress(FileExistsError), mark.open("xb") as file:  # or another training has begun
            file.write(_TEXT)
    if not _is_ours(mark):
        raise YomiError(f"{folder}: not the work of yomi train; move it, or choose another --out")
    descriptor = os.open(mark, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
    try:
        if os.name == "posix":
            # flock is not used: the processes that read games would inherit it, and survive a kill.
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        os.close(descriptor)
        raise YomiError(f"{folder}: another training is using this folder") from None
    return descriptor


def _is_ours(mark: Path) -> bool:
    """Return whether a marker is one of yomi: a file with its text. A pipe would be waited for."""
    if not os.path.lexists(mark):
        return False
    status = os.lstat(mark)
    ours = stat.S_ISREG(status.st_mode) and status.st_size == len(_TEXT)
    return ours and mark.read_bytes() == _TEXT


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.name == MARK:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _read_note(note: Path) -> dict[str, Any]:
    try:
        content = json.loads(note.read_text())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _compare(folder: Path, before: dict[str, Any], now: dict[str, Any]) -> None:
    """Raise YomiError if a folder's training had other settings or games."""
    if not before and not any(folder.glob("*.npz")):
        return
    if before.get("settings") != now["settings"]:
        raise YomiError(f"{folder}: it had other settings; --anew deletes it and starts again")
    earlier = before.get("collections")
    for number, collection in enumerate(now["collections"]):
        if not isinstance(earlier, list) or collection not in earlier[number : number + 1]:
            raise YomiError(
                f"{folder}: the games of {collection['name']} have changed since;"
                " --anew deletes it and starts again"
            )
