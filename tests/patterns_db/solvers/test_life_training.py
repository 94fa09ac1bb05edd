"""The promise of moves in fights over life, learned from random fights."""

import math

import numpy as np
import pytest

from engine.errors import ModelFormatError
from engine.life.goal import find_questions
from engine.life.priors import FEATURES, VALUES
from engine.picture.picture import picture_of
from patterns_db.shipped import LIFE_TABLE, SOLVER_TABLE
from patterns_db.solvers import solver_tables
from patterns_db.solvers.life_training import (
    LifeLessons,
    LifeTrainingSettings,
    fit_weights,
    random_fight,
    train_life,
)
from patterns_db.solvers.solver_tables import read_life_weights

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")


def test_random_fights_ask_something():
    rng = np.random.default_rng(3)
    boards = [board for board in (random_fight(rng) for _ in range(20)) if board is not None]
    assert len(boards) > 10
    assert all(next(find_questions(picture_of(board)), None) is not None for board in boards)


def log_posterior(weights, lessons):
    """The objective that ``fit_weights`` maximizes, in plain Python."""
    total = -0.5 * sum(weight**2 for row in weights for weight in row)
    for features, dies, counts in zip(*lessons, strict=True):
        log_odds = sum(weights[i][value] for i, value in enumerate(features))
        total -= counts * math.log1p(math.exp(-log_odds if dies else log_odds))
    return total


def test_the_fit_is_the_most_probable():
    rng = np.random.default_rng(5)
    features = rng.integers(0, 3, (60, FEATURES))
    dies = features[:, 0] + rng.normal(size=60) > 1
    lessons = LifeLessons(features, dies, rng.random(60))
    best = fit_weights(lessons)
    top = log_posterior(best, lessons)
    for _ in range(10):
        beside = best + 0.01 * rng.normal(size=(FEATURES, VALUES))
        assert log_posterior(beside, lessons) < top
    # Values that were never seen keep their earlier weights.
    assert not best[:, 3:].any()


def test_training_learns_from_solved_problems_and_can_be_read(tmp_path, monkeypatch):
    settings = LifeTrainingSettings(positions=4, nodes=300, seed=2)
    path = tmp_path / "life.table"
    done = train_life(settings, path)
    assert done["observed"] > 0
    weights = read_life_weights(path)
    assert weights.shape == (FEATURES, VALUES)
    assert weights.any()
    with pytest.raises(ModelFormatError, match="not life weights"):
        read_life_weights(SOLVER_TABLE)
    monkeypatch.setattr(solver_tables, "LIFE", solver_tables.LIFE._replace(version=99))
    with pytest.raises(ModelFormatError, match="features of version 2"):
        read_life_weights(path)


def test_the_shipped_weights_know_that_little_room_is_death():
    room = read_life_weights(LIFE_TABLE)[0]
    assert np.isfinite(room).all()
    assert room[2] > room[9]
    assert room[VALUES // 2 + 2] > room[VALUES // 2 + 9]
