import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadSum
from engine.pcg import halves
from engine.pcg.game import OutcomeDistribution, SimpleGame, Sum, random_sum
from engine.pcg.halves import build_half
from tests.pcg.sums import EXAMPLE, plain, random_many_point_sum, win_probability
from tests.reference.pcg import terminal_value

METHODS = ("direct", "halves")


def twin(game, left):
    sides = [g.left if i in left else g.right for i, g in enumerate(game.subgames)]
    return terminal_value([plain(side) for side in sides], game.offset)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("left", "value"),
    [
        ((0, 1), 0.4588),
        ((0, 2), 0.21775),
        ((1, 2), 0.436875),
        ((0, 3), 0.176),
        ((1, 3), 0.285),
        ((2, 3), 0.175),
    ],
)
def test_worked_example(method, left, value):
    assert win_probability(Sum(EXAMPLE), left, method) == pytest.approx(value, abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(-12, 12))
def test_all_ways_agree_with_the_formula(seed, n_subgames, offset):
    rng = np.random.default_rng(seed)
    game = random_many_point_sum(n_subgames, rng, offset=offset)
    left = [i for i in range(n_subgames) if rng.random() < 0.5]
    for method in METHODS:
        assert win_probability(game, left, method) == pytest.approx(twin(game, left), abs=1e-12)


def test_a_sum_of_zero_is_lost():
    even = OutcomeDistribution.of((1.0, 0))
    for offset, value in ((0, 0.0), (1, 1.0), (-1, 0.0)):
        for method in METHODS:
            game = Sum((SimpleGame(even, even),), offset)
            assert win_probability(game, (), method) == value


def test_equal_partial_sums_are_joined():
    coin = OutcomeDistribution((0, 1), (0.5, 0.5))
    half = build_half((SimpleGame(coin, coin),) * 6, 0)
    assert half.starts[1] == 7  # 0..6, not 2^6
    assert half.probs[:7] == pytest.approx(np.array([1, 6, 15, 20, 15, 6, 1]) / 64)


def test_refusals(monkeypatch):
    monkeypatch.setattr(halves, "MAX_ENTRIES", 2**10)
    large = random_sum(31, np.random.default_rng(0), span=2**40)
    for method in METHODS:
        with pytest.raises(BadSum):
            win_probability(large, (), method)
