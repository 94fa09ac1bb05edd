"""Learned factors: 1 without lessons, and no effect on everything else."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, Game, Knowledge
from engine.belief.best_move import exponents_of
from engine.belief.calibration import (
    FEATURES,
    LEARNED,
    Calibration,
    factor,
    features_of,
    no_calibration,
)
from engine.belief.root_moves import MOVES
from engine.belief.searcher import Searcher
from tests.belief.test_searcher import root_of
from tests.search.growing import NO_PATTERNS, NO_POLICY, UNIFORM

SIZES = st.integers(2, 25)
SHARES = st.floats(0.0, 1.0)
PLAYED = st.floats(0.0, 1e9)
DOUBLED = np.array([math.log(2.0), *[0.0] * (FEATURES - 1)])


@given(SIZES, SHARES, PLAYED)
def test_nothing_learned_changes_nothing(size, occupied, playouts):
    nothing = no_calibration()
    for weights in (nothing.sharpness, nothing.gap):
        assert factor(weights, features_of(size, occupied, playouts)) == 1.0
    known = features_of(size, occupied, playouts)
    assert exponents_of(nothing.choice, known).tolist() == [1.0, 0.0, 0.0]


def test_features_are_measured_from_the_usual_game():
    assert features_of(19, 0.0, LEARNED.playouts) == pytest.approx([1.0, 0.0, 0.0, 0.0, 0.0])
    board = math.log(81.0 / LEARNED.full_board)
    assert features_of(9, 0.5, 0.0) == pytest.approx(
        [1.0, board, 0.5, 0.5 * board, -math.log(LEARNED.playouts)]
    )


def test_searches_without_lessons_count_as_the_longest():
    assert features_of(19, 0.3, 1e6) == pytest.approx(features_of(19, 0.3, LEARNED.most_playouts))


def test_sizes_without_lessons_count_as_the_nearest():
    assert features_of(5, 0.3, 50.0) == pytest.approx(features_of(9, 0.3, 50.0))
    assert features_of(25, 0.3, 50.0) == pytest.approx(features_of(19, 0.3, 50.0))


@given(SIZES, SHARES, PLAYED, st.lists(st.floats(-2.0, 2.0), min_size=FEATURES, max_size=FEATURES))
def test_it_is_a_positive_factor(size, occupied, playouts, weights):
    features = features_of(size, occupied, playouts)
    assert math.log(factor(np.array(weights), features)) == pytest.approx(
        sum(w * x for w, x in zip(weights, features, strict=True)), abs=1e-9
    )


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


def test_a_report_with_more_sharpness_parts_moves_further():
    plain, sharper = reported(PLAIN), reported(PLAIN._replace(sharpness=DOUBLED))
    assert sharper.posterior == plain.posterior
    assert sharper.moves[0].win_rate == plain.moves[0].win_rate
    behind = [move for move in plain.moves if move.margin < plain.moves[0].margin - 1e-9]
    assert behind
    for one, other in zip(plain.moves, sharper.moves, strict=True):
        assert (one.point, one.value, one.weight) == (other.point, other.value, other.weight)


def test_differences_are_as_uncertain_as_the_factor_says():
    for one, other in zip(
        reported(PLAIN).moves, reported(PLAIN._replace(gap=DOUBLED)).moves, strict=True
    ):
        assert other.margin_deviation == pytest.approx(2.0 * one.margin_deviation)
        assert (other.point, other.playouts, other.value) == (one.point, one.playouts, one.value)


def test_differences_stay_uncertain_in_long_searches():
    report = reported(PLAIN)
    for move in report.moves:
        left_open = 1.0 / (move.playouts + MOVES.margin_rollouts) + 1.0 / MOVES.lasting_rollouts
        expected = report.margin_deviation**2 * left_open
        assert move.margin_deviation**2 == pytest.approx(expected)
