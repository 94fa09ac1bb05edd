"""Shown leads compared with a judge's: figures by hand, and a run that goes on."""

import json

import numpy as np
import pytest

from engine.belief.calibration import no_calibration
from engine.belief.open_points import KINDS
from engine.jit import JIT_ENABLED
from scripts.check import shown_leads
from tests.scripts.check.test_outcome import sgf_of
from tests.scripts.check.test_passing import filled_game


def look(value: float, seed: int) -> dict:
    evidence = {
        "size": 19, "occupied": 0.3, "komi": 7.0, "rollouts": 10**8, "value": value,
        "variance": 1.0, "length": 399.0, "margin": 0.0, "seen": 10**8, "stones": 0.0,
        "ground": 0.0, "open": 1.0, "kinds": [0.0] * KINDS,
    }  # fmt: skip
    return {"playouts": 400, "seed": seed, "evidence": evidence}


def row(moves: int, lead: float, *values: float) -> dict:
    looks = [look(value, seed) for seed, value in enumerate(values, 1)]
    return {"moves": moves, "lead": lead, "result": 1.0, "stronger": 0.0, "looks": looks}


def table_of(lines: list[str], *first: str) -> list[float]:
    """Return the numbers of the row that begins with some words."""
    words = next(words for line in lines if (words := line.split())[: len(first)] == list(first))
    return [float(word) for word in words[len(first) :]]


def test_figures_are_those_by_hand(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(shown_leads, "read_calibration", lambda path: no_calibration())
    # Without a learned table a value of 20 is one deviation, 18 points.
    rows = [row(40, 18.0, 20.0, 20.0), row(100, 10.0, -20.0, 20.0)]
    shown_leads.print_leads(rows, [400], tmp_path)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert table_of(lines, "400", "to", "59") == pytest.approx([1.0, 0.0, 18.0, 0.0])
    assert table_of(lines, "400", "90-129") == pytest.approx([1.0, 28.0, 10.0, 2.8])
    *_, last = lines
    assert [float(w) for w in last.split()] == pytest.approx(
        [400, 0.5, 0.5, 0, 36.0 / 2**0.5, 2 * 0.3413447 / 2**0.5], abs=1e-3
    )
    shown_leads.print_chances(rows, [400], tmp_path)
    assert "even ranks" in capsys.readouterr().out


def test_the_best_slope_is_learned_from_other_positions():
    values = np.array([1.0, -1.0] * 10)
    wins = (values > 0.0) * 1.0
    assert shown_leads.mapped_loss(values, wins) == pytest.approx(0.00135, abs=1e-4)  # slope 3
    wins[:10] = 1.0 - wins[:10]
    # Nothing is to be learned: about one half.
    assert shown_leads.mapped_loss(values, wins) == pytest.approx(0.693, abs=0.1)


@pytest.mark.skipif(not JIT_ENABLED, reason="several searches")
def test_a_run_goes_on(tmp_path, capsys, judge_command):
    for seed, result in enumerate(("B+3.5", "W+R")):
        (tmp_path / f"{seed}.sgf").write_bytes(sgf_of(filled_game(seed), result))
    out = tmp_path / "out.json"
    arguments = ["--games", str(tmp_path), "--first", "3", "--last", "8", "--playouts", "10"]
    arguments += ["--judge", judge_command, "--out", str(out)]
    assert shown_leads.main([*arguments, "--positions", "1"]) == 0
    first = json.loads(out.read_text())["positions"]
    assert shown_leads.main([*arguments, "--positions", "2"]) == 0
    rows = json.loads(out.read_text())["positions"]
    assert (len(first), len(rows)) == (1, 2)
    assert rows[0] == first[0]
    assert [look["seed"] for look in rows[1]["looks"]] == [1, 2]
    assert "contradict" in capsys.readouterr().out


def test_a_judge_that_cannot_be_started_is_one_line(tmp_path, capsys):
    (tmp_path / "0.sgf").write_bytes(sgf_of(filled_game(0), "W+R"))
    arguments = ["--games", str(tmp_path), "--judge", "no-such-judge", "--out"]
    assert shown_leads.main([*arguments, str(tmp_path / "out.json")]) == 2
    assert "cannot be started" in capsys.readouterr().err
