"""Comparing moves by a long search's opinion: the same search gains nothing, and work is kept."""

import json
import sys

import pytest

from engine.jit import JIT_ENABLED
from scripts.play import compare_moves
from tests.patterns_db.collections import random_collection, write_collection

pytestmark = pytest.mark.skipif(not JIT_ENABLED, reason="searches many positions")


def run(monkeypatch, *words):
    common = ["--size", "5", "--playouts", "30", "--judge-playouts", "60", "--every", "2"]
    monkeypatch.setattr(sys, "argv", ["compare_moves", *common, *words])
    return compare_moves.main()


def test_a_search_gains_nothing_over_itself(tmp_path, monkeypatch, capsys):
    out = tmp_path / "moves.json"
    words = ["--first", "yomi", "--second", "yomi", "--komi", "2.5", "--out", str(out)]
    assert run(monkeypatch, *words, "--games", "1") == 0
    (first,) = json.loads(out.read_text())["games"]
    assert first["gains"] == []
    assert run(monkeypatch, *words, "--games", "2") == 0
    both = json.loads(out.read_text())["games"]
    assert both[0] == first
    assert sum(game["positions"] for game in both) > 0
    assert "0 moves differ" in capsys.readouterr().out
    assert run(monkeypatch, *words, "--games", "2", "--seed", "9") == 2
    assert "another comparison" in capsys.readouterr().err


def test_other_moves_are_judged(tmp_path, monkeypatch):
    out = tmp_path / "moves.json"
    words = ["--first", "yomi", "--second", "yomi:informed=0,guided=0", "--out", str(out)]
    assert run(monkeypatch, *words, "--games", "3", "--komi", "2.5") == 0
    gains = [gain for game in json.loads(out.read_text())["games"] for gain in game["gains"]]
    assert gains
    assert all(-1.0 <= gain <= 1.0 for gain in gains)


def test_positions_of_records(tmp_path, monkeypatch):
    games = write_collection(tmp_path / "games", random_collection(3, size=5, length=20))
    out = tmp_path / "moves.json"
    words = ["--first", "yomi", "--second", "yomi:tactics=1", "--from", str(games)]
    assert run(monkeypatch, *words, "--games", "2", "--out", str(out)) == 0
    stored = json.loads(out.read_text())
    # After 4 to 13 moves, every second one.
    assert [game["positions"] for game in stored["games"]] == [5, 5]
    assert stored["records"] == [games.name]


def test_the_mean_gain_and_its_error():
    rows = [
        {"positions": 5, "gains": [0.02, -0.01], "seconds": [1.0, 0.5]},
        {"positions": 4, "gains": [0.05], "seconds": [0.8, 0.4]},
    ]
    assert compare_moves.summary(rows) == (
        "200 and 100 ms a move; 9 positions, 3 moves differ; where they do, the first gains "
        "2.00 +- 1.73 points of win rate"
    )
