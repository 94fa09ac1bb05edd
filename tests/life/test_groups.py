"""Groups on a full board, against their definitions, and life in their regions by brute force."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import BLACK, WHITE
from engine.go.board import empty_board
from engine.go.geometry import to_column_row, to_point
from engine.jit import JIT_ENABLED
from engine.life.groups import (
    ASKED_GROUPS,
    alone,
    besiegers,
    find_groups,
    local_question,
    questions_about,
    ways_out,
)
from engine.life.regions import MASK_EXIT, MASK_FIRM
from engine.picture.picture import picture_of
from tests.diagrams import game_of, liberties_at, points_marked, random_games, rim_of, stones_of
from tests.life.test_life import QUESTIONS, READERS, place_of, plain, slowly
from tests.reference.groups import chain_of, enclosed_by
from tests.reference.life import State, fate

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
SIZES = (5, 9 if JIT_ENABLED else 6)


def places(points):
    return {to_column_row(point) for point in points}


@slowly
@given(random_games(*SIZES))
def test_a_region_holds_the_points_of_its_question(game):
    stones = stones_of(game)
    for group in find_groups(picture_of(game.board)):
        assert len(group) >= ASKED_GROUPS.fewest_stones
        for question in questions_about(picture_of(game.board), group):
            points, goal = question.points, set(question.goal)
            color = question.defender
            held = goal & group
            assert held
            assert {game.color_at(point) for point in goal} == {color}
            # All liberties of its stones, and the points they enclose; whole chains.
            rim = rim_of(game, goal)
            assert {n for n in rim if game.color_at(n) == 0} <= points
            inside = {point for point in points if game.color_at(point) != 0}
            for point in inside:
                chain = chain_of(stones, to_column_row(point), game.size)
                assert chain <= places(points)
            cut_off = enclosed_by(stones, places(held), game.size, 20)
            assert cut_off <= places(points)
            # Stones outside stand, because nothing is played there: they have a liberty there.
            for point in rim_of(game, points):
                if game.color_at(point) != 0:
                    assert set(liberties_at(game, point)) - points


@slowly
@given(random_games(*SIZES))
def test_the_surroundings_of_a_group(game):
    for group in find_groups(picture_of(game.board)):
        for question in questions_about(picture_of(game.board), group):
            outside = rim_of(game, question.points)
            around = {p for p in outside if game.color_at(p) == 3 - question.defender}
            found = besiegers(picture_of(game.board), question)
            assert around <= {point for chain in found for point in chain.stones}
            assert all(chain.stones & around for chain in found)
            assert not any(chain.stones & question.points for chain in found)
            assert len(found) == len(set(found))
            out = ways_out(picture_of(game.board), question, lambda point: point % 2 == 0)
            for bit, point in enumerate(question.region.points.tolist()):
                rim = rim_of(game, [point]) - question.points if point else set()
                colors = {game.color_at(n) for n in rim if n % 2 == 0}
                assert bool(int(out.region.masks[MASK_EXIT]) >> bit & 1) == bool(
                    colors & {0, question.defender}
                )
            assert int(alone(question).region.masks[MASK_EXIT]) == 0
            assert (out.region.masks[:MASK_EXIT] == question.region.masks[:MASK_EXIT]).all()
            assert (alone(question).region.masks[MASK_FIRM] == out.region.masks[MASK_FIRM]).all()


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(QUESTIONS, st.booleans())
def test_both_questions_are_answered_as_by_brute_force(asked, defends):
    board, question = asked
    outs = (
        ways_out(picture_of(board), question, lambda point, few=few: point % 2 < few)
        for few in (1, 2)
    )
    for other in (alone(question), *outs):
        twin, defenders, attackers = plain(other)
        start = State(defenders, attackers, defenders, defends)
        reading = READERS["pns"].read_group(board, other, WHITE if defends else BLACK)
        assert reading.status == fate(twin, start)


CORNER = """
    . . . . . . . . .
    . . . . . . . . .
    . . X . . . . . .
    . . . . . . X . .
    . . . . . . . . .
    X X . . . . . . .
    O O X X X X . . .
    . O O O O X . . .
    . . . . O X . . .
"""


def test_a_group_in_a_corner():
    game = game_of(CORNER)
    group = next(g for g in find_groups(picture_of(game.board)) if game.color_at(min(g)) == WHITE)
    assert sorted(group) == points_marked(CORNER, "O")
    question = local_question(picture_of(game.board), group)
    assert question is not None
    assert place_of(to_point(1, 1))[::-1] in places(question.points)
    black = {chain.stones for chain in besiegers(picture_of(game.board), question)}
    assert {frozenset(points_marked(CORNER, "X")) & chain for chain in black} == black


def test_a_board_without_stones_has_no_groups():
    assert find_groups(picture_of(empty_board(9))) == []


def test_large_groups_are_asked_about_in_parts():
    """A row and a column of nine stones, which share one liberty."""
    column = [". . . . X" + " ." * 14] * 8
    rows = [*column, ". . . . X . X X X X X X X X X . . . .", *[". " * 19] * 10]
    board = game_of("\n".join(rows)).board
    (group,) = find_groups(picture_of(board))
    assert len(group) == 18
    assert local_question(picture_of(board), group) is None
    assert [len(question.goal) for question in questions_about(picture_of(board), group)] == [9, 9]
