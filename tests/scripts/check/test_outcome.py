"""Win rates held against results: figures by hand, a run that goes on, a table learned from it."""

import json

import numpy as np
import pytest

from engine import Game
from engine.search.calibration import FEATURES
from patterns_db.calibration import read_calibration
from patterns_db.records import write_record
from patterns_db.replay import record_of
from scripts.check import outcome
from scripts.learn import make_tables
from tests.scripts.check.test_passing import filled_game


def test_figures_by_hand():
    chance, result = np.array([0.8, 0.8, 0.4, 0.1]), np.array([1.0, 0.0, 1.0, 0.0])
    loss, _, brier, _, calibration, hits = outcome.figures_of(chance, result)
    assert loss == pytest.approx(-np.log([0.8, 0.2, 0.4, 0.9]).mean())
    assert brier == pytest.approx(np.mean([0.04, 0.64, 0.36, 0.01]))
    assert calibration == pytest.approx((abs(1.6 - 1.0) + 0.6 + 0.1) / 4)
    assert hits == 0.5


def test_a_certain_upset_costs_no_fortune():
    loss, *_ = outcome.figures_of(np.array([1.0]), np.array([0.0]))
    assert loss == pytest.approx(-np.log(outcome.SURE))


def sgf_of(game: Game, result: str) -> bytes:
    """Return a game as a record with a result."""
    return write_record(record_of(game)).replace(b"SZ[", f"RE[{result}]SZ[".encode())


def test_a_run_goes_on_and_teaches(tmp_path, capsys):
    for seed, result in enumerate(("B+3.5", "W+R", "Void")):
        (tmp_path / f"{seed}.sgf").write_bytes(sgf_of(filled_game(seed), result))
    out = tmp_path / "out.json"
    arguments = ["--games", str(tmp_path), "--moves", "4", "8", "--playouts", "10"]
    arguments += ["--uncalibrated", "--out", str(out)]
    assert outcome.main([*arguments, "--max-games", "1"]) == 0
    first = json.loads(out.read_text())["positions"]
    assert outcome.main(arguments) == 0
    rows = json.loads(out.read_text())["positions"]
    assert rows[: len(first)] == first
    assert {(row["game"], row["moves"], row["result"]) for row in rows} == {
        (f"{seed}.sgf", moves, 1.0 - seed) for seed in (0, 1) for moves in (4, 8)
    }
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].split()[:3] == ["all", "shown", "4"]
    table = tmp_path / "calibration.table"
    command = ["calibration", "--positions", str(out), "--out", str(table)]
    assert make_tables.main(command) == 0
    assert read_calibration(table).weights.shape == (FEATURES,)


def test_what_is_calibrated_teaches_nothing(tmp_path, capsys):
    path = tmp_path / "rows.json"
    path.write_text('{"uncalibrated": false, "playouts": 10, "positions": []}')
    out = tmp_path / "calibration.table"
    command = ["calibration", "--positions", str(path), "--out", str(out)]
    assert make_tables.main(command) == 1
    assert "calibrated already" in capsys.readouterr().err
    assert not out.exists()
