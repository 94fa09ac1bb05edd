"""Learned factors: one where nothing was learned, and all that they leave alone."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game, Knowledge
from engine.search.best_move import exponents_of
from engine.search.calibration import (
    FEATURES,
    FULL_BOARD,
    MOST_PLAYOUTS,
    NINETY_PERCENT,
    PLAYOUTS,
    Calibration,
    factor,
    features_of,
    no_calibration,
    probit_of,
)
from engine.search.root_moves import LASTING_ROLLOUTS, MARGIN_ROLLOUTS
from engine.search.searcher import Searcher
from engine.search.unsettled import KINDS, unsettled
from tests.search.growing import NO_PATTERNS, NO_POLICY, UNIFORM
from tests.search.test_searcher import root_of

NORMAL = NormalDist()
SIZES = st.integers(2, 25)
SHARES = st.floats(0.0, 1.0)
PLAYED = st.floats(0.0, 1e9)
DOUBLED = np.array([math.log(2.0), *[0.0] * (FEATURES - 1)])


@given(SIZES, SHARES, PLAYED)
def test_nothing_learned_changes_nothing(size, occupied, playouts):
    nothing = no_calibration()
    for weights in (nothing.sharpness, nothing.growth, nothing.spread, nothing.gap):
        assert factor(weights, features_of(size, occupied, playouts)) == 1.0
    known = features_of(size, occupied, playouts)
    assert exponents_of(nothing.choice, known).tolist() == [1.0, 0.0, 0.0]


def test_features_are_measured_from_the_usual_game():
    assert features_of(19, 0.0, PLAYOUTS) == pytest.approx([1.0, 0.0, 0.0, 0.0, 0.0])
    board = math.log(81.0 / FULL_BOARD)
    assert features_of(9, 0.5, 0.0) == pytest.approx(
        [1.0, board, 0.5, 0.5 * board, -math.log(PLAYOUTS)]
    )


def test_searches_of_which_nothing_was_learned_count_as_the_longest():
    assert features_of(19, 0.3, 1e6) == pytest.approx(features_of(19, 0.3, MOST_PLAYOUTS))


def test_sizes_of_which_nothing_was_learned_count_as_the_nearest():
    assert features_of(5, 0.3, 50.0) == pytest.approx(features_of(9, 0.3, 50.0))
    assert features_of(25, 0.3, 50.0) == pytest.approx(features_of(19, 0.3, 50.0))


@given(SIZES, SHARES, PLAYED, st.lists(st.floats(-2.0, 2.0), min_size=FEATURES, max_size=FEATURES))
def test_it_is_a_positive_factor(size, occupied, playouts, weights):
    features = features_of(size, occupied, playouts)
    assert math.log(factor(np.array(weights), features)) == pytest.approx(
        sum(w * x for w, x in zip(weights, features, strict=True)), abs=1e-9
    )


def one_stone() -> Game:
    game = Game(4)
    game.play(BLACK, game.legal_points(BLACK)[5])
    return game


def reported(
    calibration: Calibration, color: int = BLACK, game: Game | None = None, playouts: int = 60
):
    knowledge = Knowledge(NO_POLICY, NO_PATTERNS, calibration=calibration)
    searcher = Searcher(UNIFORM, knowledge, 1, 1 << 20, 5)
    searcher.set_root(root_of(game or Game(4), color, komi=3.5), None)
    if playouts:
        searcher.run(playouts, None)
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


def test_differences_stay_unsure_however_long_a_search_is():
    report = reported(PLAIN)
    for move in report.moves:
        left_open = 1.0 / (move.playouts + MARGIN_ROLLOUTS) + 1.0 / LASTING_ROLLOUTS
        expected = report.margin_deviation**2 * left_open
        assert move.margin_deviation**2 == pytest.approx(expected)


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
    assert reported(PLAIN, playouts=0).likely_margins is None


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_what_is_open_for_black_is_shown_for_both_sides_moves(color):
    """All probits move by the same amount; nothing else changes, not even the order of moves."""
    worth = np.ones((2, KINDS)) * 0.1
    game = one_stone()
    plain, shifted = (reported(c, color, game) for c in (PLAIN, PLAIN._replace(worth=worth)))
    open_points = unsettled(game.board, plain.ownership)
    by = probit_of(worth, features_of(4, 1 / 16, 60.0), open_points)
    assert by != 0.0
    sign = 1.0 if color == BLACK else -1.0
    for one, other in zip(plain.moves, shifted.moves, strict=True):
        assert NORMAL.inv_cdf(other.win_rate) == pytest.approx(
            NORMAL.inv_cdf(one.win_rate) + sign * by, abs=1e-6
        )
        assert one._replace(win_rate=0.0, win_rate_deviation=0.0) == other._replace(
            win_rate=0.0, win_rate_deviation=0.0
        )


def test_before_any_roll_out_nothing_is_known_of_what_is_open():
    weighed = PLAIN._replace(worth=np.ones((2, KINDS)))
    one, other = (reported(c, WHITE, one_stone(), playouts=0).moves for c in (PLAIN, weighed))
    assert one == other


def test_in_an_opening_what_is_open_counts_in_proportion_to_stones():
    worth, open_points = np.ones((2, KINDS)), np.full(KINDS, 0.5)
    for occupied, share in ((0.0, 0.0), (0.025, 0.25), (0.1, 1.0), (0.8, 1.0)):
        found = probit_of(worth, features_of(19, occupied, 400.0), open_points)
        assert found == pytest.approx(share * 0.5 * KINDS)
