"""The probability of a capture without a proof."""

import math

import numpy as np
import pytest

from engine.captures.odds import (
    MOST_LOG_ODDS,
    ODDS_FEATURES,
    chance_of_capture,
    no_odds,
    odds_features,
)


def test_without_learning_the_searchs_log_odds_stay():
    for log_odds in (-3.0, 0.0, 1.5):
        search = odds_features(log_odds, True, True, 2)
        expected = 1 / (1 + math.exp(-log_odds))
        assert chance_of_capture(no_odds(), search) == pytest.approx(expected)


@pytest.mark.parametrize(("log_odds", "most"), [(-1e9, -MOST_LOG_ODDS), (1e9, MOST_LOG_ODDS)])
def test_extreme_numbers_are_limited(log_odds, most):
    search = odds_features(log_odds, False, False, 0)
    assert search[1] == most
    assert 0.0 < chance_of_capture(no_odds(), search) < 1.0


def test_every_feature_has_its_weight():
    search = odds_features(0.5, True, False, 2)
    assert search.tolist() == [1.0, 0.5, 1.0, 0.0, 2.0]
    for number in range(ODDS_FEATURES):
        odds = np.zeros(ODDS_FEATURES)
        odds[number] = 1.0
        expected = 1 / (1 + math.exp(-search[number]))
        assert chance_of_capture(odds, search) == pytest.approx(expected)
