"""The probability of a capture without a proof."""

import math

import numpy as np
import pytest

from engine.captures.odds import (
    MOST_LOG_ODDS,
    ODDS_FEATURES,
    OpenSearch,
    chance_of_capture,
    no_odds,
    odds_features,
)


def test_without_learning_the_searchs_log_odds_stay():
    for log_odds in (-3.0, 0.0, 1.5):
        search = OpenSearch(log_odds, True, True, 2, None)
        expected = 1 / (1 + math.exp(-log_odds))
        assert chance_of_capture(no_odds(), search) == pytest.approx(expected)


@pytest.mark.parametrize(("log_odds", "most"), [(-1e9, -MOST_LOG_ODDS), (1e9, MOST_LOG_ODDS)])
def test_extreme_numbers_are_limited(log_odds, most):
    search = OpenSearch(log_odds, False, False, 0, None)
    assert odds_features(search)[1] == most
    assert 0.0 < chance_of_capture(no_odds(), search) < 1.0


def test_every_feature_has_its_weight():
    search = OpenSearch(0.5, True, False, 2, None)
    assert odds_features(search).tolist() == [1.0, 0.5, 1.0, 0.0, 2.0]
    for number in range(ODDS_FEATURES):
        odds = np.zeros(ODDS_FEATURES)
        odds[number] = 1.0
        expected = 1 / (1 + math.exp(-odds_features(search)[number]))
        assert chance_of_capture(odds, search) == pytest.approx(expected)
