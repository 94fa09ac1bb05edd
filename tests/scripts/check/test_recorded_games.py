"""Recorded games: the engine's moves, and notice of every kind of difference."""

import json
import sys
from pathlib import Path

import pytest

from engine.jit import JIT_ENABLED
from scripts.check.recorded_games import first_difference, main

STUB = f"{sys.executable} {Path(__file__).parents[1] / 'gtp_stub.py'}"
GAME = {
    "size": 5,
    "playouts": 9,
    "seed": 1,
    "score": "B+1",
    "moves": ["C3", "D4"],
    "reasons": ["a", "b"],
}


def test_games_are_recorded_and_compared(tmp_path, capsys):
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    words = [str(tmp_path), "--games", "5:10:1", "--engine"]
    assert main([*words, f"{STUB} B+1.0 C3 D4", "--out", str(one)]) == 0
    (game,) = json.loads(one.read_text())["games"]
    assert game["moves"] == ["C3", "D4", "pass", "pass"]
    assert (game["size"], game["playouts"], game["seed"], game["score"]) == (5, 10, 1, "B+1")
    assert len(set(game["reasons"])) == 1 <= len(game["reasons"]) == 4
    assert main([str(one), "--against", str(one)]) == 0
    assert "5x5, 4 moves, B+1: the same" in capsys.readouterr().out
    assert main([*words, f"{STUB} B+1.0 C3 D2", "--out", str(other), "--against", str(one)]) == 1
    assert "move 2: D2 against D4" in capsys.readouterr().out
    assert main([*words, f"{STUB} B+1.0 C3 C3"]) == 2
    assert "illegal move" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({}, ""),
        ({"seed": 2}, "other conditions"),
        ({"moves": ["C3", "A1"]}, "move 2: D4 against A1"),
        ({"reasons": ["x", "b"]}, "move 1: C3 in both, with another explanation"),
        ({"moves": ["C3"], "reasons": ["a"]}, "2 moves against 1"),
        ({"score": "W+1"}, "score B+1, W+1"),
    ],
)
def test_the_first_difference(change, difference):
    assert first_difference(GAME, GAME | change) == difference


def test_places_that_cannot_be_used(tmp_path, capsys):
    path = tmp_path / "games.json"
    for text in ("", "[]", '{"format": 0, "games": []}', '{"format": 1}'):
        path.write_text(text)
        assert main([str(path)]) == 2
    assert main([str(tmp_path / "nowhere")]) == 2
    assert main([str(tmp_path), "--games", "9:x:1"]) == 2
    assert main([str(tmp_path), "--games", "9:1"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 7
    assert all(error.startswith("recorded_games: ") for error in errors)


@pytest.mark.skipif(not JIT_ENABLED, reason="starts the engine, which would take minutes")
def test_the_engine_plays_the_same_game_twice(capsys):
    root = str(Path(__file__).parents[3])
    assert main([root, "--against", root, "--games", "3:5:1"]) == 0
    assert "the same" in capsys.readouterr().out
