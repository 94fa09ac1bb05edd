"""Fights that no proof decides: staged as games, and judged by the search."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game, Knowledge, board_points, format_vertex, parse_vertex
from engine.go.board import COLOR, EMPTY
from engine.go.geometry import neighbors
from engine.jit import JIT_ENABLED
from engine.life.goal import build_question, find_questions
from engine.life.reader import small_fight
from engine.picture.picture import picture_of
from engine.player.staged_fights import FightJudge, staged
from tests.diagrams import PLAIN, game_of
from tests.symmetries import transform

# Three points in a row: the side that moves first takes the middle.
THREE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    X X X X X . . . .
    O O O O X . . . .
    . . . O X . . . ."""

# The same, and a friend that the group can reach at E1.
FRIEND = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    X X X X X . . . .
    O O O O X O . . .
    . . . O . O . . ."""

JUDGE = FightJudge(Knowledge(), itertools.count().__next__)


def swapped(picture):
    """The picture with the colors exchanged."""
    return picture.translate(str.maketrans("XO", "OX"))


@pytest.mark.skipif(not JIT_ENABLED, reason="five hundred roll-outs, four times")
@pytest.mark.parametrize("attacker", [BLACK, WHITE])
@pytest.mark.parametrize("defends", [False, True])
def test_the_search_finds_the_vital_point(attacker, defends):
    board = game_of(THREE if attacker == BLACK else swapped(THREE)).board
    question = next(q for q in find_questions(picture_of(board)) if q.defender == 3 - attacker)
    to_move = 3 - attacker if defends else attacker
    # The clock counts looks at it: a roll-out, and a batch of them.
    point = JUDGE.best_move(board, question, to_move, 2.0)
    assert format_vertex(point) == "B1"


@given(st.sampled_from([THREE, swapped(THREE)]), st.integers(0, 7))
def test_the_outside_is_the_attackers_with_two_eyes(picture, turns):
    fight, game = game_of(picture), Game(9, PLAIN)
    sides = ([transform(p, 9, turns) for p in fight.stones(color)] for color in (BLACK, WHITE))
    game.setup(*sides, BLACK)
    board = game.board
    question = next(find_questions(picture_of(board)))
    game = staged(board, question, BLACK)
    attacker = 3 - question.defender
    outside = [p for p in board_points(9) if p not in question.points]
    assert all(game.color_at(p) == board[COLOR + p] for p in question.points)
    empty = [p for p in outside if game.color_at(p) == EMPTY]
    assert {game.color_at(p) for p in outside if p not in empty} == {attacker}
    assert len(empty) == 2
    assert all(game.color_at(n) in (attacker, 3) for p in empty for n in neighbors(p))


@pytest.mark.parametrize("attacker", [BLACK, WHITE])
def test_the_groups_status_decides_the_game(attacker):
    board = game_of(THREE if attacker == BLACK else swapped(THREE)).board
    question = next(q for q in find_questions(picture_of(board)) if q.defender == 3 - attacker)
    game = staged(board, question, attacker)
    sign = 1 if attacker == BLACK else -1
    # All 81 points to the attacker, or eight of them to the group.
    assert sign * game.score(question.goal) == 81 - abs(game.komi) > 0
    assert sign * game.score() == 81 - 2 * 8 - abs(game.komi) < 0
    # Two remaining points are no life, three are.
    assert 81 - 2 * 2 > abs(game.komi) > 81 - 2 * 3


def points(*vertices):
    """The points of some vertices on 9x9."""
    return {parse_vertex(vertex, 9) for vertex in vertices}


CORNER = points("A1", "B1", "C1", "D1", "A2", "B2", "C2", "D2")


def test_where_friends_help_or_there_is_no_room_nothing_is_staged():
    board = game_of(FRIEND).board
    question = build_question(picture_of(board), WHITE, CORNER | points("E1"))
    assert staged(board, question, BLACK) is None
    assert JUDGE.best_move(board, question, BLACK, 1.0) is None
    everything = build_question(picture_of(small_fight()), WHITE, set(board_points(5)))
    assert staged(small_fight(), everything, BLACK) is None


def test_a_part_of_the_outside_without_room_stays_as_it_is():
    board = game_of(THREE).board
    game = staged(board, build_question(picture_of(board), WHITE, CORNER - points("A1")), WHITE)
    assert game.color_at(parse_vertex("A1", 9)) == EMPTY
    assert game.color_at(parse_vertex("A5", 9)) == BLACK
    assert game.to_play == WHITE
