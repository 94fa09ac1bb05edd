"""Points lost by moves, judged by another program: choice of positions, questions, sums."""

import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest

from engine import BLACK, RULESETS, WHITE, Game, format_vertex, parse_vertex
from engine.errors import BadSetup
from scripts.check import points_lost
from scripts.check.points_lost import (
    PHASES,
    JudgedMove,
    KataGoJudge,
    expert_choices,
    look_at,
    own_choices,
    phase_of,
)
from scripts.controller import ProgramFailed
from tests.scripts.check.test_outcome import sgf_of

STUB = f"{sys.executable} {Path(__file__).parents[1] / 'gtp_stub.py'} B+1.0"


@pytest.fixture(scope="module")
def long_game():
    """Return a game longer than the range of positions; no player fills an own eye here."""
    game, chance = Game(19, RULESETS["chinese"], 6.5), random.Random(1)
    while len(game.moves) < PHASES["later"][1] + 1:
        game.play(game.to_play, chance.choice(game.legal_points(game.to_play)))
    return game


def record_of(game: Game) -> str:
    return " ".join(f"{'BW'[m.color - 1]}{format_vertex(m.point)}" for m in game.moves)


@pytest.fixture
def match(long_game, tmp_path):
    """Return a kept match of two games, in which the first side has one color each."""
    rows = [{"first_color": color, "record": record_of(long_game)} for color in "WB"]
    path = tmp_path / "match.json"
    path.write_text(json.dumps({"size": 19, "komi": 6.5, "games": rows}))
    return str(path)


def test_the_loss_of_a_move(judge):
    game = Game(9, komi=5.5)
    for color, vertex in ((BLACK, "C3"), (WHITE, "E5")):
        game.play(color, parse_vertex(vertex, 9))
    points = [parse_vertex(vertex, 9) for vertex in ("A1", "J9", "D3")]
    before, after = judge.leads(game, points)
    assert before == 3 - 5
    assert after == [3 + 1 - 5, 3 + 9 - 5, 3 + 4 - 5]


def test_a_program_that_does_not_judge():
    program = KataGoJudge(STUB)
    with pytest.raises(ProgramFailed, match="kata-search_analyze"):
        program.leads(Game(5), [])
    program.close()


def test_positions_of_own_games(match, long_game):
    found = list(own_choices([match], 3, np.random.default_rng(1)))
    for number, color in enumerate((WHITE, BLACK)):
        part = found[6 * number : 6 * number + 6]
        assert [phase_of(choice.game) for choice in part] == 3 * ["before"] + 3 * ["later"]
        for game, point in part:
            moves = [(m.color, m.point) for m in long_game.moves]
            assert [(m.color, m.point) for m in game.moves] == moves[: len(game.moves)]
            assert moves[len(game.moves)] == (color, point)
            assert (game.to_play, game.komi) == (color, 6.5)
            assert PHASES["before"][0] <= len(game.moves) < PHASES["later"][1]


@pytest.mark.parametrize("text", ["", "[]", '{"size": 9, "komi": 7}'])
def test_a_file_without_a_match(text, tmp_path):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(BadSetup, match=r"other\.json: not a match"):
        list(own_choices([str(path)], 1, np.random.default_rng(1)))


def test_positions_of_experts_games(long_game, tmp_path):
    for number in range(5):
        (tmp_path / f"{number}.sgf").write_bytes(sgf_of(long_game, "B+R"))
    (tmp_path / "small.sgf").write_bytes(sgf_of(Game(9), "B+R"))
    found = list(expert_choices([str(tmp_path)], 2, np.random.default_rng(1)))
    assert sorted(phase_of(choice.game) for choice in found) == 2 * ["before"] + 2 * ["later"]
    for game, point in found:
        move = long_game.moves[len(game.moves)]
        assert (move.color, move.point) == (game.to_play, point)


def test_positions_of_one_phase(match, long_game, tmp_path):
    (tmp_path / "game.sgf").write_bytes(sgf_of(long_game, "B+R"))
    for phase in PHASES:
        chance = np.random.default_rng(1)
        found = list(expert_choices([str(tmp_path)], 1, chance, [phase]))
        own = list(own_choices([match], 3, chance, [phase]))
        assert [phase_of(choice.game) for choice in found + own] == 7 * [phase]


