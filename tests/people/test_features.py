"""Features of people's choices, against the twin that counts stones in a dict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, WHITE
from engine.go.geometry import to_column_row
from engine.patterns.position import position_of
from engine.patterns.valuing import no_patterns
from engine.people.features import (
    DIAGONALS,
    FIRST_ROWS,
    GROUPS,
    NEIGHBORS,
    ORDER,
    PLACE,
    REGION,
    RIVAL,
    ROWS,
    SIZES,
    line_like,
)
from engine.people.model import PeoplePredictor, model_of_patterns
from tests.diagrams import random_games, stones_of
from tests.player.test_patterns import knowledge
from tests.reference import people as twin


def predictor(patterns=None):
    return PeoplePredictor(patterns or no_patterns(), model_of_patterns())


def studied(game, color, patterns=None):
    """Return the classes of each legal move, by point and group."""
    people = predictor(patterns)
    count = people.study(position_of(game, color), game.size)
    rows = people.work.rows[:count].tolist()
    classes = [
        [row - first + 1 if row else 0 for row, first in zip(own, FIRST_ROWS, strict=True)]
        for own in rows
    ]
    return (
        people,
        dict(zip(people.work.prediction.candidates.points.tolist(), classes, strict=False)),
        rows,
    )


@given(random_games(), st.sampled_from([BLACK, WHITE]))
def test_places_and_surroundings_are_the_twins(game, color):
    stones = stones_of(game)
    _, found, _ = studied(game, color)
    for point, classes in found.items():
        at = to_column_row(point)
        near, corners = twin.around(stones, game.size, at, color)
        assert classes[REGION] == twin.region(stones, game.size, at, color)
        assert classes[PLACE] == twin.place(stones, game.size, at)
        assert (classes[NEIGHBORS], classes[DIAGONALS]) == (near, corners)


@given(random_games(), st.sampled_from([BLACK, WHITE]))
def test_orders_are_those_of_the_ranking_model(game, color):
    patterns = knowledge().patterns
    people, found, _ = studied(game, color, patterns)
    chances = people.work.prediction.probability[: len(found)].tolist()
    for index, classes in enumerate(found.values()):
        assert classes[ORDER] == twin.order(chances, index)
    _, others, _ = studied(game, 3 - color, patterns)
    # Means are nearly the order of the probabilities; illegal points have none.
    assert all((classes[RIVAL] > 0) == (point in others) for point, classes in found.items())


@given(random_games())
def test_every_class_has_its_row(game):
    _, _, rows = studied(game, BLACK)
    ends = [first + size for first, size in zip(FIRST_ROWS, SIZES, strict=True)]
    assert ends[-1] == ROWS
    assert len(ends) == GROUPS
    for own in rows:
        for row, first, end in zip(own, FIRST_ROWS, ends, strict=True):
            assert row == 0 or first <= row < end


@pytest.mark.parametrize("size", [5, 9, 13, 19, 25])
def test_lines_of_larger_boards_are_stretched_between_third_line_and_center(size):
    half = (size + 1) // 2
    found = [line_like(number, size) for number in range(1, half + 1)]
    assert found == [twin.line(number, size) for number in range(1, half + 1)]
    assert found == sorted(found)
    assert found[-1] == min(half, 5)
