"""Sharpness: one where nothing was learned, and a factor that keeps order and evenness."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Game, Knowledge
from engine.search.calibration import (
    FEATURES,
    FULL_BOARD,
    PLAYOUTS,
    Calibration,
    features_of,
    no_calibration,
    sharpness,
)
from engine.search.searcher import Searcher
from tests.search.growing import NO_PATTERNS, NO_POLICY, UNIFORM
from tests.search.test_searcher import root_of

SIZES = st.integers(2, 25)
SHARES = st.floats(0.0, 1.0)
PLAYED = st.floats(0.0, 1e9)


@given(SIZES, SHARES, PLAYED)
def test_nothing_learned_changes_nothing(size, occupied, playouts):
    assert sharpness(no_calibration(), size, occupied, playouts) == 1.0


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
    found = sharpness(Calibration(np.array(weights)), size, occupied, playouts)
    assert math.log(found) == pytest.approx(
        sum(w * x for w, x in zip(weights, features_of(size, occupied, playouts), strict=True))
    )


def reported(weights):
    knowledge = Knowledge(NO_POLICY, NO_PATTERNS, calibration=Calibration(np.array(weights)))
    searcher = Searcher(UNIFORM, knowledge, 1, 1 << 20, 5)
    searcher.set_root(root_of(Game(4), 1, komi=3.5), None)
    searcher.run(60, None)
    return searcher.report().moves


def test_a_report_is_surer_by_the_factor_and_tells_the_same_of_everything_else():
    plain, sharp = reported([0.0] * 5), reported([math.log(2.0), *[0.0] * 4])
    for one, other in zip(plain, sharp, strict=True):
        assert one._replace(win_rate=0.0, win_rate_deviation=0.0) == other._replace(
            win_rate=0.0, win_rate_deviation=0.0
        )
        assert abs(other.win_rate - 0.5) >= abs(one.win_rate - 0.5)
        assert (other.win_rate > 0.5) == (one.win_rate > 0.5)
