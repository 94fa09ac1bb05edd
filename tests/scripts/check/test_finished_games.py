"""The ends of games: scores beside the records, needless stones."""

import json
import sys
from pathlib import Path

import pytest

from engine import BLACK, RULESETS, WHITE, Game, parse_vertex
from scripts.check import finished_games
from scripts.check.late_moves import Judge
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


def run(capsys, games, *options, replies="") -> list[str]:
    """Return the lines of a run with an engine that counts B+4.5 and gives the replies in turn."""
    command = ["--games", str(games), "--yomi", f"{STUB} B+4.5 {replies}"]
    assert finished_games.main([*command, *map(str, options)]) == 0
    return capsys.readouterr().out.splitlines()


def test_scores_are_compared_with_the_records(games, tmp_path, capsys):
    out = tmp_path / "rows.json"
    first = run(capsys, games, "--gnugo", f"{STUB} B+7.5", "--out", out)
    assert first[0] == "equal to the record: yomi 1 of 2, GNU Go 1 of 2"
    assert [line.split() for line in first[2:3]] == [["b.sgf", "B+7.5", "B+4.5", "B+7.5"]]
    assert first[3].endswith("where GNU Go agrees with the record: 3 (b.sgf)")
    assert first[4].startswith("seconds a final_score of yomi: median ")
    # Nothing is asked again: this GNU Go would answer differently.
    assert run(capsys, games, "--gnugo", f"{STUB} W+1", "--out", out) == first


def test_needless_stones_of_the_side_ahead_are_counted(games, capsys, monkeypatch):
    """Black is asked twice in each game: before any pass, and after both."""
    monkeypatch.setattr(Judge, "_gains", lambda *_: (0.0, 0.0))
    lines = run(capsys, games, "--gnugo", "", replies="A1 pass B2 B3")
    none = "defenses left out in 0, early passes in 0, winner changes in 0"
    assert lines[-1] == f"2 games: needless stones in 2, {none}"
    assert [line.split() for line in lines[-4:-1]] == [
        ["a.sgf", "10", "a1", "needless", "stones", "1.0000"],
        ["b.sgf", "10", "b2", "needless", "stones", "1.0000"],
        ["b.sgf", "12", "b3", "needless", "stones", "1.0000"],
    ]
    assert run(capsys, games, "--gnugo", "")[-1].startswith("2 games: needless stones in 0")


def test_games_of_a_match_are_judged_by_its_rules(tmp_path, capsys, monkeypatch):
    """Only the first of three games was counted after two passes. Black plays A1, then passes."""
    moves = MOVES.replace(";", " ").replace("[", "").replace("]", "").upper()
    words = [word[0] + word[1] + str(ord(word[2]) - 64) for word in moves.split()]
    end = "BA1 Wpass Bpass"
    records = {"B+3.5": f"{end} Wpass", "W+R": f"{end} Wpass", "W+4.5": "BA1 Wpass"}
    rows = [
        {"game": number, "first_color": "B", "result": result, "record": " ".join([*words, end])}
        for number, (result, end) in enumerate(records.items())
    ]
    match = {"size": 5, "komi": 0.5, "rules": "japanese", "games": rows}
    path = tmp_path / "own.json"
    path.write_text(json.dumps(match))
    # White is to gain four points after both passes.
    monkeypatch.setattr(Judge, "_gains", lambda _, game, *rest: (4.0 * (game.passes == 2),) * 2)
    lines = run(capsys, path, "--gnugo", "", "--rules", "chinese")
    assert lines[0] == "equal to the record: yomi 0 of 1; GNU Go was not asked"
    assert [line.split()[2:] for line in lines[-4:-1]] == [
        ["10", "A1", "needless", "stones", "1.0000"],
        ["12", "pass", "defenses", "left", "out", "4.0000"],
        ["12", "pass", "winner", "changes", "4.0000"],
    ]


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
