"""Judging named mistakes: what is printed, and a run on a small game."""

import json

import pytest

from engine.jit import JIT_ENABLED
from engine.review import judging
from scripts.check import mistakes


def row(said, judged, low=3.0, high=9.0, compared=5.0, deviation=2.0):
    return {
        "said": said, "judged": judged, "low": low, "high": high, "compared": compared,
        "deviation": deviation, "least": 2.0,
    }  # fmt: skip


def test_the_result(capsys):
    rows = [row(0.95, 5.0), row(0.92, 1.0), row(0.6, 12.0), row(0.05, 0.0), row(1.0, 6.0)]
    mistakes.print_result(rows)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "named mistakes: 2 of 3 confirmed (20.8% to 93.9%)"
    assert lines[1].endswith("2 of the 2 confirmed")
    assert lines[2].startswith("comparisons err by 4.27 points (r.m.s.), said 2.00")
    assert [line.split("%")[0].strip() for line in lines[4:]] == ["0", "50", "90"]
    assert lines[-1].split()[-3:] == ["3", "0.9567", "0.6667"]


def test_without_moves(capsys):
    mistakes.print_result([])
    assert "0 of 0 confirmed" in capsys.readouterr().out


@pytest.mark.skipif(not JIT_ENABLED, reason="long searches")
def test_a_run_goes_on(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(judging, "SUSPECT", 0.0)
    game, out = tmp_path / "game.sgf", tmp_path / "out.json"
    game.write_bytes(b"(;SZ[5]KM[0.5];B[aa];W[cc];B[ea];W[bc])")
    arguments = ["--games", str(game), "--playouts", "4", "--out", str(out)]
    assert mistakes.main(arguments) == 0
    first = capsys.readouterr().out
    assert "named mistakes" in first
    stored = json.loads(out.read_text())
    assert stored["games_judged"][0]["source"] == "game.sgf"
    assert mistakes.main(arguments) == 0
    assert capsys.readouterr().out == first
    out.unlink()
    assert mistakes.main([*arguments, "--least-said", "1"]) == 0
    assert "0 of 0 confirmed" in capsys.readouterr().out
