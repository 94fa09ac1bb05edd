import numpy as np
import pytest

from engine.jit import JIT_ENABLED
from engine.pcg.exact import solve
from engine.pcg.game import OutcomeDistribution, SimpleGame, Sum, random_sum
from scripts.reproduce.papers.pcg.monte_carlo import (
    ALL_TERMINALS,
    Sampling,
    count_bits,
    interior_value,
    make_sampler,
    random_submask,
    score_moves,
    sort_moves,
    spread_bits,
)
from scripts.reproduce.papers.pcg.transpositions import (
    EXACT,
    FINISHED,
    find_finished,
    find_interior,
    home_slot,
    make_table,
    store,
)
from scripts.reproduce.papers.pcg.trials import (
    HeuristicPlayer,
    PositionValues,
    ordering_errors,
    play_match,
    random_position,
    sampling_errors,
)
from tests.pcg.sums import EXAMPLE, plain_games
from tests.reference import pcg as reference

EVERYTHING = Sampling(1.0, ALL_TERMINALS, 0)


def as_set(mask):
    return frozenset(i for i in range(31) if mask >> i & 1)


@pytest.mark.parametrize("n_subgames", [1, 2, 5, 6])
def test_exact_interior_values(n_subgames):
    rng = np.random.default_rng(n_subgames)
    game = random_sum(n_subgames, rng)
    sampler = make_sampler(game, exact=True)
    for moves in range(n_subgames + 1):
        left, right = random_position(n_subgames, moves, rng)
        found = interior_value(sampler, left, right, EVERYTHING, rng)
        expected = reference.interior_value(plain_games(game), as_set(left), as_set(right))
        assert found == pytest.approx(expected, abs=1e-12)


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


def test_masks():
    assert spread_bits(0b101, 0b110100) == 0b100100
    assert count_bits(0b110100) == 3
    rng = np.random.default_rng(0)
    drawn = [random_submask(0b110110, 4, 2, rng) for _ in range(600)]
    counts = np.unique(drawn, return_counts=True)[1]
    assert len(counts) == 6  # every pair of the four
    assert counts.min() > 60
    assert all(mask & ~0b110110 == 0 for mask in drawn)


def test_sorting_keeps_the_order_of_equal_scores():
    moves, scores = np.array([4, 1, 7, 3, 9]), np.array([0.5, 0.9, 0.5, 1.0, 5.0])
    sort_moves(moves, scores, 4)
    assert moves.tolist() == [3, 1, 4, 7, 9]


def test_large_sums_are_sampled_without_memory():
    rng = np.random.default_rng(1)
    game = random_sum(30, rng)
    sampler = make_sampler(game, exact=False)
    assert sampler.estimates.size == 0
    value = interior_value(sampler, 0, 0, Sampling(1.0, 2000, 1), rng)
    again = interior_value(sampler, 0, 0, Sampling(1.0, 2000, 1), rng)
    assert 0 < value < 1
    assert abs(value - again) < 0.1
    assert 0 <= HeuristicPlayer(game, rng, 1, 1, most=100).choose(0, 0) < 30


def test_finished_sums_are_never_overwritten():
    table = make_table(6)
    rng = np.random.default_rng(0)
    finished = [int(key) for key in rng.permutation(5000)[:32]]
    for number, key in enumerate(finished):
        assert find_finished(table, key) < 0
        store(table, ~find_finished(table, key), key, float(number), FINISHED, -1)
        other = key + 5000
        store(table, home_slot(table, other), other, 0.5, EXACT, 1)
    for number, key in enumerate(finished):
        assert table.values[find_finished(table, key)] == number
    kept = [key for key in finished if find_interior(table, key + 5000) >= 0]
    assert 0 < len(kept) < len(finished)  # interior positions do give way


def test_one_ply_left_is_played_perfectly():
    rng = np.random.default_rng(6)
    for _ in range(10):
        game = random_sum(5, rng)
        positions = PositionValues(game)
        player = HeuristicPlayer(game, rng, depth=1, samples=0)
        left, right = random_position(5, 3, rng)  # after one more move the rest is forced
        move = player.choose(left, right)
        assert positions.value(left, right | 1 << move) == positions.value(left, right)


def test_a_full_depth_player_is_perfect():
    rng = np.random.default_rng(9)
    for _ in range(5):
        game = random_sum(6, rng)
        solution = solve(game)
        move = HeuristicPlayer(game, rng, depth=6, samples=0).choose(0, 0)
        assert solution.first_moves[move] == pytest.approx(solution.value, abs=1e-12)


def test_depth_one_is_the_expected_outcome_player():
    rng = np.random.default_rng(11)
    game = random_sum(7, rng)
    sampler = make_sampler(game, exact=True)
    moves, scores = np.arange(7), np.zeros(7)
    score_moves(sampler, 0, 0, moves, scores, 7, EVERYTHING, rng)
    assert HeuristicPlayer(game, rng, depth=1, samples=0).choose(0, 0) == scores.argmax()


def test_same_seed_same_moves():
    game = random_sum(9, np.random.default_rng(2))
    chosen = [
        HeuristicPlayer(game, np.random.default_rng(5), 2, samples=3).choose(1, 2) for _ in range(2)
    ]
    assert chosen[0] == chosen[1]


def test_perfect_player_is_at_least_even():
    rng = np.random.default_rng(13)
    for depth, samples in ((1, 0), (1, 10), (3, 1)):
        game = random_sum(8, rng)
        result = play_match(game, PositionValues(game), rng, depth, samples)
        assert result.perfect_prob >= 0.5 - 1e-12


def test_ordering_errors_vanish_where_the_rest_is_forced():
    rng = np.random.default_rng(14)
    game = random_sum(7, rng)
    positions = PositionValues(game)
    average, worst = ordering_errors(game, positions, *random_position(7, 5, rng), 0, rng)
    assert average == worst == 0.0
    average, worst = ordering_errors(game, positions, 0, 0, 1, rng)
    assert 0.0 <= average <= 1.0
    assert 0.0 <= worst <= 1.0


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


def test_kernels_accept_certain_outcomes():
    sure = SimpleGame(OutcomeDistribution.of((1.0, 1)), OutcomeDistribution.of((1.0, -1)))
    rng = np.random.default_rng(0)
    assert HeuristicPlayer(Sum((sure,) * 3), rng, 1, samples=2).choose(0, 0) == 0
