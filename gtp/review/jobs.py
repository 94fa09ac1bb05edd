"""The games to review, and the output files of each."""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from engine import BadSetup, SgfError
from patterns_db.records.games import GameReader

INDEX = "index.html"


class Outputs(NamedTuple):
    """The output files of a review, or None: annotated record, page for a browser, JSON."""

    record: Path | None = None
    html: Path | None = None
    json: Path | None = None


class Job(NamedTuple):
    """A record to review."""

    source: str  # its name in messages
    data: bytes  # its bytes
    outputs: Outputs = Outputs()
    fault: str = ""  # why it cannot be read or reviewed


def find_jobs(paths: Sequence[str], folder: Path) -> tuple[list[Job], int]:
    """Return the unfinished games under some paths, and the number of finished ones.

    Each game has its files in the folder: NAME.sgf, NAME.html and NAME.json. Games in the folder
    itself are left out. Raises SgfError for a missing path. Raises BadSetup when no game is found,
    or when an output file is also an input.
    """
    jobs, finished = [], 0
    taken = {INDEX.removesuffix(".html")}
    reader = GameReader(paths, without=folder)
    read = {file.resolve() for file, _ in reader.files}
    for source, data in reader.records():
        name = _place_of(source)
        while name in taken:
            name += "+"
        taken.add(name)
        outputs = Outputs._make(folder / f"{name}.{kind}" for kind in ("sgf", "html", "json"))
        record = folder / f"{name}.sgf"
        if record.resolve() in read:
            raise BadSetup(f"{record}: this file is also an input; name another folder")
        # The record is written last.
        if record.is_file():
            finished += 1
        elif isinstance(data, SgfError):
            jobs.append(Job(source, b"", fault=str(data)))
        else:
            jobs.append(Job(source, data, outputs))
    if not jobs and not finished:
        raise _no_games(paths)
    return jobs, finished


def require_games(paths: Sequence[str]) -> None:
    """Raise BadSetup if no path leads to a record or an archive, SgfError if one is missing."""
    if not GameReader(paths).files:
        raise _no_games(paths)


def _no_games(paths: Sequence[str]) -> BadSetup:
    return BadSetup(f"{', '.join(paths)}: no game records here (.sgf files, archives of them)")


def _place_of(source: str) -> str:
    """Return the path of a game's files within the folder of reviews, without a suffix."""
    # A file's own name may hold a "#"; only a later game of a file ends with one and a number.
    file, sign, number = source.rpartition("#")
    if not sign or not number.isdecimal():
        file, number = source, ""
    stem = file[:-4] if file.lower().endswith(".sgf") else file
    parts = PurePosixPath(f"{stem}-{number}" if number else stem).parts
    # Names in an archive must not lead out of the folder.
    return "/".join(part for part in parts if part not in ("..", ".", "/")) or "game"
