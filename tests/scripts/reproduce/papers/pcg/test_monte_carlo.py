import numpy as np
import pytest

from engine.jit import JIT_ENABLED
from engine.pcg.exact import solve
from engine.pcg.game import Sum, random_sum
from scripts.reproduce.papers.pcg.monte_carlo import (
    ALL_TERMINALS,
    Sampling,
    interior_value,
    make_sampler,
)
from scripts.reproduce.papers.pcg.trials import (
    PositionValues,
    play_match,
    sampling_errors,
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


def test_errors_of_the_papers_table_2_stay_below_the_bound():
    rng = np.random.default_rng(15)
    counts = [10, 100]
    errors = np.array([sampling_errors(random_sum(6, rng), counts, rng) for _ in range(200)])
    assert (errors.std(axis=0) < 1.1 / (2 * np.sqrt(counts))).all()


@pytest.mark.slow
def test_statistics_of_random_games():
    """Mean 64.5 %, deviation 27.9 %, |P_w - P'_w| 0.149 over 1,500 games, n = 14."""
    if not JIT_ENABLED:
        pytest.skip("too slow without compiled kernels")
    rng = np.random.default_rng(16)
    games = [random_sum(14, rng) for _ in range(100)]
    values = np.array([solve(game).value for game in games])
    interior = np.array(
        [interior_value(make_sampler(game, True), 0, 0, EVERYTHING, rng) for game in games]
    )
    assert 0.54 < values.mean() < 0.75
    assert 0.23 < values.std() < 0.33
    assert 0.12 < np.abs(values - interior).mean() < 0.18


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without compiled kernels")
def test_perfect_player_barely_beats_depth_one():
    """Paper: 50.56 % with n_c = 1000 over 100 games."""
    rng = np.random.default_rng(17)
    shares = []
    for _ in range(100):
        game = random_sum(14, rng)
        shares.append(play_match(game, PositionValues(game), rng, 1, 1000).perfect_prob)
    assert np.mean(shares) <= 0.51
