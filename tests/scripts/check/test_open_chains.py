"""The check of probabilities of a capture, on one small game."""

import numpy as np

from engine.captures.priors import PriorTable
from patterns_db.solvers import odds_training
from scripts.check import open_chains
from scripts.check.open_chains import main
from tests.patterns_db.solvers.test_odds_training import RECORD


def test_prints_the_figures_of_every_method(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(odds_training, "OPEN_NODES", 20)
    monkeypatch.setattr(odds_training, "FIRST", 1)
    few = PriorTable(np.array([3], np.uint64), np.array([1.0]), 0.5)
    monkeypatch.setattr(open_chains, "read_prior_table", lambda path: few)
    (tmp_path / "one.sgf").write_text(RECORD)
    command = ["--games", str(tmp_path), "--nodes", "200"]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    for name in ("propagated, no priors", "proof numbers, priors", "the same, learned odds"):
        (line,) = (line for line in lines if name in line)
        assert float(line.split(name)[1].split()[0]) > 0
    assert any("came true" in line for line in lines)


def test_missing_games_are_one_line(tmp_path, capsys):
    assert main(["--games", str(tmp_path / "none.tar.gz")]) == 1
    assert capsys.readouterr().err.splitlines()[-1].startswith("open_chains: ")
