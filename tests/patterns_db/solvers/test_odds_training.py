"""The odds of captures that the solver leaves open, learned from games."""

import math

import numpy as np
import pytest

from engine.captures.odds import ODDS_FEATURES, chance_of_capture, no_odds, odds_features
from engine.errors import BadSetup, ModelFormatError
from engine.facts.chain_facts import CHAINS
from patterns_db.shipped import LIFE_TABLE, ODDS_TABLE
from patterns_db.solvers import odds_training, solver_tables
from patterns_db.solvers.odds_training import (
    OddsLessons,
    OddsObserver,
    OddsTrainingSettings,
    fit_odds,
    train_odds,
)
from patterns_db.solvers.solver_tables import read_odds
from tests.diagrams import NETTED, game_of


def slow_fit(lessons, steps=4000):
    """The twin of ``fit_odds``: the gradient of the log posterior, climbed in plain Python."""
    start = no_odds().tolist()
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
    features = np.hstack([np.ones((12, 1)), rng.normal(size=(12, ODDS_FEATURES - 1))])
    lessons = OddsLessons(features, features[:, 1] + rng.normal(size=12) > 0)
    assert fit_odds(lessons) == pytest.approx(slow_fit(lessons), abs=1e-3)


def test_the_fit_survives_a_search_that_is_sure_and_wrong():
    """Whole Newton steps diverge here: every chance is near 0 or 1 at first."""
    rng = np.random.default_rng(2)
    log_odds = rng.choice([-10.0, 10.0], 300)
    features = np.zeros((300, ODDS_FEATURES))
    features[:, 0], features[:, 1] = 1.0, log_odds
    lessons = OddsLessons(features, rng.random(300) < np.where(log_odds > 0, 0.3, 0.2))
    found, sign = fit_odds(lessons), np.where(lessons.captured, 1.0, -1.0)

    def log_posterior(weights):
        logs = -np.logaddexp(0.0, -sign * (lessons.features @ weights))
        return logs.sum() - 0.5 * ((weights - no_odds()) ** 2).sum()

    for direction in np.eye(ODDS_FEATURES):
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


def test_training_writes_a_table_that_can_be_read(tmp_path, monkeypatch):
    games, path = tmp_path / "games", tmp_path / "odds.table"
    games.mkdir()
    (games / "one.sgf").write_text(RECORD)
    settings = OddsTrainingSettings(nodes=200)
    monkeypatch.setattr(odds_training, "CHAINS", CHAINS._replace(open_nodes=20))
    monkeypatch.setattr(odds_training, "FIT", odds_training.FIT._replace(first=1))
    odds = train_odds([games], None, settings, path, lambda text: None)
    assert (read_odds(path) == odds).all()
    assert (odds != no_odds()).any()
    with pytest.raises(ModelFormatError, match="not capture odds"):
        read_odds(LIFE_TABLE)
    monkeypatch.setattr(solver_tables, "ODDS", solver_tables.ODDS._replace(version=99))
    with pytest.raises(ModelFormatError, match="odds of version 1"):
        read_odds(path)


def test_games_that_teach_nothing_are_refused(tmp_path):
    (tmp_path / "one.sgf").write_text("(;SZ[7];B[dd];W[cc])")
    out = tmp_path / "odds.table"
    with pytest.raises(BadSetup, match="ends without a proof"):
        train_odds([tmp_path], None, OddsTrainingSettings(), out, lambda text: None)
    assert not out.exists()


def test_the_shipped_odds_rise_with_the_searchs_and_fall_with_the_failed_limits():
    odds = read_odds(ODDS_TABLE)

    def chance(log_odds, widest=False):
        return chance_of_capture(odds, odds_features(log_odds, True, widest, 0))

    assert chance(-2.0) < chance(0.0) < chance(2.0)
    assert chance(0.0, widest=True) < 0.2 * chance(0.0)
