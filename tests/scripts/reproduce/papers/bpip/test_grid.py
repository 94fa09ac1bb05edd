"""bpip.grid: distributions on a common grid keep their mean."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.reproduce.papers.bpip import mean_of_row, put_on_grid
from tests.reference import bpip
from tests.scripts.reproduce.papers.bpip.trees import distribution


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=6, unique=True), st.floats(-1.5, 1.5))
def test_put_on_grid_keeps_the_mean(values, by):
    grid = np.array([-5.0, -2.5, -1.0, 0.25, 2.0, 5.0])
    rising = np.array(sorted(values))
    masses = np.full(len(values), 1.0 / len(values))
    cdf = np.zeros((2, 6))
    put_on_grid(grid, cdf, 1, rising, masses, by)
    assert cdf[1, -1] == pytest.approx(1.0)
    assert (np.diff(cdf[1]) >= 0.0).all()
    assert mean_of_row(grid, cdf, 1) == pytest.approx(rising.mean() + by, abs=1e-9)


MASSES = st.dictionaries(
    st.integers(-6, 6).map(float), st.integers(1, 9), min_size=1, max_size=5
).map(lambda weights: {v: w / sum(weights.values()) for v, w in weights.items()})


@given(
    MASSES, st.floats(-3, 3), st.lists(st.integers(-16, 16), min_size=2, max_size=9, unique=True)
)
def test_on_any_grid_each_value_is_split_between_its_neighbors(masses, by, points):
    grid = np.array(sorted(points)) / 2.0
    expected = np.zeros(len(grid))
    for value, mass in masses.items():
        for k, share in bpip.shares_on_grid(grid.tolist(), value + by).items():
            expected[k] += mass * share
    row = np.zeros((1, len(grid)))
    one = distribution(masses)
    put_on_grid(grid, row, 0, one.values, one.masses, by)
    assert row[0] == pytest.approx(np.cumsum(expected), abs=1e-12)
