"""Answers of two places: questions spread over games, and notice of every kind of difference."""

import argparse
import json
import sys
from pathlib import Path

import pytest

from engine import Game
from engine.errors import IllegalMove
from scripts.check.equal import Place, first_difference, main, readings, record_game

STUB = f"{sys.executable} {Path(__file__).parents[1] / 'gtp_stub.py'}"

GAME = {"size": 5, "playouts": 9, "seed": 1, "score": "B+1", "moves": ["C3", "D4"],
        "reasons": ["a", "b"]}  # fmt: skip
ANSWERS = {"games": [GAME], "signature": {"signature": "7"}, "life": {"p1": "alive A1 30"}}


@pytest.mark.parametrize(
    ("part", "changed", "status", "printed"),
    [
        ("life", {"p1": "alive A1 30"}, 0, "life: 1 answers, 0 differences"),
        ("life", {"p1": "dead A1 30"}, 1, "p1: 'dead A1 30' against 'alive A1 30'"),
        ("life", {}, 1, "p1: 'missing' against 'alive A1 30'"),
        ("games", [GAME | {"moves": ["B2", "D4"]}], 1, "5x5: move 1: B2 against C3"),
        ("games", [GAME, GAME], 1, "2 games against 1"),
        ("signature", {"signature": "8"}, 1, "signature: '8' against '7'"),
    ],
)
def test_differences(tmp_path, capsys, part, changed, status, printed):
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    one.write_text(json.dumps(ANSWERS | {part: changed}))
    other.write_text(json.dumps(ANSWERS))
    assert main([str(one), str(other)]) == status
    assert printed in capsys.readouterr().out


def test_places_that_cannot_be_used(tmp_path, capsys):
    assert main([str(tmp_path / "nowhere.json")]) == 2
    assert main([str(tmp_path), "--games", "9:x:1"]) == 2
    assert main([str(tmp_path), "--games", "9:1"]) == 2
    for text in ("", "[]", '{"format": 1}'):
        (tmp_path / "empty.json").write_text(text)
        assert main([str(tmp_path / "empty.json")]) == 2
        assert "neither a checkout nor answers" in capsys.readouterr().err


def test_games_are_recorded(tmp_path):
    def recorded(moves):
        return record_game(5, 10, 1, Place(tmp_path, f"{STUB} B+1.0 {moves} --"))

    game = recorded("C3 D4")
    assert game["moves"] == ["C3", "D4", "pass", "pass"]
    assert (game["size"], game["playouts"], game["seed"], game["score"]) == (5, 10, 1, "B+1")
    assert len(set(game["reasons"])) == 1 <= len(game["reasons"]) == 4
    assert first_difference(game, recorded("C3 D2")) == "move 2: D4 against D2"
    with pytest.raises(IllegalMove):
        recorded("C3 C3")


def test_chains_with_few_liberties_are_read(tmp_path):
    game = Game(5)
    for vertex in ("A1", "C3"):
        game.play(vertex)
    read = readings(Place(tmp_path, f"{STUB} B+1.0 --"), [game], argparse.Namespace())
    assert read == {
        f"game 1, move {n}, {side} A1": "0" for n in (1, 2) for side in ("attack", "defend")
    }


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
