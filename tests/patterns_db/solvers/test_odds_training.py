"""The odds of captures that the solver leaves open, learned from games."""

import math

import numpy as np
import pytest

from engine.facts.chain_facts import CHAINS
from patterns_db.solvers import odds_training
from patterns_db.solvers.odds_training import PRIOR, OddsLessons, OddsObserver, fit_odds
from scripts.learn import capture_odds
from tests.diagrams import NETTED, game_of


def slow_fit(lessons, steps=4000):
    """The twin of ``fit_odds``: the gradient of the log posterior, climbed in plain Python."""
    start = PRIOR.tolist()
    weights = list(start)
    # Smaller than the inverse of the largest curvature, so that every step climbs.
    rate = 1.0 / (1.0 + 0.25 * sum(x * x for row in lessons.features for x in row))
    for _ in range(steps):
        slope = [m - w for m, w in zip(start, weights, strict=True)]
        for row, captured in zip(lessons.features, lessons.captured, strict=True):
            log_odds = sum(w * x for w, x in zip(weights, row, strict=True))
            surprise = captured - 1.0 / (1.0 + math.exp(-log_odds))
            slope = [s + surprise * x for s, x in zip(slope, row, strict=True)]
        weights = [w + rate * s for w, s in zip(weights, slope, strict=True)]
    return weights


@pytest.mark.parametrize("seed", range(3))
def test_the_fit_is_that_of_the_slow_twin(seed):
    rng = np.random.default_rng(seed)
    features = np.hstack([np.ones((12, 1)), rng.normal(size=(12, len(PRIOR) - 1))])
    lessons = OddsLessons(features, features[:, 1] + rng.normal(size=12) > 0)
    assert fit_odds(lessons) == pytest.approx(slow_fit(lessons), abs=1e-3)


def test_the_fit_survives_a_search_that_is_sure_and_wrong():
    """Whole Newton steps diverge here: every chance is near 0 or 1 at first."""
    rng = np.random.default_rng(2)
    log_odds = rng.choice([-10.0, 10.0], 300)
    features = np.zeros((300, len(PRIOR)))
    features[:, 0], features[:, 1] = 1.0, log_odds
    lessons = OddsLessons(features, rng.random(300) < np.where(log_odds > 0, 0.3, 0.2))
    found, sign = fit_odds(lessons), np.where(lessons.captured, 1.0, -1.0)

    def log_posterior(weights):
        logs = -np.logaddexp(0.0, -sign * (lessons.features @ weights))
        return logs.sum() - 0.5 * ((weights - PRIOR) ** 2).sum()

    for direction in np.eye(len(PRIOR)):
        for beside in (found + 0.01 * direction, found - 0.01 * direction):
            assert log_posterior(beside) < log_posterior(found)


def test_the_long_reading_decides_what_the_short_one_leaves_open(monkeypatch):
    monkeypatch.setattr(odds_training, "CHAINS", CHAINS._replace(open_nodes=20))
    board = game_of(NETTED).board
    found = list(OddsObserver(None, 2000).observe(board))
    assert [(features[2], captured) for features, captured in found] == [(1.0, True), (0.0, True)]
    # A long reading that is no longer than the short one decides nothing.
    assert list(OddsObserver(None, 20).observe(board)) == []


# The same position with a move far away and one that is not reached.
RECORD = """(;SZ[7]AB[cb][db][eb][bc][fc][bd][dd][ce][ee]AW[cc][dc][ec][cd]
;B[ag];W[gg])"""


@pytest.mark.parametrize("record", [RECORD, "(;SZ[7];B[dd];W[cc])"])
def test_the_command_prints_what_it_learned_or_that_games_teach_nothing(
    record, tmp_path, monkeypatch, capsys
):
    (tmp_path / "one.sgf").write_text(record)
    monkeypatch.setattr(odds_training, "CHAINS", CHAINS._replace(open_nodes=20))
    monkeypatch.setattr(odds_training, "FIRST", 1)
    status = capture_odds.main(["--games", str(tmp_path), "--nodes", "200"])
    printed = capsys.readouterr()
    if record != RECORD:
        assert status == 2
        assert "ends without a proof" in printed.err
        return
    assert status == 0
    weights = [float(word) for word in printed.out.splitlines()[-1].split(", ")]
    assert len(weights) == len(PRIOR)
    assert weights != PRIOR.tolist()
