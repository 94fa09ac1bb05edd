"""The arena: ends of games, sides of results, matches that stop and go on, programs over GTP."""

import json
import sys
import threading
from pathlib import Path

import pytest

from engine import Game, YomiError, parse_vertex
from engine.jit import JIT_ENABLED
from scripts.kept_rows import KeptRows
from scripts.play import match
from scripts.play.arena import Score, SideReply, margin_of, play_game, play_match, score_of

STUB = f"{sys.executable} {Path(__file__).parents[1] / 'gtp_stub.py'}"


class Scripted:
    """Plays given moves, then passes; obeys "resign", "late" and "fail"."""

    def __init__(self, *words):
        self.words = list(words)

    def choose(self, game):
        word = self.words.pop(0) if self.words else "pass"
        if word == "fail":
            raise YomiError("out of order")
        if word in ("resign", "late"):
            return SideReply(resign=True, late=word == "late")
        return SideReply(parse_vertex(word, game.size))


def outcome(number, first, second, most_moves=50, **more):
    game = Game(5, komi=0.5)
    return play_game(number, game, (Scripted(*first), Scripted(*second)), most_moves, **more)


@pytest.mark.parametrize(
    ("number", "first", "second", "result", "won"),
    [
        (0, ["C3"], [], "B+24.5", 1.0),
        (1, ["C3"], [], "W+25.5", 1.0),
        (1, ["pass"], ["C3"], "B+24.5", 0.0),
        (0, ["resign"], [], "W+R", 0.0),
        (0, ["C3", "B2"], ["D4", "resign"], "B+R", 1.0),
        (1, ["resign"], ["C3"], "B+R", 0.0),
        (0, ["C3"], ["late"], "B+T", 1.0),
    ],
)
def test_how_games_end(number, first, second, result, won):
    found = outcome(number, first, second)
    assert (found.result, found.first) == (result, won)
    assert found.first_color == "BW"[number]
    assert found.error == ""
    assert found.agreed


@pytest.mark.parametrize(
    ("first", "second", "error"),
    [(["C3", "fail"], [], "out of order"), (["C3"], ["C3"], "illegal move: white C3")],
)
def test_a_side_that_fails_ends_the_game_without_a_result(first, second, error):
    found = outcome(0, first, second)
    assert found.first is None
    assert found.result == "?"
    assert found.error.startswith(error)
    assert found.record.startswith("BC3")


@pytest.mark.parametrize(
    ("result", "margin"), [("B+3.5", 3.5), ("W+0.5", -0.5), ("0", 0.0), ("W+R", None), ("?", None)]
)
def test_margins(result, margin):
    assert margin_of(result) == margin


# -- matches --------------------------------------------------------------------------------------


def row(number, first, moves=10):
    return {"game": number, "first": first, "moves": moves}


def test_a_match_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "games.json"
    played = []

    def play(number):
        played.append(number)
        return row(number, [1.0, 0.0, None, 0.5][number % 4])

    score = play_match(play, 3, KeptRows(path, {}))
    assert score == Score(1.0, 2)
    assert play_match(play, 6, KeptRows(path, {})) == Score(2.5, 5)
    assert played == list(range(6))
    assert score_of(json.loads(path.read_text())["rows"]) == Score(2.5, 5)


def test_games_side_by_side_are_kept_in_order():
    second = threading.Event()

    def play(number):
        if number == 0:
            assert second.wait(10)  # would wait in vain if games were played one by one
        second.set()
        return row(number, 1.0)

    kept = KeptRows(None, {})
    assert play_match(play, 5, kept, jobs=2).games == 5
    assert [each["game"] for each in kept.rows] == list(range(5))


# -- programs -------------------------------------------------------------------------------------


def run(tmp_path, first, second, *words):
    out = tmp_path / "match.json"
    command = ["--first", f"{STUB} {first}", "--second", f"{STUB} {second}", "--out", str(out)]
    assert match.main([*command, "--size", "5", "--komi", "0.5", *words]) == 0
    return json.loads(out.read_text())["games"]


