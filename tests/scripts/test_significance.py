"""Intervals and sequential tests of match results: worked numbers."""

import pytest

from scripts.significance import log_likelihood_ratio, wilson_interval


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 0, 0.0, 1.0), (0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (110, 200, 0.4808, 0.6173)],
)
def test_wilson_intervals(wins, games, low, high):
    assert wilson_interval(wins, games) == pytest.approx((low, high), abs=1e-4)


def test_log_likelihood_ratios():
    """35 Elo are a win rate of 0.5502: a win adds 0.0957 nats, a loss takes 0.1058."""
    assert log_likelihood_ratio(1, 1) == pytest.approx(0.0957, abs=1e-4)
    assert log_likelihood_ratio(0, 1) == pytest.approx(-0.1058, abs=1e-4)
    assert log_likelihood_ratio(60, 100) == pytest.approx(1.508, abs=1e-3)
