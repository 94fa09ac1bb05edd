"""Laws of the value of a sum, which show sign errors that the slow twins could share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pcg.exact import solve
from engine.pcg.game import OutcomeDistribution, SimpleGame, Sum
from scripts.reproduce.papers.pcg.alpha_beta import solve_by_search
from tests.pcg.sums import random_many_point_sum, win_probability


@st.composite
def sums(draw, largest=5, span=5):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    offset = draw(st.integers(-4, 4))
    return random_many_point_sum(draw(st.integers(1, largest)), rng, span, offset)


def negated(outcome):
    """Return a distribution from the other player's view."""
    return OutcomeDistribution(tuple(-value for value in outcome.values[::-1]), outcome.probs[::-1])


def as_right_sees(game):
    """Return a sum with the players exchanged; Right wins a sum of 0, so one point is added."""
    subgames = tuple(SimpleGame(negated(g.right), negated(g.left)) for g in game.subgames)
    return Sum(subgames, 1 - game.offset)


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
