"""Invariances of the value of a sum, and prescribed changes: laws, not examples.

Two finished sums or two sums are compared, so no test here depends on a slow twin. Laws that mix
both players' views show sign errors that the twins could share.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pcg.exact import solve
from engine.pcg.game import OutcomeDistribution, SimpleGame, Sum
from scripts.reproduce.papers.pcg.alpha_beta import solve_by_search
from scripts.reproduce.papers.pcg.positions import PositionValues
from scripts.reproduce.papers.pcg.trials import perfect_move
from tests.pcg.sums import random_many_point_sum, win_probability

SURE_ZERO = OutcomeDistribution.of((1.0, 0))
NOTHING = SimpleGame(SURE_ZERO, SURE_ZERO)
"""A subgame that only passes the turn."""


@st.composite
def sums(draw, largest=5, span=5):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    offset = draw(st.integers(-4, 4))
    return random_many_point_sum(draw(st.integers(1, largest)), rng, span, offset)


def moved(distribution, by):
    return OutcomeDistribution(
        tuple(value + by for value in distribution.values), distribution.probs
    )


def mapped(game, left=lambda d: d, right=lambda d: d):
    """Return a sum with its subgames' distributions changed."""
    return replace(
        game, subgames=tuple(SimpleGame(left(g.left), right(g.right)) for g in game.subgames)
    )


def as_right_sees(game):
    """Return a sum with the players exchanged; Right wins a sum of 0, so one point is added."""
    subgames = tuple(SimpleGame(g.right.negated(), g.left.negated()) for g in game.subgames)
    return Sum(subgames, 1 - game.offset)


@given(sums(), st.integers(1, 3))
def test_more_points_are_never_worse_for_left(game, by):
    value = solve(game).value
    assert solve(replace(game, offset=game.offset + by)).value >= value - 1e-12
    assert solve(mapped(game, left=lambda d: moved(d, by))).value >= value - 1e-12
    assert solve(mapped(game, right=lambda d: moved(d, -by))).value <= value + 1e-12


@given(sums(largest=4))
def test_two_empty_subgames_change_nothing(game):
    """A pass in one game is answered in the other one, so neither side gains a tempo."""
    twice = Sum((*game.subgames, NOTHING, NOTHING), game.offset)
    assert solve(twice).value == pytest.approx(solve(game).value, abs=1e-12)


@given(sums(largest=4))
def test_a_finished_sum_is_won_by_one_of_the_two(game):
    n = len(game.subgames)
    for left in range(1 << n):
        lefts = [i for i in range(n) if left >> i & 1]
        rights = [i for i in range(n) if not left >> i & 1]
        won = win_probability(game, lefts)
        assert won + win_probability(as_right_sees(game), rights) == pytest.approx(1.0, abs=1e-12)


@given(sums(largest=5, span=3), st.integers(0, 2**32 - 1))
def test_the_search_and_the_table_agree_with_any_settings(game, seed):
    rng = np.random.default_rng(seed)
    found = solve_by_search(
        game,
        rng,
        sampled_depth=int(rng.integers(0, 7)),
        share=float(rng.uniform(0.05, 1.0)),
        samples=int(rng.integers(0, 4)),
        table_bits=int(rng.integers(6, 12)),  # small tables: positions drive each other out
    )
    solution = solve(game)
    assert found.value == pytest.approx(solution.value, abs=1e-12)
    assert solution.first_moves[found.best] == pytest.approx(solution.value, abs=1e-12)


@given(sums(largest=5))
def test_perfect_play_of_both_sides_keeps_the_value(game):
    positions = PositionValues(game)
    left = right = 0
    for k in range(len(game.subgames)):
        move = perfect_move(positions, left, right)
        if k % 2 == 0:
            left |= 1 << move
        else:
            right |= 1 << move
        assert positions.value(left, right) == positions.value(0, 0)


def test_sure_outcomes_make_it_a_game_of_points():
    """Without chance the value is 0 or 1, and the best first move the largest swing."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        numbers = rng.integers(0, 9, (5, 2))
        games = [
            SimpleGame(
                OutcomeDistribution.of((1.0, int(gain))), OutcomeDistribution.of((1.0, -int(loss)))
            )
            for gain, loss in numbers
        ]
        swings = sorted((int(gain + loss) for gain, loss in numbers), reverse=True)
        # Taking the largest swing each time is perfect: Left then has every other one.
        margin = sum(swings[::2]) - int(numbers[:, 1].sum())
        for offset in (-margin, 1 - margin):
            solution = solve(Sum(tuple(games), offset))
            assert solution.value == (1.0 if margin + offset > 0 else 0.0)
        largest = int(np.argmax(numbers.sum(axis=1)))
        assert solve(Sum(tuple(games), 1 - margin)).first_moves[largest] == 1.0
