"""Game records by the hundred thousand: from directories, SGF files, zip and tar archives.

Reading a game is ``records.read_record``'s business (sgfmill); this module finds the games. A
damaged game or archive is counted and skipped, never fatal. A game is cut at its first illegal
move, and at stones that are put by hand after a move; one line says how many games were.
"""

import contextlib
import logging
import re
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.errors import SgfError
from patterns_db.printing import printable
from patterns_db.records.legality import count_legal
from patterns_db.records.members import ARCHIVE_ERRORS, TAR_SUFFIXES, read_members
from patterns_db.records.sgf import GameRecord, Play, SetupStones, Turn
from patterns_db.records.sgf_syntax import ROOT_START
from patterns_db.records.splitting import split_games

logger = logging.getLogger(__name__)

_COUNTED = re.compile(r"([BW])\+([0-9]+(?:\.[0-9]*)?)")
_MESSAGES_KEPT = 20


class DecodedGame(NamedTuple):
    """The moves of one game, in points of ``engine.go.geometry``; all of them are legal.

    size    of the board
    black   int64[...], stones on the board before the first move; likewise white
    colors  int64[moves], who made each move: 1 Black, 2 White; not necessarily alternating
    moves   int64[moves], points; PASS for a pass
    source  path of the file within its archive or directory, "kgs/000123.sgf"; from the second
            game of a file on with its number, "many.sgf#2"
    ranks   of Black and White as written, "9d"; None where unsaid
    winner  1 Black, 2 White, 0 nobody or unsaid
    margin  Black's in points, of a game that was counted; else None
    """

    size: int
    black: npt.NDArray[np.int64]
    white: npt.NDArray[np.int64]
    colors: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]
    source: str
    komi: float | None = None
    winner: int = 0
    ranks: tuple[str | None, str | None] = (None, None)
    margin: float | None = None


class GameReader:
    """Iterates over all games under some paths, in a fixed order, and counts what it met.

    files       every file that is read, with its name as a source
    games       how many games were yielded
    damaged     games (or whole archives) that could not be read; ``messages`` has the first few
    cut         games with an illegal move, or with stones put by hand after the first move: yielded
                up to there
    bytes_done  how far it is, for a progress bar; ``bytes_total`` when it is through
    """

    def __init__(self, paths: Iterable[str | Path], without: Path | None = None) -> None:
        """Find the files; directories are searched for .sgf files and archives.

        without  a folder that is passed over where another is searched
        Raises SgfError for a path that does not exist.
        """
        self.files = [found for path in paths for found in _find_files(Path(path), without)]
        self.bytes_total = sum(path.stat().st_size for path, _ in self.files)
        self.bytes_done = 0
        self.games = self.damaged = self.cut = 0
        self.messages: list[str] = []
        self._first_cut = ""

    def __iter__(self) -> Iterator[DecodedGame]:
        """Read everything once from the beginning; the counters start anew."""
        self.games = self.damaged = self.cut = 0
        self.messages.clear()
        before = 0
        try:
            for path, name in self.files:
                self.bytes_done = before
                before += path.stat().st_size
                yield from self._read_archive(path, name)
            self.bytes_done = before
        finally:  # also where only some games are wanted
            self._tell_cut()

    def _read_archive(self, path: Path, name: str) -> Iterator[DecodedGame]:
        # Around the whole archive: a damaged one does not say where its next game begins.
        try:
            for source, data in self._read_files(path, name):
                if isinstance(data, SgfError):
                    self._count_damage(source, str(data))
                else:
                    yield from self._read_games(source, data)
        except ARCHIVE_ERRORS as error:
            self._count_damage(path.name, _reason(error))

    def _tell_cut(self) -> None:
        if self.cut:
            logger.warning(
                "%d %s read up to an illegal move or stones put by hand; the first is %s",
                self.cut,
                "game is" if self.cut == 1 else "games are",
                self._first_cut,
            )

    def count(self) -> int:
        """Return about how many games there are, without parsing them: a few seconds for 100,000.

        A file counts as the roots in it that begin as roots usually do, and as one at least.
        Damaged archives count as far as they can be read.
        """
        found = 0
        for path, name in self.files:
            with contextlib.suppress(*ARCHIVE_ERRORS):
                for _, data in self._read_files(path, name):
                    if isinstance(data, bytes):
                        found += max(len(ROOT_START.findall(data)), 1)
        return found

    def records(self) -> Iterator[tuple[str, bytes | SgfError]]:
        """Yield (source, bytes) of every game as it stands, a damaged one, too.

        A file or an archive that cannot be read comes as an error, and the next ones follow.
        """
        for path, name in self.files:
            try:
                for source, data in self._read_files(path, name):
                    if isinstance(data, SgfError):
                        yield source, SgfError(printable(f"{source}: {data}"))
                        continue
                    for number, piece, _ in split_games(data):
                        yield _numbered(source, number), piece
            except ARCHIVE_ERRORS as error:
                yield name, SgfError(printable(f"{path}: {_reason(error)}"))

    def _read_files(self, path: Path, name: str) -> Iterator[tuple[str, bytes | SgfError]]:
        """Yield (source, bytes) of every SGF file in one file, or why it was skipped."""
        before = self.bytes_done
        for source, data, done in read_members(path, name):
            yield source, data
            self.bytes_done = before + done

    def _read_games(self, source: str, data: bytes) -> Iterator[DecodedGame]:
        """Yield the games of one SGF file; damaged ones are counted."""
        for number, _, record in split_games(data):
            name = _numbered(source, number)
            if isinstance(record, SgfError):
                self._count_damage(name, str(record))
                continue
            try:
                game = to_game(record, name)
            except SgfError as error:
                self._count_damage(name, str(error))
                continue
            self.games += 1
            if len(game.moves) < len(record.moves):
                if not self.cut:
                    self._first_cut = printable(f"{name}, at move {len(game.moves) + 1}")
                self.cut += 1
            yield game

    def _count_damage(self, name: str, reason: str) -> None:
        self.damaged += 1
        # A collection in another format has a hundred thousand of them.
        if len(self.messages) < _MESSAGES_KEPT:
            # Names come from archives: they must not command the terminal.
            message = printable(f"{name}: {reason}")
            self.messages.append(message)
            logger.warning("skipped %s", message)


