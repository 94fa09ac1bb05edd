"""Learned weights against none: the same answers, and figures by hand."""

import json

import pytest

from scripts.check import life_priors
from scripts.check.life_priors import compared
from tests.gtp.cli.test_solve_life import FOUR, record

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")


def test_figures_by_hand():
    rows = [
        {"a": ["dead", 3000, 0.3], "b": ["dead", 1000, 0.2]},
        {"a": ["alive", 100, 0.1], "b": ["alive", 100, 0.1]},
        {"a": ["unknown", 9000, 0.3], "b": ["ko", 100, 0.1]},
        {"a": ["dead", 2000, 0.3], "b": ["unknown", 9000, 0.1]},
    ]
    # Decided, newly, lost, median ratio of nodes, hard ones alone, their time, other answers.
    assert compared(rows, "a", "b") == pytest.approx(["b", 3, 1, 1, 2.0, 3.0, 1.5, 0])
    assert compared(rows[:1], "a", "a")[1:] == pytest.approx([1, 0, 0, 1.0, 1.0, 1.0, 0])


def test_all_ways_agree_and_a_stopped_run_goes_on(tmp_path, capsys):
    problems, out = tmp_path / "problems.jsonl", tmp_path / "out.json"
    empty = "/".join(["........."] * 9)
    lines = [record(), record(id="b", board=empty), record(id="c", board=FOUR)]
    problems.write_text("\n".join(json.dumps(line) for line in lines))
    command = ["--problems", str(problems), "--nodes", "3000", "--out", str(out)]
    assert life_priors.main(command) == 0
    rows = json.loads(out.read_text())["rows"]
    assert [row["id"] for row in rows] == ["a", "b", "c"]
    statuses = [[row[name][0] for name, _, _ in life_priors.WAYS] for row in (rows[0], rows[2])]
    assert statuses == [["dead"] * 4, ["alive"] * 4]
    assert "2 of 3 problems with a group" in capsys.readouterr().out
    assert life_priors.main(command) == 0
    assert json.loads(out.read_text())["rows"] == rows
    assert life_priors.main([*command, "--every", "2"]) == 2
