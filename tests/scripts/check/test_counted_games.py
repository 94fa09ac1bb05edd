"""Scores of counted games compared with the record's: choice of games, table, continued runs."""

import json
import sys
from pathlib import Path

import pytest

from engine import BLACK, RULESETS, WHITE, Game, parse_vertex
from scripts.check import counted_games
from scripts.play.gtp_side import show_game

STUB = f"{sys.executable} {Path(__file__).parents[1] / 'gtp_stub.py'}"
# Black has ten points of territory, and White has five. With komi 0.5 Black wins by 4.5 points.
MOVES = "".join(f";B[c{row}];W[d{row}]" for row in "abcde")
RIGHT, WRONG = "B+4.5", "B+7.5"


@pytest.fixture
def games(tmp_path):
    """Six games, two of which are counted and ended with passes."""
    folder = tmp_path / "games"
    folder.mkdir()
    endings = {
        "a": (RIGHT, ";B[];W[]"),
        "b": (WRONG, ";B[];W[]"),
        "resigned": ("B+R", ";B[];W[]"),
        "jigo": ("0", ";B[];W[]"),
        "open": (RIGHT, ";B[]"),
        "illegal": (RIGHT, ";B[cc];W[];B[]"),
    }
    for name, (result, end) in endings.items():
        text = f"(;GM[1]SZ[5]KM[0.5]RU[Japanese]RE[{result}]{MOVES}{end})"
        (folder / f"{name}.sgf").write_text(text)
    return folder


def run(capsys, games, *options) -> list[str]:
    assert counted_games.main(["--games", str(games), *map(str, options)]) == 0
    return capsys.readouterr().out.splitlines()


def test_scores_are_compared_with_the_records(games, tmp_path, capsys):
    out = tmp_path / "rows.json"
    first = run(capsys, games, "--gnugo", f"{STUB} B+7.5", "--out", out)
    assert first[0] == "equal to the record: yomi 1 of 2, GNU Go 1 of 2"
    assert [line.split() for line in first[2:4]] == [
        ["a.sgf", "B+4.5", "B+4.5", "B+7.5", "0.0000"],
        ["b.sgf", "B+7.5", "B+4.5", "B+7.5", "3.0000"],
    ]
    assert first[4].endswith("where GNU Go agrees with the record: 3 (b.sgf)")
    assert first[5].startswith("seconds a final_score of yomi: median ")
    # Nothing is asked again: this GNU Go would answer differently.
    assert run(capsys, games, "--gnugo", f"{STUB} W+1", "--out", out) == first
    again = run(capsys, games, "--gnugo", f"{STUB} W+1", "--gnugo-scores", out)
    assert again[:5] == first[:5]


def test_a_record_without_a_komi_is_left_out(games, capsys):
    (games / "a.sgf").write_text(f"(;GM[1]SZ[5]RU[Japanese]RE[B+5]{MOVES};B[];W[])")
    lines = run(capsys, games, "--gnugo", "")
    assert lines[0] == "equal to the record: yomi 0 of 1; GNU Go was not asked"
    assert lines[2].split()[0] == "b.sgf"


@pytest.mark.parametrize(("rules", "margin"), [("record", "B+4.5"), ("chinese", "B+4.5")])
def test_rules_may_be_named(games, capsys, rules, margin):
    """By area Black has 15 points and White 10: the same margin."""
    lines = run(capsys, games, "--gnugo", "", "--rules", rules)
    assert lines[2].split()[:3] == ["b.sgf", "B+7.5", margin]


def test_bad_input_is_one_line(tmp_path, capsys):
    (tmp_path / "rows.json").write_text("{}")
    for options in (
        [str(tmp_path / "none.sgf")],
        [str(tmp_path), "--gnugo-scores", str(tmp_path / "rows.json")],
        [str(tmp_path)],
    ):
        assert counted_games.main(["--games", *options]) != 0
        out, err = capsys.readouterr()
        assert out == ""
        # The progress bar has its own lines.
        assert err.count("counted_games: ") == 1
        assert err.splitlines()[-1].startswith("counted_games: ")


class Listener:
    """A program that keeps the commands."""

    def __init__(self) -> None:
        self.commands: list[str] = []

    def send(self, command: str) -> str:
        self.commands.append(command)
        return ""


def shown(game: Game) -> list[str]:
    program = Listener()
    show_game(program, game)
    return program.commands[3:]


def test_programs_are_told_the_set_up():
    game = Game(5, RULESETS["japanese"])
    game.place_handicap([parse_vertex("B2", 5), parse_vertex("D4", 5)])
    game.play(WHITE, parse_vertex("C3", 5))
    assert shown(game) == ["set_free_handicap B2 D4", "play w C3"]
    game = Game(5, RULESETS["japanese"])
    game.setup([parse_vertex("B2", 5)], [parse_vertex("D4", 5)], BLACK)
    assert shown(game) == ["play b B2", "play w D4"]


def test_rows_have_what_the_table_needs(games, tmp_path, capsys):
    run(capsys, games, "--gnugo", "", "--out", tmp_path / "rows.json")
    rows = json.loads((tmp_path / "rows.json").read_text())["games_counted"]
    assert [row["game"] for row in rows] == ["a.sgf", "b.sgf"]
    assert all(row["gnugo"] is None for row in rows)