def test_the_row_of_a_position(judge, monkeypatch):
    game = Game(9)
    vertices = {0: "B2", 5: "H2"}
    monkeypatch.setattr(
        points_lost, "chosen", lambda game, playouts, knowledge: parse_vertex(vertices[playouts], 9)
    )
    choice = JudgedMove(game, parse_vertex("C3", 9))
    row = look_at(choice, "own", [0, 5], None, judge)
    assert row["chosen"] == {"0": "B2", "5": "H2", "played": "C3"}
    # The stub's leads grow with the column, so moves there gain.
    assert row["lost"] == {"0": -2.0, "5": -8.0, "played": -3.0}
    assert (row["whose"], row["phase"], row["moves"]) == ("own", "opening", "")


def test_the_table(capsys):
    losses = [(1.0, 3.0), (40.0, 0.0)]
    rows = [
        {"whose": "own", "phase": "later", "lost": {"0": first, "9": second}}
        for first, second in losses
    ]
    points_lost.print_result(rows)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[:4] for line in lines[1:]] == [
        ["own", "later", "2", "0"],
        ["own", "later", "2", "9"],
        ["all", "all", "2", "0"],
        ["all", "all", "2", "9"],
    ]
    # Forty points count as MOST.
    assert [float(x) for x in lines[1][4:]] == [13.0, 0.0, 0.0, 0.5]
    error = np.std([2.0, -25.0]) / 2**0.5
    assert [float(x) for x in lines[2][4:]] == [1.5, -11.5, pytest.approx(error, abs=1e-4), 0.0]


def test_main_goes_on_where_it_stopped(match, judge_command, tmp_path, capsys, monkeypatch):
    asked = []

    def first_legal(game, playouts, knowledge):
        asked.append(len(game.moves))
        return min(game.legal_points(game.to_play))

    monkeypatch.setattr(points_lost, "chosen", first_legal)
    monkeypatch.setattr(points_lost, "load_knowledge", lambda: None)
    out = tmp_path / "lost.json"
    options = ["--own", match, "--judge", judge_command, "--playouts", "0", "--out", str(out)]
    assert points_lost.main([*options, "--positions", "1"]) == 0
    assert sorted(n < PHASES["later"][0] for n in asked) == [False, True]
    assert points_lost.main([*options, "--positions", "2"]) == 0
    assert len(asked) == 4
    rows = json.loads(out.read_text())["positions"]
    assert sorted((row["whose"], row["phase"]) for row in rows) == (
        2 * [("own", "before")] + 2 * [("own", "later")]
    )
    assert len({row["moves"] for row in rows}) == 4
    assert "own" in capsys.readouterr().out
    assert points_lost.main(["--own", match, "--judge", "no-such-program"]) == 2


def test_the_course_of_a_game_is_judged_as_its_positions_are(judge):
    game, games = Game(5, RULESETS["chinese"], 0.5), []
    for vertex in ("A1", "C3", "E1"):
        games.append(game.copy())
        game.play(game.to_play, parse_vertex(vertex, 5))
    games.append(Game(5, RULESETS["chinese"], 0.5))
    course = judge.course(games)
    assert course == [0.0, -1.0, -2.0, 0.0]
    assert course == [judge.leads(game, [])[0] for game in games]


def test_the_judge_gets_whites_points_for_handicap_stones(monkeypatch):
    sent = []

    class Program:
        """Records commands and finds every position even."""

        def __init__(self, *_):
            pass

        def send(self, command):
            sent.append(command)
            return "rootInfo scoreLead 0"

    monkeypatch.setattr(points_lost, "Controller", Program)
    handicap = Game(9, RULESETS["chinese"], 0.5)
    handicap.place_handicap([parse_vertex(vertex, 9) for vertex in ("C3", "G7", "G3")])
    free, course = Game(9, RULESETS["chinese"], 0.5), []
    for color, vertex in ((BLACK, "C3"), (BLACK, "G7"), (WHITE, "E5")):
        free.play(color, parse_vertex(vertex, 9))
        course.append(free.copy())
    judge = KataGoJudge("judge")
    judge.leads(handicap, [])
    # The points are in the komi, so the program must not add them again.
    assert sent[0] == "kata-set-rule whiteHandicapBonus 0"
    assert [command for command in sent if command.startswith("komi")] == ["komi 3.5"]
    sent.clear()
    judge.course(course)
    komis = [f"komi {game.full_komi}" for game in course]
    assert komis[0] != komis[-1]
    assert [command for command in sent if command.startswith("komi")] == sorted(set(komis))
