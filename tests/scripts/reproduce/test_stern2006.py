import pytest

from engine.jit import JIT_ENABLED
from patterns_db.records.sgf import read_record
from scripts.reproduce.stern2006 import main

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
