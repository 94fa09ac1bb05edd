"""The probability of a capture without a proof."""

import math

import pytest

from engine.captures.odds import MOST_LOG_ODDS, ODDS, chance_of_capture, odds_features


@pytest.mark.parametrize(("log_odds", "most"), [(-1e9, -MOST_LOG_ODDS), (1e9, MOST_LOG_ODDS)])
def test_extreme_numbers_are_limited(log_odds, most):
    search = odds_features(log_odds, False, False, 0)
    assert search[1] == most
    assert 0.0 < chance_of_capture(search) < 1.0


def test_every_feature_has_its_weight():
    search = odds_features(0.5, True, False, 2)
    assert search.tolist() == [1.0, 0.5, 1.0, 0.0, 2.0]
    log_odds = sum(weight * x for weight, x in zip(ODDS.tolist(), search.tolist(), strict=True))
    assert chance_of_capture(search) == pytest.approx(1 / (1 + math.exp(-log_odds)))


def test_odds_rise_with_the_searchs_and_fall_with_the_failed_limits():
    def chance(log_odds, widest=False):
        return chance_of_capture(odds_features(log_odds, True, widest, 0))

    assert chance(-2.0) < chance(0.0) < chance(2.0)
    assert chance(0.0, widest=True) < 0.2 * chance(0.0)
