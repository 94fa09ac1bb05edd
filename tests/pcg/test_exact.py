import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadSum
from engine.jit import JIT_ENABLED
from engine.pcg.exact import position_counts, solve
from engine.pcg.game import Sum, random_sum
from scripts.reproduce.papers.pcg.alpha_beta import solve_by_search
from scripts.reproduce.papers.pcg.trials import PositionValues, node_counts, random_position
from tests.pcg.sums import EXAMPLE, plain_games, random_many_point_sum
from tests.reference.pcg import game_value, table_value


def first_values(game):
    n = len(game.subgames)
    games = plain_games(game)
    return [game_value(games, frozenset({i}), offset=game.offset) for i in range(n)]


def check_against_minimax(game):
    expected = first_values(game)
    solution = solve(game)
    assert solution.first_moves == pytest.approx(expected, abs=1e-12)
    assert solution.value == pytest.approx(max(expected), abs=1e-12)
    assert solution.best == next(i for i, v in enumerate(expected) if v > max(expected) - 1e-12)


@pytest.mark.parametrize("subgames", [EXAMPLE[:2], EXAMPLE])
def test_worked_examples(subgames):
    value = {2: 0.65, 4: 0.436875}[len(subgames)]
    assert solve(Sum(subgames)).value == pytest.approx(value, abs=1e-12)
    assert solve(Sum(subgames)).best == 1
    found = solve_by_search(Sum(subgames), np.random.default_rng(0))
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.best == 1


def test_worked_first_moves():
    assert solve(Sum(EXAMPLE[:2])).first_moves == pytest.approx([0.64, 0.65])


def test_table_1():
    assert [sum(position_counts(n)) for n in (4, 12, 13, 14, 15)] == [
        35, 143365, 414584, 1201917, 3492117,
    ]  # fmt: skip
    assert node_counts(12) == (1302061345, 479001600, 143365, 924)
    assert node_counts(13) == (16926797486, 6227020800, 414584, 1716)
    assert node_counts(14) == (236975164805, 87178291200, 1201917, 3432)
    assert node_counts(15) == (3554627472076, 1307674368000, 3492117, 6435)


@pytest.mark.parametrize("n_subgames", [1, 2, 3, 4, 5, 6])
def test_position_counts_by_enumeration(n_subgames):
    game = random_sum(n_subgames, np.random.default_rng(n_subgames))
    assert len(table_value(plain_games(game))) == sum(position_counts(n_subgames))


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_brute_force_on_a_thousand_games():
    rng = np.random.default_rng(2006)
    for number in range(1000):
        game = random_sum(1 + number % 6, rng)
        check_against_minimax(game)
        found = solve_by_search(game, rng, sampled_depth=int(rng.integers(0, 7)))
        assert found.value == pytest.approx(solve(game).value, abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(-9, 9))
def test_many_points_small_values_and_offsets(seed, n_subgames, offset):
    rng = np.random.default_rng(seed)
    check_against_minimax(random_many_point_sum(n_subgames, rng, span=4, offset=offset))


@pytest.mark.parametrize("n_subgames", [5, 6])
def test_every_position(n_subgames):
    game = random_sum(n_subgames, np.random.default_rng(n_subgames))
    positions = PositionValues(game)
    for code, expected in table_value(plain_games(game)).items():
        digits = [code // 3**i % 3 for i in range(n_subgames)]
        left = sum(1 << i for i, digit in enumerate(digits) if digit == 1)
        right = sum(1 << i for i, digit in enumerate(digits) if digit == 2)
        assert positions.value(left, right) == pytest.approx(expected, abs=1e-12)


def test_moves_lead_to_the_value_of_a_position():
    rng = np.random.default_rng(4)
    positions = PositionValues(random_sum(9, rng))
    for moves in range(9):
        left, right = random_position(9, moves, rng)
        subgames, values = positions.moves(left, right)
        assert len(subgames) == 9 - moves
        best = values.max() if moves % 2 == 0 else values.min()
        assert best == positions.value(left, right)


def test_equal_subgames_tie_to_the_lowest_index():
    rng = np.random.default_rng(8)
    for _ in range(20):
        game = random_sum(4, rng)
        best = solve(game).best
        twice = Sum((*game.subgames, game.subgames[best], game.subgames[best]))
        solution = solve(twice)
        if solution.best >= 4:
            pytest.fail("a copy was preferred to the original")


@pytest.mark.parametrize(("n_subgames", "games"), [(7, 10), (10, 5), (12, 2)])
def test_the_exact_solvers_agree(n_subgames, games):
    if n_subgames > 7 and not JIT_ENABLED:
        pytest.skip("too slow without compiled kernels")
    rng = np.random.default_rng(n_subgames)
    for _ in range(games):
        game = random_sum(n_subgames, rng)
        solution = solve(game)
        for options in ({"sampled_depth": 0}, {}, {"samples": 0}, {"share": 0.1, "samples": 1}):
            found = solve_by_search(game, rng, **options)
            assert found.value == pytest.approx(solution.value, abs=1e-12)
            assert solution.first_moves[found.best] == pytest.approx(solution.value, abs=1e-12)
            assert found.terminals <= position_counts(n_subgames)[-1]  # none evaluated twice


def test_too_large_is_refused_before_any_work():
    game = random_sum(31, np.random.default_rng(0))
    begun = time.perf_counter()
    with pytest.raises(BadSum, match="31 subgames need"):
        solve(game)
    with pytest.raises(BadSum, match="31 subgames need"):
        PositionValues(game)
    with pytest.raises(BadSum, match="table"):
        solve_by_search(game, np.random.default_rng(0))
    assert time.perf_counter() - begun < 1.0
    with pytest.raises(BadSum, match="3072 MiB allowed"):
        solve(random_sum(30, np.random.default_rng(0)))


def test_bad_search_settings_are_refused():
    for options in ({"share": 0.0}, {"share": 1.5}, {"samples": -1}, {"sampled_depth": -1}):
        with pytest.raises(BadSum):
            solve_by_search(Sum(EXAMPLE), np.random.default_rng(0), **options)
