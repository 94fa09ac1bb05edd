"""Hostile files: each reader's result is reported."""

from scripts.check.hostile_games import GAME, reading


def test_games_and_damage_are_counted(tmp_path):
    path = tmp_path / "games.sgf"
    _, what = reading(path, (GAME + b")\n") * 2 + GAME + b"(;B[aa]);B[bb]")
    assert what == "2 games, 1 damaged"
