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
from engine.pcg.game import OutcomeDistribution, SimpleGame, Sum, random_sum
from scripts.reproduce.papers.pcg.alpha_beta import solve_by_search
from scripts.reproduce.papers.pcg.trials import PositionValues, perfect_move, random_position
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


def scaled(distribution, factor):
    return OutcomeDistribution(
        tuple(value * factor for value in distribution.values), distribution.probs
    )


def mapped(game, left=lambda d: d, right=lambda d: d):
    """Return a sum with its subgames' distributions changed."""
    return replace(
        game, subgames=tuple(SimpleGame(left(g.left), right(g.right)) for g in game.subgames)
    )


def negated(outcome):
    """Return a distribution from the other player's view."""
    return OutcomeDistribution(tuple(-value for value in outcome.values[::-1]), outcome.probs[::-1])


def as_right_sees(game):
    """Return a sum with the players exchanged; Right wins a sum of 0, so one point is added."""
    subgames = tuple(SimpleGame(negated(g.right), negated(g.left)) for g in game.subgames)
    return Sum(subgames, 1 - game.offset)


@given(sums(), st.randoms(use_true_random=False))
def test_the_order_of_the_subgames_does_not_matter(game, random):
    order = list(range(len(game.subgames)))
    random.shuffle(order)
    before, after = solve(game), solve(Sum(tuple(game.subgames[i] for i in order), game.offset))
    assert after.value == pytest.approx(before.value, abs=1e-12)
    assert after.first_moves == pytest.approx(before.first_moves[order], abs=1e-12)


@given(sums(), st.integers(-9, 9))
def test_points_that_both_moves_bring_belong_to_the_offset(game, by):
    first, *others = game.subgames
    shifted = SimpleGame(moved(first.left, by), moved(first.right, by))
    inside, outside = Sum((shifted, *others), game.offset), replace(game, offset=game.offset + by)
    assert solve(inside).first_moves == pytest.approx(solve(outside).first_moves, abs=1e-12)


@given(sums(), st.sampled_from([2, 3, 1000]))
def test_the_unit_of_the_points_does_not_matter(game, factor):
    larger = mapped(game, lambda d: scaled(d, factor), lambda d: scaled(d, factor))
    larger = replace(larger, offset=game.offset * factor)
    assert solve(larger).first_moves == pytest.approx(solve(game).first_moves, abs=1e-12)


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


@given(st.integers(2, 7), st.integers(0, 2**32 - 1))
def test_any_move_is_no_better_than_the_best(n_subgames, seed):
    rng = np.random.default_rng(seed)
    positions = PositionValues(random_sum(n_subgames, rng))
    left, right = random_position(n_subgames, int(rng.integers(0, n_subgames)), rng)
    value = positions.value(left, right)
    _, after = positions.moves(left, right)
    lefts_move = left.bit_count() == right.bit_count()
    assert (after <= value).all() if lefts_move else (after >= value).all()


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
