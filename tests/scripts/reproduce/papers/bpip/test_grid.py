"""bpip.grid: distributions on a common grid keep their mean."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.reproduce.papers.bpip import put_on_grid
from tests.reference import bpip
from tests.scripts.reproduce.papers.bpip.trees import distribution

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
