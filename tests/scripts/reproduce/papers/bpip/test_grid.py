"""bpip.grid: distributions on a common grid keep their mean."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.reproduce.papers.bpip import mean_of_row, put_on_grid


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
