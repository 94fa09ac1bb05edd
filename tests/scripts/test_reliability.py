"""Figures of forecasts: by hand, and the effect of chance on correct forecasts."""

import numpy as np
import pytest

from scripts import reliability

CHANCE, RESULT = np.array([0.8, 0.8, 0.4, 0.1]), np.array([1.0, 0.0, 1.0, 0.0])


def test_figures_by_hand():
    games = ["a", "b", "c", "d"]
    count, loss, _, brier, _, calibration, _, hits = reliability.figures_of(CHANCE, RESULT, games)
    assert count == 4
    assert loss == pytest.approx(-np.log([0.8, 0.2, 0.4, 0.9]).mean())
    assert brier == pytest.approx(np.mean([0.04, 0.64, 0.36, 0.01]))
    assert calibration == pytest.approx((abs(1.6 - 1.0) + 0.6 + 0.1) / 4)
    assert hits == 0.5


def test_chance_makes_an_error_and_grouped_results_a_larger_one():
    rng = np.random.default_rng(1)
    chance = rng.random(600)
    alone = reliability.error_by_chance(chance, [str(i) for i in range(600)])
    together = reliability.error_by_chance(chance, [str(i // 6) for i in range(600)])
    right = (rng.random(600) < chance) * 1.0
    assert alone < together < 0.12
    assert reliability.calibration_error(chance, right) < 2.0 * alone
