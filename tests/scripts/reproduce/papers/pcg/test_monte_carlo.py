import numpy as np
import pytest

from engine.pcg.game import Sum, random_sum
from scripts.reproduce.papers.pcg.monte_carlo import (
    ALL_TERMINALS,
    Sampling,
    interior_value,
    make_sampler,
)
from tests.pcg.sums import EXAMPLE, plain_games
from tests.reference import pcg as reference

EVERYTHING = Sampling(1.0, ALL_TERMINALS, 0)


def test_interior_value_of_the_worked_example():
    sampler = make_sampler(Sum(EXAMPLE), exact=True)
    found = interior_value(sampler, 0, 0, EVERYTHING, np.random.default_rng(0))
    mean = (0.4588 + 0.21775 + 0.436875 + 0.176 + 0.285 + 0.175) / 6
    assert found == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize(("share", "most", "samples"), [(0.5, ALL_TERMINALS, 0), (1.0, 5, 40)])
def test_sampled_interior_values_are_unbiased(share, most, samples):
    rng = np.random.default_rng(3)
    game = random_sum(5, rng)
    expected = reference.interior_value(plain_games(game), frozenset(), frozenset())
    drawn = [
        interior_value(make_sampler(game, exact=True), 0, 0, Sampling(share, most, samples), rng)
        for _ in range(300)
    ]
    error = np.std(drawn) / np.sqrt(len(drawn))
    assert 0 < error < 0.02
    assert abs(np.mean(drawn) - expected) < 4 * error
