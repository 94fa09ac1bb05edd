"""The softmax over people's choices, the gradient of a choice, and ranks between knots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game
from engine.patterns.position import position_of
from engine.patterns.predictor import Predictor
from engine.people.features import GROUPS, PHASES, ROWS
from engine.people.model import (
    INPUTS,
    WEIGHTS,
    PeopleModel,
    PeoplePredictor,
    knot_shares,
    log_chances_into,
    model_of_patterns,
)
from engine.people.posterior import RANK, STRONGEST, WEAKEST, rank_name, rank_posterior
from patterns_db.people.learning import learn_choice, new_lesson
from tests.diagrams import game_of
from tests.patterns.test_trees import random_trees
from tests.patterns_db.patterns.test_added_training import informed_knowledge
from tests.player.test_patterns import knowledge
from tests.reference import people as twin

RANKS = list(range(STRONGEST, WEAKEST + 1))


def random_choice(seed, count):
    """Return weights, inputs and rows of some candidates; a row at most once in a candidate."""
    rng = np.random.default_rng(seed)
    inputs = -rng.exponential(2.0, (count, INPUTS))
    inputs[:, 1:PHASES] = 0.0
    rows = np.sort(rng.integers(1, ROWS, (count, GROUPS)), axis=1)
    rows[:, 1:][rows[:, 1:] == rows[:, :-1]] = 0
    return rng.normal(0.0, 0.5, WEIGHTS), inputs, rows


@given(st.integers(0, 10**6), st.integers(1, 8))
def test_log_chances_are_the_twins(seed, count):
    weights, inputs, rows = random_choice(seed, count)
    logs = np.zeros(count)
    log_chances_into(weights, inputs, rows, count, logs)
    assert logs == pytest.approx(twin.log_chances(weights, inputs, rows), abs=1e-9)


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_the_gradient_of_a_choice_is_the_twins(seed, count):
    weights, inputs, rows = random_choice(seed, count)
    lesson = new_lesson()
    log = learn_choice(weights, inputs, rows, count, count - 1, lesson)
    gradient, information = twin.lesson(weights, inputs, rows, count - 1)
    assert log == pytest.approx(twin.log_chances(weights, inputs, rows)[-1])
    np.testing.assert_allclose(lesson.gradient, gradient, atol=1e-9)
    np.testing.assert_allclose(lesson.information, np.tril(information), atol=1e-9)
    assert not lesson.mean.any()


@pytest.mark.parametrize("trees", [None, random_trees()])
def test_people_who_follow_the_ranking_model_choose_as_it_says(trees):
    patterns, game = knowledge().patterns, Game(5)
    if trees:
        patterns = informed_knowledge()._replace(trees=trees)
    people = PeoplePredictor(patterns, model_of_patterns())
    found = people.of_position(position_of(game, BLACK), 5, people.people.at(12))
    assert found == pytest.approx(Predictor(patterns).of_game(game, BLACK), abs=1e-6)


def test_a_higher_temperature_is_more_even():
    patterns, position = knowledge().patterns, position_of(Game(5), BLACK)
    models = [model_of_patterns(temperature) for temperature in (0.5, 1.0, 2.0)]
    most = [
        max(PeoplePredictor(patterns, model).of_position(position, 5, model.at(3)).values())
        for model in models
    ]
    assert most == sorted(most, reverse=True)


FULL = """
    . X X
    X X X
    X X ."""


def test_a_position_without_a_move_has_no_chances():
    people = PeoplePredictor(knowledge().patterns, model_of_patterns())
    assert people.of_position(position_of(game_of(FULL), WHITE), 3, people.people.at(12)) == {}


@pytest.mark.parametrize("kyu", [40, 30, 20, 15.5, 11, 10, 3, -8, -20])
def test_ranks_between_knots_are_a_mixture(kyu):
    knots = np.array([20.0, 11.0, 10.0, -4.0])
    shares = knot_shares(knots, kyu)
    assert shares.sum() == pytest.approx(1.0)
    assert (shares >= 0).all()
    assert shares @ knots == pytest.approx(min(max(kyu, -4.0), 20.0))
    weights = np.arange(4.0)[:, None] * np.ones(WEIGHTS)
    assert PeopleModel(knots, weights).at(kyu)[0] == pytest.approx(shares @ np.arange(4.0))


@given(st.lists(st.floats(-300.0, 0.0), min_size=len(RANKS), max_size=len(RANKS)))
def test_the_posterior_is_the_twins(logs):
    found = rank_posterior(np.array(logs))
    slow = twin.posterior(
        logs, RANKS, RANK.trust, RANK.prior_mean, RANK.prior_deviation, RANK.recorded
    )
    assert found.chances.tolist() == pytest.approx(slow, abs=1e-9)
    strong, weak = found.interval
    assert STRONGEST <= strong <= found.median <= weak <= WEAKEST
    inside = sum(chance for rank, chance in found.by_rank().items() if strong <= rank <= weak)
    assert inside >= 0.8 - 1e-9


def test_ranks_by_name():
    assert [rank_name(kyu) for kyu in (30, 1, 0, -8)] == ["30k", "1k", "1d", "9d"]
