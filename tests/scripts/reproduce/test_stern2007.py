"""Panels of Figure 8: their counts, and one small run."""

import json

import pytest

from scripts.reproduce import stern2007
from scripts.reproduce.stern2007 import MethodResult, compare
from tests.patterns_db.solvers.test_solver_training import RECORDS


def test_a_panel_counts_new_problems_and_compares_hard_ones():
    base = [MethodResult("captured", 4000, 400, 0.4), MethodResult("safe", 2000, 100, 0.2),
            MethodResult("captured", 10, 3, 0.1), MethodResult("unknown", 9000, 900, 0.9),
            MethodResult("safe", 3000, 300, 0.3)]  # fmt: skip
    other = [MethodResult("captured", 1000, 200, 0.1), MethodResult("unknown", 9000, 900, 0.9),
             MethodResult("captured", 20, 6, 0.1), MethodResult("safe", 50, 5, 0.1),
             MethodResult("captured", 1500, 100, 0.1)]  # fmt: skip
    panel = compare(base, other)
    counts = {key: panel[key] for key in ("solved", "newly_solved", "newly_failed", "hard")}
    assert counts == {"solved": 4, "newly_solved": 1, "newly_failed": 1, "hard": 3}
    assert panel["disagreements"] == 1
    assert panel["captured"] == 3
    assert panel["both"] == {"problems": 3, "median": 2.0, "within_factor_2": 2}
    assert panel["nodes"]["median_hard"] == 2.0  # of 4, 0 (failed) and 2
    assert panel["expansions"]["quartiles_hard"] == [0.0, 1.0, 2.0, 2.5, 3.0]
    assert panel["seconds"]["mean_both_solved"] == pytest.approx((4 + 1 + 3) / 3, abs=0.005)


def test_a_small_run_ends_without_disagreement(tmp_path, capsys, monkeypatch):
    problems = tmp_path / "problems.jsonl"
    problems.write_text("\n".join(map(json.dumps, RECORDS)))
    out = tmp_path / "out.json"
    words = ["x", "--train", str(problems), "--test", str(problems), "--out", str(out),
             "--max-nodes", "300", "--train-nodes", "200", "--panels", "Gaussian"]  # fmt: skip
    monkeypatch.setattr("sys.argv", words)
    assert stern2007.main() == 0
    found = json.loads(out.read_text())
    assert found["disagreements"] == 0
    assert found["passes"]["Gaussian"][0]["tried"] == len(RECORDS)
    assert "PP, Gaussian" in capsys.readouterr().out
