"""Decoded games: all moves of a collection in one compact array, kept on disk.

Reading SGF takes several times as long as replaying it, and training reads the games three times. A
move has 16 bits: its point, a bit for its color, and a bit for a stone that was set up and not
played. 200,000 games need 85 MB.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.store.checkpointing import load_arrays, save_arrays

# Points of the padded board fit into 14 bits.
WHITE_BIT, SETUP_BIT = 0x8000, 0x4000
POINT_BITS = 0x3FFF


class GameArchive(NamedTuple):
    """Many games in one array."""

    # uint16[all moves], a point (or PASS) with WHITE_BIT and SETUP_BIT
    moves: npt.NDArray[np.uint16]
    starts: npt.NDArray[np.int64]  # int64[games + 1], the start of each game in ``moves``
    sizes: npt.NDArray[np.uint8]  # uint8[games], board sizes
    sources: npt.NDArray[np.uint16]  # uint16[games], index into ``names``
    names: tuple[str, ...]  # sources of games: the first folder in the archive ("kgs"), or ""
    damaged: int  # number of unreadable games

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.sizes)


def pack_game(game: DecodedGame) -> npt.NDArray[np.uint16]:
    """Return a game's set-up stones and moves as uint16[n]. See GameArchive.moves."""
    return np.concatenate(
        [
            # Set-up stones come first, as a kind of moves, so that a replay needs one loop.
            game.black | SETUP_BIT,
            game.white | SETUP_BIT | WHITE_BIT,
            game.moves | (game.colors == 2) * WHITE_BIT,
        ]
    ).astype(np.uint16)


def pack_games(games: Iterable[DecodedGame]) -> GameArchive:
    """Return games in one array, in their order."""
    packed: list[npt.NDArray[np.uint16]] = []
    sizes: list[int] = []
    sources: list[int] = []
    names: dict[str, int] = {}  # in order of appearance, which gives the numbers that games store
    for game in games:
        folder = game.source.rpartition("/")[0].partition("/")[0]
        packed.append(pack_game(game))
        sizes.append(game.size)
        sources.append(names.setdefault(folder, len(names)))
    return GameArchive(
        moves=np.concatenate([np.zeros(0, np.uint16), *packed]),
        starts=np.cumsum([0, *map(len, packed)]),
        sizes=np.array(sizes, np.uint8),
        sources=np.array(sources, np.uint16),
        names=tuple(names),
        damaged=0,
    )


def join_archives(parts: Sequence[GameArchive], max_games: int | None = None) -> GameArchive:
    """Return several archives as one, cut after ``max_games`` games."""
    names: dict[str, int] = {}
    renamed = [
        # Each part numbers its sources from 0. Equal names get one number here.
        np.array([names.setdefault(n, len(names)) for n in part.names], np.uint16)[part.sources]
        for part in parts
        if part.games
    ]
    lengths = np.concatenate([np.zeros(0, np.int64), *(np.diff(part.starts) for part in parts)])
    sizes = np.concatenate([np.zeros(0, np.uint8), *(part.sizes for part in parts)])
    sources = np.concatenate([np.zeros(0, np.uint16), *renamed])
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths[:max_games])])
    moves = np.concatenate([np.zeros(0, np.uint16), *(part.moves for part in parts)])
    return GameArchive(
        moves=moves[: starts[-1]], starts=starts, sizes=sizes[:max_games],
        sources=sources[:max_games], names=tuple(names),
        damaged=sum(part.damaged for part in parts),
    )  # fmt: skip


def cut_games(archive: GameArchive, first: int, last: int) -> GameArchive:
    """Return the games first..last - 1 of an archive, without its count of damaged games."""
    starts = archive.starts[first : last + 1]
    return archive._replace(
        moves=archive.moves[starts[0] : starts[-1]],
        starts=starts - starts[0],
        sizes=archive.sizes[first:last],
        sources=archive.sources[first:last],
        damaged=0,
    )


def read_archive(path: str | Path, max_games: int | None = None) -> GameArchive:
    """Read the games under one path (see GameReader), with a progress bar.

    Raises SgfError for a path that does not exist.
    """
    reader = GameReader([path])
    # The limit ends the reading as well, because a collection takes minutes.
    archive = pack_games(reader.with_progress(islice(reader, max_games), "reading"))
    # This is known only when the reader has finished.
    return archive._replace(damaged=reader.damaged)


def save_archive(archive: GameArchive, file: Path) -> None:
    """Write an archive as .npz, atomically."""
    # Names are stored as text. Objects would need pickle, which can run any code when it is read.
    save_arrays(file, {**archive._asdict(), "names": np.array(archive.names, np.str_)})


def load_archive(file: Path) -> GameArchive:
    """Read an archive that ``save_archive`` wrote. Raises ModelFormatError."""
    fields: dict[str, Any] = {**load_arrays(file)}
    fields["names"] = tuple(str(name) for name in fields["names"])
    fields["damaged"] = int(fields["damaged"])
    return GameArchive(**fields)


def decode_paths(paths: Sequence[str | Path], folder: Path) -> list[Path]:
    """Decode each path into a file of the folder, unless the file exists. Return the files.

    A file is named after the path's number, name and size, so other games get other files.
    """
    files = []
    for number, path in enumerate(map(Path, paths)):
        files.append(folder / f"games-{number:02}-{path.name}-{path.stat().st_size}.npz")
        if not files[-1].exists():
            save_archive(read_archive(path), files[-1])
    return files
