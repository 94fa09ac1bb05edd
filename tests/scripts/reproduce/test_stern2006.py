import numpy as np
import pytest

from engine.jit import JIT_ENABLED
from patterns_db.patterns.evaluation import (
    ABOVE,
    EQUAL,
    LEGAL,
    OUTCOMES,
    TEMPLATE,
    Evaluation,
)
from patterns_db.records.sgf import read_record
from scripts.reproduce import pattern_models
from scripts.reproduce.pattern_models import full_boards
from scripts.reproduce.stern2006 import main
from tests.patterns_db.collections import random_collection, write_collection

RECORD = b"(;SZ[9]KM[5.5];B[ee];W[ec];B[gd])"


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_bytes(RECORD)
    return str(path)


def test_a_board_of_probabilities(record, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    plot = tmp_path / "board.png"
    assert main(["figure1", record, "--move", "3", "--plot", str(plot)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "black to play, move 3" in lines[12]
    percents = [float(line.split()[2]) for line in lines[14:34]]
    assert percents == sorted(percents, reverse=True)
    assert 0 < sum(percents) <= 100.0
    assert lines[-1].startswith("played: G6, rank ")
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert main(["figure1", record, "--move", "4"]) == 0  # after the last move
    assert "played:" not in capsys.readouterr().out


@pytest.mark.skipif(not JIT_ENABLED, reason="judging positions without JIT takes long")
def test_a_game_against_itself_is_always_the_same(tmp_path, capsys):
    out = tmp_path / "game.sgf"
    options = ["figure6", "--out", str(out), "--moves", "12", "--size", "9"]
    assert main(options) == 0
    data = out.read_bytes()
    assert len(read_record(data).moves) == 12
    assert main(options) == 0
    assert out.read_bytes() == data
    first, second = capsys.readouterr().out.splitlines()[13::14]
    assert first == second


def test_all_models_on_the_same_games(tmp_path, capsys, monkeypatch):
    pytest.importorskip("matplotlib")
    # Drawing takes seconds, and tests of ``yomi evaluate`` draw these figures.
    monkeypatch.setattr(pattern_models, "plot_summary", lambda *drawn: None)
    games = random_collection(3, size=4, length=10)
    folder = str(write_collection(tmp_path / "games", games))
    plots = tmp_path / "new" / "plots"
    words = ["models", "--games", folder, "--test", folder, "--max-test-games", "2"]
    assert main([*words, "--plot", str(plots)]) == 0
    names = {"independent.png", "bernoulli.png", "nested.png"}
    assert {path.name for path in plots.iterdir()} == names
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("2 test games, ")
    tops = {line.split()[0]: [float(x) for x in line.split()[1:5]] for line in lines[2:5]}
    assert list(tops) == ["independent", "bernoulli", "nested"]
    assert all(0 < first < 100 and row == sorted(row) for row in tops.values() for first in row[:1])
    phase = lines[lines.index("by template") - 2].split()
    assert phase[:2] == ["1-30", "100.0000"]
    first, last = lines.index("by template") + 2, lines.index("full-board matches") - 1
    assert sum(float(line.split()[1]) for line in lines[first:last]) == pytest.approx(100, abs=0.01)


def test_full_boards_say_how_many_symmetric_moves_share_a_place():
    outcomes = np.zeros((4, OUTCOMES))
    outcomes[:, EQUAL], outcomes[:, LEGAL] = (4, 1, 1, 1), 50
    outcomes[:, ABOVE] = 0, 0, 3, 9
    outcomes[:, TEMPLATE] = 14, 14, 14, 13
    result = Evaluation(outcomes, np.array([0, 1, 20, 1]), np.zeros(4, int), np.zeros((20, 3)), 0.0)
    header, rows = full_boards(result)
    assert header[2:5] == ["right %", "at best %", "ties %"]
    assert rows[0] == ["1-1", 1, 25.0, 100.0, 100.0, 100.0, 1.0]
    assert rows[-1][:5] == [
        "1-",
        3,
        pytest.approx(125 / 3),
        pytest.approx(200 / 3),
        pytest.approx(100 / 3),
    ]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["none.sgf"], "none.sgf: No such file"),
        (["{}", "--move", "9"], "--move is from 1 to 4"),
        (["{}", "--plot", "x.txt"], "a plot is one of"),
        (["{}", "--patterns", "none.table"], "none.table"),
    ],
)
def test_impossible_requests_are_one_line(record, capsys, options, reason):
    assert main(["figure1", *(word.format(record) for word in options)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert reason in err
    assert err.count("\n") == 1
