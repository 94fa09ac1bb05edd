"""patterns_db.records.archive: games survive packing, joining and the disk."""

import numpy as np

from patterns_db.records.archive import (
    decode_paths,
    load_archive,
    pack_games,
    read_archive,
    save_archive,
)
from tests.patterns_db.collections import random_collection, write_collection


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_disk_and_sgf_give_the_same(tmp_path):
    games = sorted(random_collection(6), key=lambda game: game.source)
    archive = pack_games(games)
    save_archive(archive, tmp_path / "games.npz")
    assert same(load_archive(tmp_path / "games.npz"), archive)
    folder = write_collection(tmp_path / "sgf", games)
    assert same(read_archive(folder), archive)
    assert read_archive(folder, 2).games == 2


def test_decoding_is_done_once(tmp_path, monkeypatch):
    games = random_collection(4)
    paths = [write_collection(tmp_path / name, games) for name in ("one", "two")]
    files = decode_paths(paths, tmp_path)
    monkeypatch.setattr("patterns_db.records.archive.read_archive", None)
    assert decode_paths(paths, tmp_path) == files
    assert load_archive(files[0]).games == 4
