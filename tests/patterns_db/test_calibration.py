"""Learning how sure win rates may be: made-up results are understood, one changes little."""

from statistics import NormalDist

import numpy as np
import pytest

from engine import ModelFormatError
from engine.gaussian import cdf
from engine.jit import JIT_ENABLED
from engine.search.calibration import FEATURES, Calibration, sharpness
from patterns_db.calibration import (
    JudgedPosition,
    fit_calibration,
    read_calibration,
    write_calibration,
)
from patterns_db.store import write_table

NORMAL = NormalDist()
TRUTH = Calibration(np.array([0.7, -0.3, 0.8, 0.4, 0.2]))


def made_up(truth: Calibration, count: int, seed: int) -> list[JudgedPosition]:
    """Return positions whose results follow a calibration exactly."""
    rng = np.random.default_rng(seed)
    positions = []
    for _ in range(count):
        size, playouts = int(rng.choice([9, 13, 19])), float(rng.choice([100, 400, 1600]))
        occupied, probit = rng.random(), rng.normal(0.0, 0.7)
        chance = cdf(sharpness(truth, size, occupied, playouts) * probit)
        won = float(rng.random() < chance)
        positions.append(JudgedPosition(size, occupied, playouts, NORMAL.cdf(probit), won))
    return positions


def test_nobody_learns_from_nothing():
    assert fit_calibration([]).weights.tolist() == [0.0] * FEATURES


def test_the_truth_is_found():
    count = 4000 if JIT_ENABLED else 800
    found = fit_calibration(made_up(TRUTH, count, 1)).weights
    assert found == pytest.approx(TRUTH.weights, abs=0.3 if JIT_ENABLED else 0.7)


def test_colors_are_alike():
    positions = made_up(TRUTH, 200, 2)
    turned = [p._replace(win_rate=1.0 - p.win_rate, won=1.0 - p.won) for p in positions]
    expected = fit_calibration(positions).weights
    assert fit_calibration(turned).weights == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("won", [0.0, 1.0])
@pytest.mark.parametrize("win_rate", [0.0, 0.5, 1.0])
def test_one_result_is_not_taken_too_seriously(win_rate, won):
    """Certain and wrong, certain and right, or even: the prior holds the weights."""
    weights = fit_calibration([JudgedPosition(19, 0.5, 400.0, win_rate, won)]).weights
    assert np.isfinite(weights).all()
    assert np.abs(weights).max() < 2.0


def test_a_table_keeps_what_was_learned(tmp_path):
    path = tmp_path / "calibration.table"
    write_calibration(path, TRUTH, {"positions": 3})
    assert read_calibration(path).weights.tolist() == TRUTH.weights.tolist()
    assert '"positions": 3' in path.with_name(path.name + ".MANIFEST").read_text()


def test_another_table_is_refused(tmp_path):
    path = tmp_path / "other.table"
    write_table(path, "calibration", {"weights": np.zeros(FEATURES + 1)}, {})
    with pytest.raises(ModelFormatError, match="other features"):
        read_calibration(path)
