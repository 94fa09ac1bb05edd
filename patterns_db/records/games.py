"""Readers of many game records: directories, files of games, zip and tar archives.

``records.read_record`` (sgfmill) reads a game; this module finds the games. A damaged game or
archive is counted and skipped, and never fatal. A game is cut at its first illegal move, and at
stones that are set up after a move. One line tells how many games were cut.
"""

import hashlib
import logging
import os
import re
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from engine.errors import BadSetup, SgfError
from engine.go.board import COLOR, EMPTY, KO, Board, is_legal, place
from engine.go.geometry import PASS
from engine.go.setup import set_up_board
from patterns_db.printing import printable
from patterns_db.records.members import (
    ARCHIVE_ERRORS,
    GAME_SUFFIXES,
    TAR_SUFFIXES,
    is_game_file,
    read_members,
)
from patterns_db.records.sgf import GameRecord, Play, SetupStones, Turn
from patterns_db.records.splitting import split_games

logger = logging.getLogger(__name__)

_Item = TypeVar("_Item")

_COUNTED = re.compile(r"(B|W)(?:LACK|HITE)?\+([0-9]+(?:[.,][0-9]*)?)")
_MOST_MESSAGES = 20


class DecodedGame(NamedTuple):
    """The moves of one game, in points of ``engine.go.geometry``. All of them are legal."""

    size: int  # of the board
    black: npt.NDArray[np.int64]  # int64[...], Black's stones before the first move
    white: npt.NDArray[np.int64]  # int64[...], White's
    # int64[moves], the color of each move: 1 Black, 2 White; not necessarily alternating
    colors: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]  # int64[moves], points; PASS for a pass
    # Path of the file within its archive or directory, "kgs/000123.sgf"; from the second game of a
    # file on with its number, "many.sgf#2"
    source: str
    komi: float | None = None
    winner: int = 0  # 1 Black, 2 White, 0 nobody or unknown
    # Of Black and White as written, "9d"; None if not given
    ranks: tuple[str | None, str | None] = (None, None)
    margin: float | None = None  # Black's in points, of a game that was counted; else None


class CutGames:
    """Counts the games that are read only up to some move, and says so in one line.

    games  number of them; moves: that are left out of them
    """

    def __init__(self) -> None:
        self.games = self.moves = 0
        self._first = ""

    def add(self, name: str, record: GameRecord, game: DecodedGame) -> None:
        """Count a game, if moves of its record are left out."""
        left_out = len(record.moves) - len(game.moves)
        if left_out == 0:
            return
        if not self.games:
            self._first = printable(f"{name}, at move {len(game.moves) + 1}")
        self.games += 1
        self.moves += left_out

    def tell(self) -> None:
        """Log the counts, if there is something to tell."""
        if self.games:
            logger.warning(
                "%d %s read up to an illegal move or stones set up by hand (%d %s left out);"
                " the first is %s",
                self.games,
                "game is" if self.games == 1 else "games are",
                self.moves,
                "move is" if self.moves == 1 else "moves are",
                self._first,
            )


class GameReader:
    """Iterates over all games under some paths, in a fixed order, with counters.

    files       every file that is read, with its name as a source
    games       number of games yielded
    damaged     number of unreadable games (or whole archives); the first ones are logged
    bytes_done  progress, for a progress bar; ``bytes_total`` at the end
    """

    def __init__(self, paths: Iterable[str | Path], without: Path | None = None) -> None:
        """Find the files. Directories are searched for game files and archives.

        without  a folder that is skipped in the search of another
        Raises SgfError for a missing path.
        """
        names: dict[Path, str] = {}  # a file that is found twice is read once
        for path in paths:
            for file, name in _find_files(Path(path), without):
                names.setdefault(file, name)
        self.files = list(names.items())
        self.bytes_total = sum(path.stat().st_size for path, _ in self.files)
        self.bytes_done = 0
        self.games = self.damaged = 0
        self._cut = CutGames()

    def __iter__(self) -> Iterator[DecodedGame]:
        """Read everything once from the beginning. The counters restart."""
        self.games = self.damaged = 0
        self._cut = CutGames()
        try:
            for path, name in self._each_file():
                yield from self._read_archive(path, name)
        finally:  # also if the caller stops early
            self._cut.tell()

    def with_progress(self, items: Iterable[_Item], what: str) -> Iterator[_Item]:
        """Yield games or records of this reader. A progress bar appears after one second.

        what  is done with them
        """
        with tqdm(
            total=self.bytes_total, unit="B", unit_scale=True, desc=what, delay=1, disable=None
        ) as bar:
            for item in items:
                bar.update(self.bytes_done - bar.n)
                yield item
            bar.update(self.bytes_total - bar.n)

    def _each_file(self) -> Iterator[tuple[Path, str]]:
        before = 0
        for path, name in self.files:
            self.bytes_done = before
            before += path.stat().st_size
            yield path, name
        self.bytes_done = before

    def _read_archive(self, path: Path, name: str) -> Iterator[DecodedGame]:
        # The whole archive is guarded, as a damaged one does not show where its next game begins.
        try:
            for source, data in self._read_files(path, name):
                if isinstance(data, SgfError):
                    self._count_damage(source, str(data))
                else:
                    yield from self._read_games(source, data)
        except ARCHIVE_ERRORS as error:
            self._count_damage(path.name, _reason(error))

    def records(self) -> Iterator[tuple[str, bytes | SgfError]]:
        """Yield (source, bytes) of every game unchanged, including damaged ones.

        An unreadable file or archive becomes an error, and the next ones follow.
        """
        for path, name in self._each_file():
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
        """Yield (source, bytes) of every SGF file in one file, or the error that skipped it."""
        before = self.bytes_done
        for source, data, done in read_members(path, name):
            yield source, data
            self.bytes_done = before + done

    def _read_games(self, source: str, data: bytes) -> Iterator[DecodedGame]:
        """Yield the games of one SGF file. Damaged ones are counted."""
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
            self._cut.add(name, record, game)
            yield game

    def _count_damage(self, name: str, reason: str) -> None:
        self.damaged += 1
        # A collection in another format may have a hundred thousand of them.
        if self.damaged <= _MOST_MESSAGES:
            # Names come from archives, and must not command the terminal.
            logger.warning("skipped %s", printable(f"{name}: {reason}"))


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


