"""Life and death against brute force over all positions of small regions."""

from unittest.mock import ANY

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.go.board import BLACK, COLOR, WHITE, empty_board
from engine.go.geometry import format_vertex, to_point
from engine.tactics.eyespace import living_stones, room_to_live
from engine.tactics.groups import build_question, find_questions
from engine.tactics.life import LifeReader
from patterns_db.problems import set_up_stones
from tests.reference.life import PlainFight, State, dies, living

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
READERS = {method: LifeReader(method, 20_000) for method in ("pp", "pns")}


def board_of(rows):
    """A board from rows of X, O and dots, the top one first."""
    size = len(rows)
    return set_up_stones(
        size,
        [
            (to_point(column, size - i), BLACK if c == "X" else WHITE)
            for i, row in enumerate(rows)
            for column, c in enumerate(row, 1)
            if c != "."
        ],
    )


def place_of(point):
    return point // 26, point % 26


def plain(question):
    """The twin's fight and its stones, from a question of the engine."""
    region = question.region
    places = [place_of(int(point)) if point else None for point in region.points]

    def points(bits):
        return {place for bit, place in enumerate(places) if place and int(bits) >> bit & 1}

    fight = PlainFight(*(points(region.masks[row]) for row in (0, 2, 3)))
    return fight, frozenset(points(question.defenders)), frozenset(points(question.attackers))


# A corner of a 5x5 board: the region's points, then what stands around it.
CORNERS = {
    "2x3, shut in": ({(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)}, "XXXX."),
    # A region holds all liberties of its group: the gap belongs to it.
    "2x3, a gap": ({(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2), (3, 3)}, "XX.X."),
    "first line": ({(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)}, "XXXXX"),
}


@st.composite
def fights(draw):
    """A corner with some stones, whoever they belong to, as a question about White."""
    region, wall = draw(st.sampled_from(sorted(CORNERS.values(), key=str)))
    stones = {}
    top = 2 if len(region) == 5 else 3
    for column, c in enumerate(wall, 1):
        if c == "X":
            stones[column, top] = BLACK
    if wall == "XXXX.":
        stones |= {(4, row): BLACK for row in range(1, top)}
    elif wall == "XX.X.":
        stones |= {(4, 2): BLACK}
    for place in sorted(region):
        color = draw(st.sampled_from([0, 0, WHITE, WHITE, BLACK]))
        if color:
            stones[place] = color
    return region, stones


def question_of(region, stones):
    try:
        board = set_up_stones(5, [(to_point(*place), color) for place, color in stones.items()])
    except ValueError:
        return None
    white = {place for place in region if stones.get(place) == WHITE}
    rim = {(x + a, y + b) for x, y in white for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    outside = {place for place in rim - region if 1 <= min(place) and max(place) <= 5}
    # A question's region holds all liberties of its group (``build_question``).
    if not white or not outside <= stones.keys():
        return None
    return board, build_question(board, WHITE, {to_point(*place) for place in region})


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(fights(), st.booleans(), st.sampled_from(["pp", "pns"]))
def test_the_search_agrees_with_brute_force(fight, defends, method):
    asked = question_of(*fight)
    if asked is None:
        return
    board, question = asked
    twin, defenders, attackers = plain(question)
    start = State(defenders, attackers, defenders, defends)
    reading = READERS[method].read_group(board, question, WHITE if defends else BLACK)
    dead = [dies(twin, start, obeys_defender) for obeys_defender in (False, True)]
    expected = {(True, True): "dead", (False, False): "alive", (False, True): "ko"}
    assert reading.status == expected[tuple(dead)]


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(fights())
def test_unconditional_life_is_what_no_attack_captures(fight):
    asked = question_of(*fight)
    if asked is None:
        return
    _, question = asked
    twin, defenders, attackers = plain(question)
    bits = living_stones(
        question.region, np.uint64(question.defenders), np.uint64(question.attackers)
    )
    found = {place_of(int(p)) for i, p in enumerate(question.region.points) if int(bits) >> i & 1}
    # The twin also keeps stones that only lack an attacker's legal move, as in seki.
    assert found <= living(twin, State(defenders, attackers, defenders, False))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(fights())
def test_no_room_to_live_is_death_whoever_moves(fight):
    asked = question_of(*fight)
    if asked is None:
        return
    _, question = asked
    room = room_to_live(
        question.region, np.uint64(question.defenders), np.uint64(question.attackers)
    )
    twin, defenders, attackers = plain(question)
    if room == 0:
        assert dies(twin, State(defenders, attackers, defenders, True), False)


@pytest.mark.parametrize(
    ("rows", "to_move", "status", "move"),
    [
        # Three in a row: the middle decides.
        (["........."] * 6 + ["XXXXX....", "OOOOX....", "...OX...."], BLACK, "dead", "B1"),
        (["........."] * 6 + ["XXXXX....", "OOOOX....", "...OX...."], WHITE, "alive", "B1"),
        # Four in a row: alive without a move.
        (["........."] * 6 + ["XXXXXX...", "OOOOOX...", "....OX..."], BLACK, "alive", None),
        (["........."] * 6 + ["XXXXXX...", "OOOOOX...", "....OX..."], WHITE, "alive", ANY),
    ],
)
@pytest.mark.parametrize("method", ["pp", "pns"])
def test_book_shapes(rows, to_move, status, move, method):
    board = board_of(rows)
    reading = READERS[method].read_group(board, next(find_questions(board)), to_move)
    assert reading.status == status
    assert (None if reading.move is None else format_vertex(reading.move)) == move


def test_the_group_in_question_is_the_one_that_is_shut_in():
    board = board_of(["........."] * 6 + ["XXXXX....", "OOOOX....", "...OX...."])
    question = next(find_questions(board))
    assert question.defender == WHITE
    assert len(question.goal) == 5
    assert all(board[COLOR + point] == WHITE for point in question.goal)


def test_without_stones_there_is_no_question():
    board = empty_board(9)
    assert list(find_questions(board)) == []
    assert READERS["pp"].read_position(board, BLACK, 1.0).status == "unknown"
