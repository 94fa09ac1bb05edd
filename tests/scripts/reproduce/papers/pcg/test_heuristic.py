"""The heuristic player and its samples, against plain sets and exhaustive minimax."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.reproduce.papers.pcg.monte_carlo import (
    ALL_TERMINALS,
    Sampling,
    interior_value,
    make_sampler,
)
from scripts.reproduce.papers.pcg.trials import HeuristicPlayer, random_position
from tests.pcg.sums import plain_games, random_many_point_sum
from tests.reference import pcg as reference

EVERYTHING = Sampling(1.0, ALL_TERMINALS, 0)


def as_set(mask):
    return frozenset(i for i in range(62) if mask >> i & 1)


@given(st.integers(1, 5), st.integers(-3, 3), st.integers(0, 2**32 - 1))
def test_interior_values_of_any_sum_and_position(n_subgames, offset, seed):
    rng = np.random.default_rng(seed)
    game = random_many_point_sum(n_subgames, rng, 4, offset)
    left, right = random_position(n_subgames, int(rng.integers(0, n_subgames + 1)), rng)
    sampler = make_sampler(game, exact=True)
    found = interior_value(sampler, left, right, EVERYTHING, rng)
    twin = reference.interior_value(plain_games(game), as_set(left), as_set(right), offset)
    assert found == pytest.approx(twin, abs=1e-12)


@given(st.integers(2, 5), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_the_player_takes_a_best_move_of_its_depth(n_subgames, depth, seed):
    rng = np.random.default_rng(seed)
    game = random_many_point_sum(n_subgames, rng, 4, int(rng.integers(-3, 4)))
    left, right = random_position(n_subgames, int(rng.integers(0, n_subgames)), rng)
    move = HeuristicPlayer(game, rng, depth, samples=0).choose(left, right)
    lefts, rights = as_set(left), as_set(right)
    assert move not in lefts | rights
    games, best = plain_games(game), max if len(lefts) == len(rights) else min

    def after(i):
        mine, theirs = (lefts | {i}, rights) if best is max else (lefts, rights | {i})
        return reference.frontier_value(games, mine, theirs, depth - 1, game.offset)

    values = {i: after(i) for i in set(range(n_subgames)) - lefts - rights}
    assert values[move] == pytest.approx(best(values.values()), abs=1e-12)
