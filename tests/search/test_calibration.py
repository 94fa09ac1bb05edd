"""Learned factors: one where nothing was learned, and all that they leave alone."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game, Knowledge
from engine.search.calibration import (
    FEATURES,
    FULL_BOARD,
    NINETY_PERCENT,
    PLAYOUTS,
    Calibration,
    factor,
    features_of,
    no_calibration,
)
from engine.search.searcher import Searcher
from tests.search.growing import NO_PATTERNS, NO_POLICY, UNIFORM
from tests.search.test_searcher import root_of

SIZES = st.integers(2, 25)
SHARES = st.floats(0.0, 1.0)
PLAYED = st.floats(0.0, 1e9)
DOUBLED = np.array([math.log(2.0), *[0.0] * (FEATURES - 1)])


@given(SIZES, SHARES, PLAYED)
def test_nothing_learned_changes_nothing(size, occupied, playouts):
    nothing = no_calibration()
    for weights in (nothing.sharpness, nothing.growth, nothing.spread, nothing.gap):
        assert factor(weights, features_of(size, occupied, playouts)) == 1.0
    assert nothing.choice.tolist() == [1.0, 0.0, 0.0]


def test_features_are_measured_from_the_usual_game():
    assert features_of(19, 0.0, PLAYOUTS) == pytest.approx([1.0, 0.0, 0.0, 0.0, 0.0])
    board = math.log(81.0 / FULL_BOARD)
    assert features_of(9, 0.5, 0.0) == pytest.approx(
        [1.0, board, 0.5, 0.5 * board, -math.log(PLAYOUTS)]
    )


def test_sizes_of_which_nothing_was_learned_count_as_the_nearest():
    assert features_of(5, 0.3, 50.0) == pytest.approx(features_of(9, 0.3, 50.0))
    assert features_of(25, 0.3, 50.0) == pytest.approx(features_of(19, 0.3, 50.0))


@given(SIZES, SHARES, PLAYED, st.lists(st.floats(-2.0, 2.0), min_size=FEATURES, max_size=FEATURES))
def test_it_is_a_positive_factor(size, occupied, playouts, weights):
    features = features_of(size, occupied, playouts)
    assert math.log(factor(np.array(weights), features)) == pytest.approx(
        sum(w * x for w, x in zip(weights, features, strict=True)), abs=1e-9
    )


def reported(calibration: Calibration, color: int = BLACK):
    knowledge = Knowledge(NO_POLICY, NO_PATTERNS, calibration=calibration)
    searcher = Searcher(UNIFORM, knowledge, 1, 1 << 20, 5)
    searcher.set_root(root_of(Game(4), color, komi=3.5), None)
    searcher.run(60, None)
    return searcher.report()


PLAIN = no_calibration()


def test_a_report_is_surer_by_the_factor_and_tells_the_same_of_everything_else():
    sharper = reported(PLAIN._replace(sharpness=DOUBLED)).moves
    for one, other in zip(reported(PLAIN).moves, sharper, strict=True):
        assert one._replace(win_rate=0.0, win_rate_deviation=0.0) == other._replace(
            win_rate=0.0, win_rate_deviation=0.0
        )
        assert abs(other.win_rate - 0.5) >= abs(one.win_rate - 0.5)
        assert (other.win_rate > 0.5) == (one.win_rate > 0.5)


def test_differences_are_as_unsure_as_the_factor_says():
    for one, other in zip(
        reported(PLAIN).moves, reported(PLAIN._replace(gap=DOUBLED)).moves, strict=True
    ):
        assert other.margin_deviation == pytest.approx(2.0 * one.margin_deviation)
        assert other._replace(margin_deviation=one.margin_deviation) == one


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_the_interval_of_the_score_is_blacks(color):
    report = reported(PLAIN, color)
    low, high = report.likely_margins
    lead = report.moves[0].margin if color == BLACK else -report.moves[0].margin
    assert 0.5 * (low + high) == pytest.approx(lead)
    assert high - low == pytest.approx(2.0 * NINETY_PERCENT * report.margin_deviation)
    wider = reported(PLAIN._replace(spread=DOUBLED), color).likely_margins
    assert wider[1] - wider[0] == pytest.approx(2.0 * (high - low))
    further = reported(PLAIN._replace(growth=DOUBLED), color).likely_margins
    assert 0.5 * (further[0] + further[1]) == pytest.approx(2.0 * lead)


def test_without_a_roll_out_there_is_no_interval():
    searcher = Searcher(UNIFORM, Knowledge(NO_POLICY, NO_PATTERNS), 1, 1 << 20, 5)
    searcher.set_root(root_of(Game(4), BLACK, komi=3.5), None)
    assert searcher.report().likely_margins is None
