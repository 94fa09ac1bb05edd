"""The ends of games: scores beside the records, needless stones, passes looked at again."""

import json
import sys
from pathlib import Path

import pytest

from engine import BLACK, RULESETS, WHITE, Game, Player, PlayerOptions, format_vertex, parse_vertex
from engine.go.geometry import PASS
from scripts.check import finished_games, playing_on
from scripts.play.gtp_side import show_game
from tests.diagrams import HANGING, game_of

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
    command = ["--games", str(games), "--yomi", f"{STUB} B+4.5 {replies}", "--playouts", "0"]
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


def test_a_record_without_a_komi_is_left_out(games, capsys):
    (games / "a.sgf").write_text(f"(;GM[1]SZ[5]RU[Japanese]RE[B+5]{MOVES};B[];W[])")
    lines = run(capsys, games, "--gnugo", "")
    assert lines[0] == "equal to the record: yomi 0 of 1; GNU Go was not asked"
    assert lines[2].split()[0] == "b.sgf"


def test_needless_stones_of_the_side_ahead_are_counted(games, capsys):
    """Black is asked twice in each game: before any pass, and after both."""
    lines = run(capsys, games, "--gnugo", "", replies="A1 pass B2 B3")
    assert lines[-1] == (
        "2 games: needless stones in 2, winner changes in 0, early passes in 0, left out in 0"
    )
    assert [line.split() for line in lines[-4:-1]] == [
        ["a.sgf", "10", "a1", "needless", "stones", "1.0000"],
        ["b.sgf", "10", "b2", "needless", "stones", "1.0000"],
        ["b.sgf", "12", "b3", "needless", "stones", "1.0000"],
    ]
    assert run(capsys, games, "--gnugo", "")[-1].startswith("2 games: needless stones in 0")


def test_by_area_a_stone_in_own_territory_costs_nothing(games, capsys):
    lines = run(capsys, games, "--gnugo", "", "--rules", "chinese", replies="A1 A2 A3 A4")
    assert lines[-1].startswith("2 games: needless stones in 0")


def test_bad_input_is_one_line(tmp_path, capsys):
    for options in ([str(tmp_path / "none.sgf")], [str(tmp_path)]):
        command = ["--games", *options, "--yomi", f"{STUB} B+1"]
        assert finished_games.main(command) != 0
        out, err = capsys.readouterr()
        assert out == ""
        # The progress bar has its own lines.
        assert err.count("finished_games: ") == 1
        assert err.splitlines()[-1].startswith("finished_games: ")


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


PLAYER = PlayerOptions(playouts=60, threads=1, seed=1, tactics=False, sums=False)
JAPANESE = RULESETS["japanese"]


def test_turns_of_one_side_at_the_end():
    """Its passes, and all moves after a pass of the other side."""
    row = {"first_color": "W", "record": "BC3 Wpass BB2 WD4 Bpass WA1 BA2 Wpass"}
    turns = list(finished_games.turns_of(row, Game(5, JAPANESE), True))
    assert [(len(game.moves), format_vertex(point)) for game, point in turns] == [
        (1, "pass"),
        (5, "A1"),
        (7, "pass"),
    ]
    turns = list(finished_games.turns_of(row, Game(5, JAPANESE), False))
    assert [format_vertex(point) for _, point in turns] == ["B2", "pass", "A2"]


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_where_all_is_settled_nothing_is_gained(to_play):
    diagram = """
        . X X O .
        X X X O O
        . X O . O
        X X O O O
        . X O . O"""
    game = game_of(diagram, to_play, JAPANESE)
    _, area, gain = playing_on.gain_by_playing_on(game, Player(PLAYER), Player(PLAYER))
    assert area <= 1.0
    assert gain <= 1.0
    assert game.rules == JAPANESE
    assert not game.moves


def test_where_only_eyes_are_left_passing_is_all_there_is():
    game = game_of(". X\nX .", BLACK, JAPANESE)
    assert playing_on.best_move(game, Player(PLAYER)) == PASS
    players = Player(PLAYER), Player(PLAYER)
    assert playing_on.gain_by_playing_on(game, *players) == (PASS, 0.0, 0.0)


@pytest.mark.parametrize("komi", [-40.5, 0.5, 40.5])
def test_a_kill_gains_in_games_won_and_lost_too(komi):
    game = game_of(HANGING, BLACK, RULESETS["chinese"])
    game.komi = komi
    players = Player(PLAYER), Player(PLAYER)
    move, area, gain = playing_on.gain_by_playing_on(game, *players)
    assert (format_vertex(move), area, gain) == ("D4", 24.0, 24.0)
    assert game.komi == komi


def test_a_rescue_gains_where_the_group_counts_dead():
    game = game_of(HANGING, WHITE, JAPANESE)
    players = Player(PLAYER), Player(PLAYER)
    move, area, gain = playing_on.gain_by_playing_on(game, *players)
    assert (format_vertex(move), area, gain) == ("D4", 24.0, 23.0)


def test_findings_about_a_match_are_named(tmp_path, capsys, monkeypatch):
    rows = [{"game": 4, "first_color": "B", "record": "BC3 WD4 Bpass Wpass"}]
    path = tmp_path / "match.json"
    path.write_text(json.dumps({"size": 5, "komi": 0.5, "games": rows}))
    gains = {2: (7.0, 2.0), 3: (3.0, 1.0)}

    def gain(game, player, answering):
        assert answering.options.playouts == 10 * player.options.playouts
        return PASS, *gains[len(game.moves)]

    monkeypatch.setattr(finished_games, "gain_by_playing_on", gain)
    command = ["--match", str(path), "--rules", "japanese"]
    assert finished_games.main(command) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[1].split() == ["4", "2", "pass", "early", "passes", "2.0000"]
    assert out[-1].endswith("early passes in 1, left out in 0")
    gains = {2: (1.0, 7.0), 3: (3.0, 2.0)}
    assert finished_games.main(command) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("early passes in 0, left out in 1")
    path.write_text("{}")
    assert finished_games.main(command) == 2
    assert capsys.readouterr().err.count("finished_games: ") == 1
