"""Facts that are kept from move to move, against reading everything anew."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game
from engine.facts.chain_facts import Surveyor
from engine.facts.kept_facts import mark_region
from engine.go.board import KO
from engine.go.geometry import AREA, board_points, to_column_row, to_point
from engine.jit import JIT_ENABLED
from tests.diagrams import random_games, stones_of
from tests.reference.games import random_game
from tests.reference.tactics import looked_at

PLENTY = 1_000_000


@given(random_games(smallest=4), st.data())
def test_the_region_of_a_reading_is_its_twins(game, data):
    points = board_points(game.size)
    listed = data.draw(st.sets(st.sampled_from(points), min_size=1, max_size=4))
    seeds, marks, steps = (np.zeros(AREA, np.uint8) for _ in range(3))
    seeds[list(listed)] = 1
    marks[:] = steps[:] = 7  # the earlier contents must not matter
    mark_region(game.board, seeds, marks, steps)
    found = {to_column_row(p) for p in points if marks[p]}
    places = {to_column_row(p) for p in listed}
    assert found == looked_at(stones_of(game), game.size, places)


def spent(surveyor, board):
    """Return the findings of a survey, and its nodes."""
    return surveyor.survey(board, PLENTY), surveyor.nodes


@pytest.mark.skipif(not JIT_ENABLED, reason="reads some hundred chains")
@settings(max_examples=4)
@given(st.integers(0, 10_000))
def test_kept_facts_equal_a_fresh_reading(seed):
    keeping = Surveyor()
    fresh = Surveyor()
    kept = anew = 0
    for turn in random_game(9, 50, seed):
        fresh.forget()
        found, nodes = spent(keeping, turn.board)
        expected, all_nodes = spent(fresh, turn.board)
        assert found == expected
        kept, anew = kept + nodes, anew + all_nodes
    assert kept < anew


def two_corners():
    """Return a board on which a white stone has one liberty in two opposite corners."""
    corner = [(2, 1), (2, 2), (1, 3)]
    black = [to_point(*place) for place in corner]
    black += [to_point(20 - column, 20 - row) for column, row in corner]
    game = Game(19)
    game.setup(black, [to_point(1, 1), to_point(19, 19)], BLACK)
    return game


def test_a_move_far_away_costs_nothing_and_one_beside_does():
    game = two_corners()
    surveyor = Surveyor()
    first, nodes = spent(surveyor, game.board)
    assert nodes > 0
    assert spent(surveyor, game.board) == (first, 0)
    game.play(BLACK, to_point(10, 10))
    assert spent(surveyor, game.board) == (first, 0)
    game.play(WHITE, to_point(2, 3))
    found, again = spent(surveyor, game.board)
    expected, all_nodes = spent(Surveyor(), game.board)
    assert found == expected
    assert 0 < again < all_nodes


def test_an_unfinished_reading_is_repeated():
    game = two_corners()
    surveyor = Surveyor()
    assert len(surveyor.survey(game.board, 1)) <= 1
    assert surveyor.survey(game.board, PLENTY) == Surveyor().survey(game.board, PLENTY)


@pytest.mark.skipif(not JIT_ENABLED, reason="reads the same chains four times")
def test_a_ban_changes_the_facts():
    """White has just taken a ko, and Black may retake it after a move elsewhere."""
    game = Game(5)
    for color, column, row in (
        (BLACK, 2, 1), (BLACK, 1, 2), (BLACK, 2, 3), (WHITE, 3, 1), (WHITE, 4, 2), (WHITE, 3, 3),
        (BLACK, 3, 2), (WHITE, 2, 2),
    ):  # fmt: skip
        game.play(color, to_point(column, row))
    assert game.board[KO] == to_point(3, 2)
    surveyor = Surveyor()
    assert surveyor.survey(game.board, PLENTY) == Surveyor().survey(game.board, PLENTY)
    game.play(BLACK, to_point(5, 5))
    assert surveyor.survey(game.board, PLENTY) == Surveyor().survey(game.board, PLENTY)
