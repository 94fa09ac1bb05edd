"""Priors of fights over life, learned from random fights."""

import numpy as np
import pytest

from engine.errors import ModelFormatError
from engine.tactics.groups import find_questions
from patterns_db.life_training import LifeTrainingSettings, random_fight, train_life
from patterns_db.shipped import SOLVER_TABLE
from patterns_db.solver_priors import read_priors

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")


def test_random_fights_ask_something():
    rng = np.random.default_rng(3)
    boards = [board for board in (random_fight(rng) for _ in range(20)) if board is not None]
    assert len(boards) > 10
    assert all(next(find_questions(board), None) is not None for board in boards)


def test_training_learns_from_what_was_solved_and_can_be_read(tmp_path):
    settings = LifeTrainingSettings(positions=4, nodes=300, min_evidence=0.5, seed=2)
    done = train_life(settings, tmp_path / "life.table", say=lambda text: None)
    assert done["observed"] > 0
    priors = read_priors(tmp_path / "life.table", life=True)
    assert int(priors.used[0]) > 0
    with pytest.raises(ModelFormatError, match="life and death"):
        read_priors(tmp_path / "life.table")
    with pytest.raises(ModelFormatError, match="captures"):
        read_priors(SOLVER_TABLE, life=True)
