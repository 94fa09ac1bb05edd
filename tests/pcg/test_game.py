import numpy as np
import pytest

from engine.errors import BadSum
from engine.pcg.game import GAME_LIMITS, OutcomeDistribution, SimpleGame, Sum, sum_arrays
from tests.pcg.sums import EXAMPLE

COIN = OutcomeDistribution((-1, 1), (0.5, 0.5))


def test_points_are_sorted_joined_and_stripped_of_impossible_ones():
    made = OutcomeDistribution.of((0.25, 7), (0.5, -2), (0.0, 3), (0.25, 7))
    assert made == OutcomeDistribution((-2, 7), (0.5, 0.5))


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([(0.5, 1), (0.4, 2)], "sum to 0.9"),
        ([(1.5, 1), (-0.5, 2)], "between 0 and 1"),
        ([(float("nan"), 1)], "between 0 and 1"),
        ([("1", 1)], "not a number"),
        ([(True, 1)], "not a number"),
        ([(1.0, 1.5)], "not an integer"),
        ([(1.0, float("inf"))], "not an integer"),
        ([(1.0, None)], "not an integer"),
        ([(1.0, True)], "not an integer"),
        ([(1.0, [3])], "not an integer"),
        ([(1.0, 10**400)], "too large"),
        ([(1.0, GAME_LIMITS.max_value + 1)], "too large"),
        ([], "sum to 0"),
    ],
)
def test_bad_distributions_are_refused(points, message):
    with pytest.raises(BadSum, match=message):
        OutcomeDistribution.of(*points)


def test_a_sum_needs_subgames_but_not_too_many():
    with pytest.raises(BadSum):
        Sum(())
    with pytest.raises(BadSum):
        Sum((SimpleGame(COIN, COIN),) * (GAME_LIMITS.max_subgames + 1))
    with pytest.raises(BadSum):
        Sum((SimpleGame(COIN, COIN),), offset=0.5)


def test_arrays_hold_the_sum():
    arrays = sum_arrays(Sum(EXAMPLE, offset=3))
    assert arrays.values.shape == arrays.probs.shape == (4, 2, 2)
    assert arrays.values[0].tolist() == [[-1, 5], [-4, 2]]
    assert arrays.probs[1, 1].tolist() == [0.9, 0.1]
    assert arrays.counts.tolist() == [[2, 2]] * 4
    assert arrays.offset.tolist() == [3]
    assert np.isinf(arrays.cumulative[:, :, 1]).all()