def test_programs_play_and_agree(tmp_path, capsys):
    black, white = run(tmp_path, "B+24.5 C3 D2", "b+24.50 B2 pass", "--games", "2")
    assert (black["first_color"], black["first"], black["result"]) == ("B", 1.0, "B+24.5")
    assert black["record"] == "BC3 WB2 BD2 Wpass Bpass"
    assert (white["first_color"], white["first"], white["result"]) == ("W", 0.0, "B+24.5")
    assert white["record"] == "BB2 WC3 Bpass WD2 Bpass Wpass"
    *_, line = capsys.readouterr().out.splitlines()
    assert "   1   2  50.0   9.5  90.5    1 of 1  -0.01" in line


def test_repetitions_are_judged_by_the_requested_rules(tmp_path):
    # Two stones are given and one is taken back, which repeats a position.
    moves = "B+3.5 D1 C2 B1 A1 B1", "B+3.5 A2 B2 E5 C1"
    (forbidden,) = run(tmp_path, *moves, "--games", "1")
    assert forbidden["error"].startswith("illegal move: black B1")
    (tmp_path / "match.json").unlink()
    (allowed,) = run(tmp_path, *moves, "--games", "1", "--rules", "japanese")
    assert (allowed["error"], allowed["result"]) == ("", "B+3.5")


@pytest.mark.parametrize(
    ("first", "second", "words", "error"),
    [
        ("B+1 hang", "B+1", ["--timeout", "2"], "no answer"),
        ("B+1 die", "B+1", [], "ended"),
        ("B+1 A1 A1", "B+1", [], "illegal move"),
        ("B+1 A1 A3", "B+1 E5 E3", ["--max-moves", "3"], "no end after 3 moves"),
    ],
)
def test_errors_of_programs_are_reported(tmp_path, capsys, first, second, words, error):
    (game,) = run(tmp_path, first, second, "--games", "1", *words)
    assert error in game["error"]
    assert game["first"] is None
    assert error in capsys.readouterr().err


def test_scores_that_differ(tmp_path):
    one, other = run(tmp_path, "B+1 C3", "W+1", "--games", "2")
    assert (one["first"], one["agreed"], one["result"]) == (None, False, "B+1 / W+1")
    assert other["result"] == "W+1 / B+1"  # Black's first


def test_a_program_that_oversteps_its_clock_has_lost(tmp_path):
    (game,) = run(tmp_path, "B+1 C3", "B+1", "--games", "1", "--clock", "0")
    assert game["result"] == "W+T"


# -- players of this process ----------------------------------------------------------------------


def play(*words):
    """Return the exit status, and the rows of a match on a small board."""
    return match.main([*words, "--size", "5", "--komi", "0.5", "--playouts", "10"])


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--first", "1d", "--second", "fuego"], "cannot be started"),
        (["--first", "1d", "2d", "--second", "1k", "2k", "3k"], "2 first sides and 3 second"),
        (["--first", "1d", "2d", "--second", "1k", "--sprt"], "one pair"),
        (["--first", "yomi:b2=1", "--second", "uct"], "no such constant"),
    ],
)
def test_what_cannot_be_played(words, error, capsys):
    status = play(*words, "--games", "1")
    assert error in capsys.readouterr().err
    assert status == (0 if "started" in error else 2)  # a game without a result


@pytest.mark.skipif(not JIT_ENABLED, reason="searches take long without JIT")
def test_pairs_repeat_themselves_and_go_on(tmp_path, capsys):
    words = ["--first", "yomi", "--second", "uct", "yomi:exploration=1", "--plain"]
    for games in (1, 2):
        assert play(*words, "--games", str(games), "--out", str(tmp_path / "one.json")) == 0
        assert len(capsys.readouterr().out.splitlines()) == 3
    assert play(*words, "--games", "2", "--out", str(tmp_path / "two.json")) == 0
    one, two = (json.loads((tmp_path / f"{n}.json").read_text())["games"] for n in ("one", "two"))
    assert [{**row, "seconds": 0} for row in one] == [{**row, "seconds": 0} for row in two]
    assert [row["first_color"] for row in one] == ["B", "B", "W", "W"]
    assert [row["sides"][1] for row in one] == 2 * ["uct", "yomi:exploration=1"]
    assert {row["error"] for row in one} == {""}


@pytest.mark.skipif(not JIT_ENABLED, reason="searches take long without JIT")
def test_a_player_and_a_program_have_to_agree(capsys):
    assert play("--first", "uct", "--second", f"{STUB} B+99", "--games", "1", "--plain") == 0
    assert "scores disagree" in capsys.readouterr().err