def is_archive(path: Path) -> bool:
    """Return whether a file's name is that of an archive."""
    return path.name.lower().endswith((".zip", *TAR_SUFFIXES))


def _reason(error: Exception) -> str:
    """Return one line about the error of an unreadable file."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    # tarfile prints a line for each kind of compression that it has tried.
    if isinstance(error, tarfile.ReadError):
        return "damaged, or not a tar archive"
    return " ".join(str(error).split()) or type(error).__name__


def _numbered(source: str, number: int) -> str:
    """Return the source of a game in a file. The first one has the file's name."""
    return source if number == 1 else f"{source}#{number}"


def _find_files(path: Path, without: Path | None) -> list[tuple[Path, str]]:
    """Return the files under a path with their names as sources, in alphabetical order.

    without  a folder whose files are skipped
    """
    if path.is_dir():
        if not os.access(path, os.R_OK | os.X_OK):  # the search would find nothing
            raise SgfError(f"no permission to read this folder: {path}")
        suffixes = (*GAME_SUFFIXES, ".zip", *TAR_SUFFIXES)
        files = sorted(p for p in path.rglob("*") if is_game_file(p.name, suffixes))
        if without is not None:
            left_out = without.resolve()
            files = [p for p in files if left_out not in p.resolve().parents]
        # The order is fixed, since training depends on it. Names have slashes on every system,
        # since the first folder is the game's source.
        return [(p, p.relative_to(path).as_posix()) for p in files if p.is_file()]
    if not path.is_file():
        reason = "neither a file nor a folder" if path.exists() else "no such file or directory"
        raise SgfError(f"{reason}: {path}")
    return [(path, path.name)]


def _make_legal_moves(board: Board, plays: list[Play]) -> int:
    """Make moves up to the first illegal one and return their number; the board changes.

    Suicide and the recapture of a simple ko are illegal, as in training.
    """
    # Not one kernel for all moves: the warm-up lacks it, so each first review would compile it.
    for number, (color, point, _) in enumerate(plays):
        if point == PASS:  # place is not called, so the ban of the move before must end here
            board[KO] = 0
            continue
        # Occupied points are checked first, because is_legal assumes an empty one.
        if board[COLOR + point] != EMPTY or not is_legal(board, point, color):
            return number
        place(board, point, color)
    return len(plays)


def to_game(record: GameRecord, source: str) -> DecodedGame:
    """Return the moves of a record, up to an illegal one or stones set up after a move.

    Raises SgfError when its initial stones are impossible.
    """
    colors: dict[int, int] = {}
    plays: list[Play] = []
    for event in record.events:
        if isinstance(event, Play):
            plays.append(event)
        elif isinstance(event, Turn):
            continue  # each move has its color
        elif plays:  # stones are set up: from here on it is not a played game
            break
        else:
            _set_up(colors, event)
    black, white = (sorted(p for p, c in colors.items() if c == color) for color in (1, 2))
    movers = np.array([play.color for play in plays], np.int64)
    moves = np.array([play.point for play in plays], np.int64)
    try:
        board = set_up_board(record.size, black, white)
    except BadSetup as error:
        raise SgfError(f"the set-up is impossible: {error}") from None
    legal = _make_legal_moves(board, plays)
    return DecodedGame(
        size=record.size,
        black=np.array(black, np.int64),
        white=np.array(white, np.int64),
        colors=movers[:legal],
        moves=moves[:legal],
        source=source,
        komi=record.komi,
        winner=winner_of(record.result),
        ranks=(record.black_rank, record.white_rank),
        margin=margin_of(record.result),
    )


def winner_of(result: str | None) -> int:
    """Return the winner in a record's result, "B+3.5" or "W+R"; 0 for a jigo or if unknown."""
    color, plus, _ = (result or "").partition("+")
    colors = {"B": 1, "W": 2, "BLACK": 1, "WHITE": 2}
    return colors.get(color.strip().upper(), 0) if plus else 0


def margin_of(result: str | None) -> float | None:
    """Return Black's margin in a record's result, "W+3.5"; None if it was not counted."""
    match = _COUNTED.fullmatch((result or "").strip().upper())
    if match is None:
        return None
    return float(match[2].replace(",", ".")) * (1 if match[1] == "B" else -1)


def _set_up(colors: dict[int, int], setup: SetupStones) -> None:
    """Place and remove the stones of one node. ``colors`` maps points to colors."""
    colors.update(dict.fromkeys(setup.black, 1))
    # Later nodes win, as on a board. The dictionary keeps one color per point.
    colors.update(dict.fromkeys(setup.white, 2))
    for point in setup.empty:
        colors.pop(point, None)
