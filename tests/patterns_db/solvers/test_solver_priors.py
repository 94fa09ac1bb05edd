"""Tables of learned priors: reading returns the learned values."""

import numpy as np
import pytest

from engine import parse_vertex
from engine.captures.goal_templates import context_of
from engine.captures.priors import LEARNED_LOG_ODDS, SETTING_FEATURES, stack_log_odds
from engine.errors import ModelFormatError
from patterns_db.shipped import SOLVER_TABLE
from patterns_db.solvers import solver_priors
from patterns_db.solvers.pattern_learning import gaussian_priors
from patterns_db.solvers.solver_learner import SolverTrainingSettings, new_knowledge
from patterns_db.solvers.solver_priors import kept_patterns, read_priors, write_priors
from tests.diagrams import game_of
from tests.patterns_db.solvers.test_spreads import teach


def test_a_table_equals_its_model(tmp_path):
    learned = gaussian_priors(cells=1 << 12)
    stacks = teach(learned)
    count = write_priors(tmp_path / "t", learned, 0.0, {"problems": 3})
    assert count == int(learned.used[0])
    priors = read_priors(tmp_path / "t")
    cell_of = {int(key): cell for cell, key in enumerate(priors.keys) if key}
    for stack in stacks:
        for known in range(len(stack) + 1):
            learned.stack[:known] = stack[:known]
            priors.stack[:known] = [cell_of[int(learned.keys[cell])] for cell in stack[:known]]
            expected = stack_log_odds(learned, known)
            assert stack_log_odds(priors, known) == pytest.approx(expected, abs=0.0051)


@pytest.mark.parametrize("features", [True, False])
def test_a_table_knows_its_kind_of_keys(features, tmp_path):
    """The paper's keys hold no liberties; a reader must build the same ones."""
    settings = SolverTrainingSettings(tmp_path, patterns=4000, features=features)
    learned = new_knowledge(settings)
    assert learned.settings[SETTING_FEATURES] == features
    teach(learned, 20)
    write_priors(tmp_path / "t", learned, 0.0, {})
    assert read_priors(tmp_path / "t").settings[SETTING_FEATURES] == features


def test_the_papers_keys_do_not_depend_on_the_limit():
    board = game_of("""
        .X.
        XO.
        .X.
    """).board
    move, shown = parse_vertex("B2", 3), []
    for features in (True, False):
        contexts = [context_of(board, move, False, 1, limit, features) for limit in (2, 3)]
        shown.append(len(set(contexts)))
    assert shown == [2, 1]


def test_kept_patterns_have_kept_parents():
    learned = gaussian_priors(cells=1 << 12)
    teach(learned)
    kept = set(kept_patterns(learned, 1.5).tolist())
    assert 0 < len(kept) < int(learned.used[0])
    assert all(learned.parents[cell] in kept or learned.parents[cell] < 0 for cell in kept)


def test_other_keys_are_reported(tmp_path, monkeypatch):
    learned = gaussian_priors(cells=1 << 12)
    teach(learned, 20)
    write_priors(tmp_path / "t", learned, 0.0, {})
    monkeypatch.setattr(solver_priors, "PRIORS", solver_priors.PRIORS._replace(version=99))
    with pytest.raises(ModelFormatError, match="reads 99"):
        read_priors(tmp_path / "t")


def test_the_shipped_table_is_small_and_finite():
    assert SOLVER_TABLE.stat().st_size < 1 << 20
    priors = read_priors(SOLVER_TABLE)
    log_odds = priors.cells[np.flatnonzero(priors.keys), LEARNED_LOG_ODDS]
    assert np.isfinite(log_odds).all()
    assert log_odds.min() < -1.0 < 1.0 < log_odds.max()
