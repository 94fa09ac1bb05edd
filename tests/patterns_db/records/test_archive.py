"""patterns_db.records.archive: games survive packing, joining and the disk."""

import os
import subprocess
import sys

import numpy as np
import pytest

from engine.errors import SgfError
from engine.go.geometry import PASS
from patterns_db.records.archive import (
    POINT_BITS,
    SETUP_BIT,
    WHITE_BIT,
    decode_paths,
    join_archives,
    load_archive,
    pack_game,
    pack_games,
    read_archive,
    save_archive,
)
from patterns_db.records.games import DecodedGame
from tests.patterns_db.collections import random_collection, write_collection


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_a_move_is_its_point_and_two_bits():
    game = DecodedGame(
        9, np.array([30]), np.array([31]), np.array([2, 1]), np.array([32, PASS]), "x.sgf"
    )
    packed = pack_game(game)
    assert packed.dtype == np.uint16
    assert packed.tolist() == [30 | SETUP_BIT, 31 | SETUP_BIT | WHITE_BIT, 32 | WHITE_BIT, PASS]


def test_packed_games_keep_order_sizes_and_sources():
    games = random_collection(4)
    archive = pack_games(games)
    assert archive.games == 4
    assert archive.names == ("a", "b")
    assert archive.sources.tolist() == [0, 1, 0, 1]
    for i, game in enumerate(games):
        moves = archive.moves[archive.starts[i] : archive.starts[i + 1]]
        assert (moves & POINT_BITS).tolist() == game.moves.tolist()
        assert (1 + (moves >= WHITE_BIT)).tolist() == game.colors.tolist()


def test_joining_is_packing_together():
    games = random_collection(6)
    parts = [pack_games(games[:1]), pack_games([]), pack_games(games[1:])]
    assert same(join_archives(parts), pack_games(games))
    first = join_archives(parts, 3)
    assert same(first[:4], pack_games(games[:3])[:4])
    assert join_archives([]).games == 0


def test_disk_and_sgf_give_the_same(tmp_path):
    games = sorted(random_collection(6), key=lambda game: game.source)
    archive = pack_games(games)
    save_archive(archive, tmp_path / "games.npz")
    assert same(load_archive(tmp_path / "games.npz"), archive)
    folder = write_collection(tmp_path / "sgf", games)
    assert same(read_archive(folder), archive)
    assert read_archive(folder, 2).games == 2


def test_decoding_is_done_once_and_with_processes(tmp_path, monkeypatch):
    games = random_collection(4)
    paths = [write_collection(tmp_path / name, games) for name in ("one", "two")]
    files = decode_paths(paths, tmp_path, 2)
    monkeypatch.setattr("patterns_db.records.archive.read_archive", None)
    assert decode_paths(paths, tmp_path, 1) == files
    assert load_archive(files[0]).games == 4


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_no_worker_outlives_a_killed_reader():
    code = "from tests.patterns_db.slow_reading import main; main()"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert [process.stdout.readline() for _ in range(2)] == [b"begun\n"] * 2
    process.kill()
    # The output ends when no process holds it any more: the workers inherited it.
    assert process.communicate(timeout=60) == (b"", None)


def test_no_such_path(tmp_path):
    with pytest.raises(SgfError, match="no such file"):
        decode_paths([tmp_path / "nothing"], tmp_path)