def is_archive(path: Path) -> bool:
    """Return whether a file is an archive by its name."""
    return path.name.lower().endswith((".zip", *TAR_SUFFIXES))


def _reason(error: Exception) -> str:
    """Return in one line why a file cannot be read."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    # tarfile has a line for each kind of compression that it has tried.
    if isinstance(error, tarfile.ReadError):
        return "damaged, or not a tar archive"
    return " ".join(str(error).split()) or type(error).__name__


def _numbered(source: str, number: int) -> str:
    """Return the name of a file's game: most files hold one, and are named as they are."""
    return source if number == 1 else f"{source}#{number}"


def _find_files(path: Path, without: Path | None) -> list[tuple[Path, str]]:
    """Return the files under a path with their names as sources, in alphabetical order.

    without  a folder whose files are passed over
    """
    if path.is_dir():
        suffixes = (".sgf", ".zip", *TAR_SUFFIXES)
        found = sorted(p for p in path.rglob("*") if p.name.lower().endswith(suffixes))
        if without is not None:
            left_out = without.resolve()
            found = [p for p in found if left_out not in p.resolve().parents]
        # In a fixed order, since training depends on the order of the games; with slashes on every
        # system, since the first folder is the game's source.
        return [(p, p.relative_to(path).as_posix()) for p in found if p.is_file()]
    if not path.is_file():
        raise SgfError(f"no such file or directory: {path}")
    return [(path, path.name)]


def to_game(record: GameRecord, source: str) -> DecodedGame:
    """Return the moves of a record, up to an illegal one or stones put by hand after a move.

    Raises SgfError when the stones of its beginning cannot stand on a board.
    """
    colors: dict[int, int] = {}
    plays: list[Play] = []
    for event in record.events:
        if isinstance(event, Play):
            plays.append(event)
        elif isinstance(event, Turn):
            continue  # each move says its color
        elif plays:  # stones put by hand: from here on it is no game that anybody played
            break
        else:
            _set_up(colors, event)
    black, white = (sorted(p for p, c in colors.items() if c == color) for color in (1, 2))
    movers = np.array([play.color for play in plays], np.int64)
    moves = np.array([play.point for play in plays], np.int64)
    legal = count_legal(record.size, black, white, movers, moves)
    return DecodedGame(
        size=record.size,
        black=np.array(black, np.int64),
        white=np.array(white, np.int64),
        colors=movers[:legal],
        moves=moves[:legal],
        source=source,
        komi=record.komi,
        winner=_winner(record.result),
        ranks=(record.black_rank, record.white_rank),
        margin=_margin(record.result),
    )


def _winner(result: str | None) -> int:
    """Return who won by a record's result, "B+3.5" or "W+R"; 0 for a jigo or where unsaid."""
    color, plus, _ = (result or "").partition("+")
    return {"B": 1, "W": 2}.get(color.strip().upper(), 0) if plus else 0


def _margin(result: str | None) -> float | None:
    """Return Black's margin by a record's result, "W+3.5"; None where it was not counted."""
    match = _COUNTED.fullmatch((result or "").strip().upper())
    return None if match is None else float(match[2]) * (1 if match[1] == "B" else -1)


def _set_up(colors: dict[int, int], setup: SetupStones) -> None:
    """Put and remove the stones of one node; ``colors`` maps points to colors."""
    colors.update(dict.fromkeys(setup.black, 1))
    # Later nodes win, as on a board; the dictionary keeps one color a point.
    colors.update(dict.fromkeys(setup.white, 2))
    for point in setup.empty:
        colors.pop(point, None)
