"""The folder in which a training keeps what it has done, ``OUT.work``: whose it is, what is in it.

A file in it marks it as ours. A folder without that mark is somebody else's: nothing in it is
read, written or deleted. The mark is locked for as long as a training works there.
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
    """Make a work folder ready for a training, and keep others out of it.

    settings     all that decides the result, as JSON takes it
    collections  the games, as ``records.digests.describe`` returns them
    resume       go on with what is there, if anything is
    anew         delete what is there
    Raises YomiError where the folder is not ours or a training is at work in it, where it holds one
    and neither ``resume`` nor ``anew`` is set, and where that one had other settings or games.
    """
    if os.path.lexists(folder) and not folder.is_dir():
        raise YomiError(f"{folder}: not the work of yomi train; move it, or choose another --out")
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = _lock(folder)
    try:
        note = folder / _NOTE
        # Through JSON, which makes lists of tuples.
        begun = json.loads(json.dumps({"settings": settings, "collections": list(collections)}))
        if anew:
            _empty(folder)
        elif resume:
            _compare(folder, _read_note(note), begun)
        elif any(folder.glob("*.npz")):
            raise YomiError(
                f"{folder} holds a training: --resume goes on with it, --anew deletes it"
            )
        write_whole(note, json.dumps(begun, indent=2).encode())
        yield
    finally:
        os.close(descriptor)


def remove_work(folder: Path) -> None:
    """Delete a work folder, within its context; another training may begin there at once."""
    _empty(folder)
    (folder / MARK).unlink()
    with suppress(OSError):  # somebody has begun there, or has put something there
        folder.rmdir()


def begun_setting(folder: Path, name: str) -> Any:
    """Return a setting of the training that left a work folder; None where it cannot be read."""
    settings = _read_note(folder / _NOTE).get("settings")
    return settings.get(name) if isinstance(settings, dict) else None


def _lock(folder: Path) -> int:
    """Return the descriptor of a folder's mark, locked; an empty folder is marked first."""
    mark = folder / MARK
    if os.path.lexists(mark):
        ours = stat.S_ISREG(os.lstat(mark).st_mode)
    else:
        ours = not any(folder.iterdir())
    if not ours:
        raise YomiError(f"{folder}: not the work of yomi train; move it, or choose another --out")
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(mark, flags, 0o666)
    try:
        os.write(descriptor, _TEXT)
        if os.name == "posix":
            # Not flock: the processes that read games would inherit that, and outlive a kill.
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        os.close(descriptor)
        raise YomiError(f"{folder}: another training is at work there") from None
    return descriptor


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
        found = json.loads(note.read_text())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _compare(folder: Path, before: dict[str, Any], now: dict[str, Any]) -> None:
    """Raise YomiError where a folder's training had other settings or games."""
    if not before and not any(folder.glob("*.npz")):
        return
    if before.get("settings") != now["settings"]:
        raise YomiError(f"{folder}: begun with other settings; --anew deletes it and begins again")
    earlier = before.get("collections")
    for number, collection in enumerate(now["collections"]):
        if not isinstance(earlier, list) or collection not in earlier[number : number + 1]:
            raise YomiError(
                f"{folder}: the games of {collection['name']} have changed since;"
                " --anew deletes it and begins again"
            )
