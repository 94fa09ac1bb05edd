"""Learning people's choices: the kept part of a choice, the mode that is found, the table."""

import numpy as np
import pytest

from engine import BLACK, Game
from engine.errors import ModelFormatError
from engine.patterns.position import position_of
from engine.people.features import PHASES
from engine.people.model import WEIGHTS, PeopleModel, PeoplePredictor, knot_shares
from patterns_db.people.choices import UNKNOWN, collect_choices
from patterns_db.people.table import read_people, write_people
from patterns_db.people.training import (
    RANKS,
    TRAINING,
    judge_people,
    learn_people,
    rank_logs,
)
from patterns_db.shipped import PATTERN_TABLE, PEOPLE_TABLE
from patterns_db.store.table_files import open_arrays
from tests.patterns_db.collections import random_collection
from tests.player.test_patterns import knowledge
from tests.reference import people as twin

KNOTS = (14.0, 2.0)


@pytest.fixture(scope="module")
def choices():
    games = random_collection(count=3, size=5, length=6)
    ranked = [game._replace(ranks=("12k", "4k" if i else None)) for i, game in enumerate(games)]
    return collect_choices(ranked, knowledge().patterns)


def test_kept_choices_equal_the_predictors_candidates(choices):
    """The first choice was made on the empty board."""
    people = PeoplePredictor(knowledge().patterns, PeopleModel(np.array(KNOTS), np.zeros((2, 9))))
    count = people.study(position_of(Game(5), BLACK), 5)
    inputs, rows = choices.recall(0)
    np.testing.assert_allclose(inputs, people.work.inputs[:count], atol=1e-5)
    np.testing.assert_array_equal(rows, people.work.rows[:count])


def test_choices_belong_to_players(choices):
    assert set(choices.kyu[choices.color == 1]) == {12}
    assert set(choices.kyu[choices.color == 2]) == {4, UNKNOWN}
    assert set(choices.kyu[(choices.game == 0) & (choices.color == 2)]) == {UNKNOWN}
    assert (choices.played < np.diff(choices.begins)).all()


@pytest.fixture(scope="module")
def belief(choices):
    return learn_people(choices, knots=KNOTS)


def test_the_mode_is_where_prior_and_lessons_balance(choices, belief):
    """The gradient of the log posterior, by the twin, is zero there."""
    people, steps = belief
    weights = people.weights
    start = np.zeros(WEIGHTS)
    start[:PHASES] = TRAINING.start
    gradient = np.zeros_like(weights)
    for index in np.flatnonzero(choices.kyu != UNKNOWN):
        kyu = int(choices.kyu[index])
        lesson, _ = twin.lesson(people.at(kyu), *choices.recall(index), choices.played[index])
        gradient += knot_shares(people.knots, kyu)[:, None] * lesson
    # The later one of two knots is the middle.
    gradient[1] -= (weights[1] - start) / TRAINING.start_deviation**2
    step = (weights[1] - weights[0]) / steps**2
    gradient[0] += step
    gradient[1] -= step
    assert np.abs(gradient).max() < 0.05


def test_the_learned_table_predicts_better_than_the_start(choices, belief):
    start = np.zeros((2, WEIGHTS))
    start[:, :PHASES] = TRAINING.start
    before = judge_people(choices, PeopleModel(np.array(KNOTS), start))
    after = judge_people(choices, belief[0])
    assert after.logs.sum() > before.logs.sum() + 1.0
    assert after.moves.sum() == (choices.kyu != UNKNOWN).sum()
    assert after.top.sum() <= after.moves.sum()


def test_likelihoods_of_ranks_are_sums(choices, belief):
    indices = np.arange(3)
    found = rank_logs(choices, belief[0], indices)
    assert found.shape == (RANKS,)
    slow = sum(
        twin.log_chances(belief[0].at(5), *choices.recall(i))[choices.played[i]] for i in indices
    )
    assert found[5 + 8] == pytest.approx(slow, abs=1e-6)


def test_round_trip(tmp_path, belief):
    path = tmp_path / "people.table"
    write_people(path, belief[0], {"games": 4})
    found = read_people(path)
    np.testing.assert_allclose(found.weights, belief[0].weights, atol=1e-5)
    np.testing.assert_array_equal(found.knots, belief[0].knots)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(ModelFormatError, match="damaged"):
        read_people(path)


def test_other_features_are_refused(tmp_path, belief):
    path = tmp_path / "people.table"
    write_people(path, belief[0]._replace(weights=np.zeros((2, 5))), {})
    with pytest.raises(ModelFormatError, match="weights is float32"):
        read_people(path)
    with pytest.raises(ModelFormatError, match="holds patterns"):
        read_people(PATTERN_TABLE)


def test_the_shipped_table_is_whole():
    people = read_people(PEOPLE_TABLE)
    assert np.isfinite(people.weights).all()
    assert (np.diff(people.knots) < 0).all()
    # The stronger the player, the more the ranking model's chance of a move counts.
    sharpness = people.weights[:, 0]
    assert sharpness[-2] > sharpness[1]
    _, manifest = open_arrays(PEOPLE_TABLE, "people's choices")
    assert manifest["moves"] > 100_000
