"""P(best): against the twin's quadrature, its invariances, and the effect of each input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import BLACK, Game, Knowledge
from engine.belief.best_move import (
    chances_to_be_best,
    chances_to_be_largest,
    choice_features,
    exponents_of,
)
from engine.belief.calibration import LEARNED, features_of
from engine.belief.searcher import Searcher
from tests.belief.test_searcher import root_of
from tests.reference import search as twin
from tests.search.growing import NO_PATTERNS, NO_POLICY, UNIFORM

MOVES = st.lists(st.tuples(st.floats(-5, 5), st.floats(0.2, 3)), min_size=1, max_size=6)
EXPONENTS = st.lists(st.floats(0.0, 2.0), min_size=3, max_size=3).map(np.array)


def columns(moves):
    return tuple(np.array(column, float) for column in zip(*moves, strict=True))


@settings(max_examples=40)
@given(MOVES)
def test_the_chance_to_be_the_largest_is_the_twins(moves):
    found = chances_to_be_largest(*columns(moves))
    expected = [twin.chance_to_be_largest(i, moves) for i in range(len(moves))]
    assert found == pytest.approx(expected, abs=0.004)
    assert found.sum() == pytest.approx(1.0)


def test_exact_values_are_distinguished():
    """Between two points of the grid, beside a move without any visits."""
    chances = chances_to_be_largest(np.array([0.0, 0.5, -30.0]), np.array([0.01, 0.01, 9.0]))
    assert chances == pytest.approx([0.0, 1.0, 0.0], abs=0.01)


def test_exponents_change_with_the_roll_outs_and_are_never_negative():
    choice = np.array([[1.0, 0.2, 0.5], [-0.25, 0.5, -0.5]])
    few, usual, many = (
        features_of(19, 0.5, LEARNED.playouts * np.exp(x)) for x in (-2.0, 0.0, 2.0)
    )
    assert exponents_of(choice, usual) == pytest.approx(choice[0])
    assert exponents_of(choice, few) == pytest.approx([1.5, 0.0, 1.5])
    assert exponents_of(choice, many) == pytest.approx([0.5, 1.2, 0.0])


def best(means, deviations, visits, priors, exponents):
    return chances_to_be_best(choice_features(means, deviations, visits, priors), exponents)


@given(MOVES, EXPONENTS, st.integers(0, 5), st.data())
def test_more_of_anything_is_never_a_smaller_chance(moves, exponents, which, data):
    means, deviations = columns(moves)
    visits = np.array(data.draw(st.lists(st.integers(0, 99), min_size=6, max_size=6)))
    visits, priors = visits[: len(moves)], np.full(len(moves), 0.1)
    which %= len(moves)
    before = best(means, deviations, visits, priors, exponents)
    assert before.sum() == pytest.approx(1.0)
    more = np.zeros(len(moves))
    more[which] = 1.0
    for after in (
        best(means + more, deviations, visits, priors, exponents),
        best(means, deviations, visits + 5 * more.astype(int), priors, exponents),
        best(means, deviations, visits, priors + 0.2 * more, exponents),
    ):
        assert after[which] >= before[which] - 1e-9


def test_a_report_has_it_for_every_move():
    searcher = Searcher(UNIFORM, Knowledge(NO_POLICY, NO_PATTERNS), 1, 1 << 20, 5)
    searcher.set_root(root_of(Game(4), BLACK, komi=3.5), None)
    searcher.run(200, None)
    moves = searcher.report().moves
    assert sum(move.best for move in moves) == pytest.approx(1.0)
    opinions = searcher.current_opinions()
    # Without a learned table, only the belief counts.
    alone = chances_to_be_largest(opinions.means, opinions.deviations)
    assert [move.best for move in sorted(moves)] == pytest.approx(alone, abs=1e-6)
