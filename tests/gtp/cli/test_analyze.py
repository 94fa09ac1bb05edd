"""The command ``yomi analyze``."""

import pytest

from engine.jit import JIT_ENABLED
from gtp.__main__ import main
from patterns_db.records import read_record

RECORD = b"(;SZ[5]KM[0.5];B[cc];W[bb];B[cb];W[])"


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_bytes(RECORD)
    return path


@pytest.mark.skipif(not JIT_ENABLED, reason="searches without JIT take long")
def test_a_review(record, tmp_path, capsys):
    out, plot = tmp_path / "out.sgf", tmp_path / "rates.svg"
    options = ["--out", str(out), "--playouts", "8", "--threads", "1"]
    pytest.importorskip("matplotlib")
    assert main(["analyze", str(record), *options, "--plot", str(plot)]) == 0
    first = capsys.readouterr().out
    lines = first.splitlines()
    assert [line.split(":")[0] for line in lines[:4]] == ["1 B C3", "2 W B4", "3 B C4", "4 W pass"]
    assert lines[4] == "largest losses:"
    data = out.read_bytes()
    assert read_record(data).moves == read_record(RECORD).moves
    assert data.count(b"SBKV[") == 5
    assert b"Most probable of an expert:" in data
    assert plot.read_bytes().startswith(b"<?xml")
    assert main(["analyze", str(record), *options]) == 0  # the same seed, the same review
    assert capsys.readouterr().out == first
    assert out.read_bytes() == data


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no SGF data"),
        (b"(;SZ[5];B[cc]", "not a readable SGF"),
        (b"(;SZ[5];B[zz])", "bad move"),
        (b"(;SZ[5];B[cc];W[cc])", "after 1 moves: illegal move: white C3"),
        (b"\x00\xff" * 50, "no SGF data"),
    ],
)
def test_damage_is_one_line_and_nothing_is_written(tmp_path, capsys, data, reason):
    path, out = tmp_path / "bad.sgf", tmp_path / "out.sgf"
    path.write_bytes(data)
    assert main(["analyze", str(path), "--out", str(out)]) == 1
    printed, err = capsys.readouterr()
    assert printed == ""
    assert err.startswith(f"yomi: {path}: ")
    assert reason in err
    assert err.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["none.sgf"], "none.sgf: No such file"),
        (["{}", "--out", "no/such/folder.sgf"], "no such folder"),
        (["{}", "--plot", "rates.txt"], "a plot is one of"),
        (["{}", "--plot", "no/such/rates.png"], "no such folder"),
        (["{}", "--patterns", "none.table"], "none.table"),
    ],
)
def test_what_cannot_be_done_is_one_line(record, capsys, options, reason):
    assert main(["analyze", *(word.format(record) for word in options)]) == 1
    printed, err = capsys.readouterr()
    assert printed == ""
    assert reason in err
    assert err.count("\n") == 1
