import pytest

from engine.errors import BadSum
from engine.pcg.game import OutcomeDistribution


def test_points_are_sorted_joined_and_stripped_of_impossible_ones():
    made = OutcomeDistribution.of((0.25, 7), (0.5, -2), (0.0, 3), (0.25, 7))
    assert made == OutcomeDistribution((-2, 7), (0.5, 0.5))


@pytest.mark.parametrize("points", [[(0.5, 1), (0.4, 2)], [(float("nan"), 1)], []])
def test_bad_distributions_are_refused(points):
    with pytest.raises(BadSum, match="sum to"):
        OutcomeDistribution.of(*points)
