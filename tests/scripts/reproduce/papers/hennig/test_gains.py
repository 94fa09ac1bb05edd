"""scripts.reproduce.papers.hennig.beliefs against worked numbers."""

import pytest

from scripts.reproduce.papers.hennig.beliefs import gain, gain_table

MIN_MOVES_LAST = [  # b, l, mean, variance: the mover is MIN for odd l
    (2, 1, -0.5641895835, 0.6816901138),
    (2, 2, 0.16745144, 1.14639153),
    (2, 6, 0.25138061, 1.92668156),
    (5, 1, -1.162964, 0.447534),
    (5, 2, 0.236239, 0.647821),
    (5, 5, -1.274225, 0.795523),
]


@pytest.mark.parametrize(("branching", "plies", "mean", "variance"), MIN_MOVES_LAST)
def test_gain_worked_numbers(branching, plies, mean, variance):
    table = gain_table(branching, plies)
    sign = 1.0 if plies % 2 == 0 else -1.0
    assert gain(table, plies, sign) == pytest.approx((mean, variance), rel=2e-6)
    assert gain(table, plies, -sign) == pytest.approx((-mean, variance), rel=2e-6)
