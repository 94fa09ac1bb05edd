"""The ladder: pairings, reproducible games, and runs that go on after a stop."""

import json
import sys
from pathlib import Path

import pytest

from engine import BadSetup, Game, Knowledge, Player, YomiError
from engine.go.geometry import PASS
from engine.jit import JIT_ENABLED
from engine.patterns.valuing import no_patterns
from engine.people.model import model_of_patterns
from engine.thinkers.levels import LEVELS
from scripts.play import ladder
from scripts.play.arena import ScoresDisagree
from scripts.play.ladder import Ladder, earlier_rows, margin_of_end, pairs_of, shares, table

STUB = f"{sys.executable} {Path(__file__).parents[1] / 'gtp_stub.py'}"
KNOWLEDGE = Knowledge(patterns=no_patterns(), people=model_of_patterns())
needs_jit = pytest.mark.skipif(not JIT_ENABLED, reason="whole games take a minute so")


@pytest.fixture(autouse=True)
def _no_tables(monkeypatch):
    monkeypatch.setattr(ladder, "load_knowledge", lambda: KNOWLEDGE)


def test_pairs():
    assert pairs_of([], 2, None)[0] == ("18k", "20k")
    assert pairs_of([], 2, None)[-1] == ("5d", "3d")
    assert len(pairs_of([], 2, None)) == len(LEVELS) - 2
    assert pairs_of(["1d", "5K"], 1, None) == [("1d", "1k"), ("5k", "6k")]
    assert pairs_of(["5k"], 2, "gnugo") == [("5k", "gnugo")]
    with pytest.raises(BadSetup, match="no level is 2 below 19k"):
        pairs_of(["1d", "19k"], 2, None)
    with pytest.raises(BadSetup, match="no such level"):
        pairs_of(["6d"], 2, None)


def test_the_table():
    row = {"level": "5k", "against": "7k", "first": 1.0, "moves": 10, "result": "B+R"}
    rows = [row, row | {"first": 0.0, "result": "B+1"}, row | {"first": None, "result": "?"}]
    assert table(rows, [("5k", "7k"), ("1d", "2k")]) == [
        ["5k", "7k", "1", 2, 50.0, pytest.approx(9.5, abs=0.1), pytest.approx(90.5, abs=0.1), 10,
         1, 1]
    ]  # fmt: skip
    assert shares(rows, [("5k", "7k"), ("1d", "2k")]) == {"5k": {"won": 1, "of": 2}}


def test_earlier_games_are_of_the_same_board_and_of_other_seeds(tmp_path):
    path = tmp_path / "ladder.json"
    now = Ladder((("4k", "6k"),), 9, 7.5, "chinese", 1)
    path.write_text(json.dumps(now._replace(seed=7)._asdict() | {"games": [{"game": 0}]}))
    assert earlier_rows(path, now) == [{"game": 0}]
    for other in (now._replace(seed=7), now._replace(size=13)):
        with pytest.raises(BadSetup, match="another board or with the same seed"):
            earlier_rows(path, other)
    path.write_text("[]")
    with pytest.raises(BadSetup, match="no games of a ladder"):
        earlier_rows(path, now)


class Counting:
    def __init__(self, score):
        self.score = score

    def final_score(self, game):
        return self.score


def test_the_end_is_judged_and_the_program_has_to_agree():
    game = Game(5)
    with pytest.raises(YomiError, match="no end"):
        margin_of_end(Player(), None, game)
    for color in (1, 2):
        game.play(color, PASS)
    margin = margin_of_end(Player(), None, game)
    assert margin_of_end(Player(), Counting(f"{'BW'[margin < 0]}+{abs(margin)}"), game) == margin
    with pytest.raises(ScoresDisagree):
        margin_of_end(Player(), Counting("B+99"), game)


@needs_jit
def test_a_game_does_not_depend_on_earlier_ones():
    shared = Ladder((("12k", "14k"), ("4k", "6k")), 5, 0.5, "chinese", 1)
    rows = [shared.play(number, KNOWLEDGE) for number in (2, 0, 2)]
    assert rows[0]["record"] == rows[2]["record"]
    assert rows[0]["record"] != rows[1]["record"]
    assert [row["first_color"] for row in rows] == ["W", "B", "W"]
    assert all(row["error"] == "" and row["first"] in (0, 0.5, 1) for row in rows)


@needs_jit
def test_it_goes_on_where_it_stopped(tmp_path, capsys):
    out = tmp_path / "ladder.json"
    command = ["--size", "5", "--levels", "4k", "12k", "--out", str(out), "--games"]
    assert ladder.main([*command, "1"]) == 0
    first = json.loads(out.read_text())["games"]
    assert [row["game"] for row in first] == [0, 1]
    assert ladder.main([*command, "2"]) == 0
    assert json.loads(out.read_text())["games"][:2] == first
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1].split()[:2] == ["12k", "14k"]
    assert ladder.main(["--size", "7", "--out", str(out)]) == 2
    assert "another ladder" in capsys.readouterr().err


@needs_jit
def test_against_a_program(capsys):
    """The stub passes, and reports any given score."""
    command = ["--size", "5", "--levels", "10k", "--games", "1", "--against"]
    assert ladder.main([*command, f"{STUB} B+99"]) == 0
    done = capsys.readouterr()
    assert "scores disagree" in done.err
    assert done.out.splitlines()[-1].split()[0] == "10k"
