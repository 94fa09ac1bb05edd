"""Chains that one move links or cuts apart, on full boards."""

import pytest
from hypothesis import HealthCheck, given, settings

from engine.go.board import WHITE
from engine.go.geometry import format_vertex, parse_vertex
from engine.life.links import link_questions, survey_links
from engine.life.reader import LifeReader
from engine.life.records import life_proof_record
from engine.picture.picture import picture_of
from scripts.check.life_proofs import LifeReplay
from tests.diagrams import GAP, game_of, random_games

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")

BAMBOO = """
    . . . . . . .
    . . . O . . .
    X X X . X X .
    X X X . X X .
    . . . O . . .
    . . . . . . .
    . . . . . . ."""


def vertices(points):
    return {format_vertex(point) for point in points}


def test_a_gap_belongs_to_the_side_that_moves_first():
    black, white = sorted(survey_links(game_of(GAP).board), key=lambda pair: pair.color)
    assert (vertices(black.one), vertices(black.other)) == ({"A5", "B5", "C5"}, {"E5", "F5"})
    assert (vertices(white.one), vertices(white.other)) == ({"C4", "D4"}, {"C6", "D6"})
    assert {format_vertex(pair.cut) for pair in (black, white)} == {"D5"}
    assert {format_vertex(pair.link) for pair in (black, white)} == {"D5"}
    board = game_of(GAP).board
    assert len(list(survey_links(board, move=parse_vertex("D5", 7)))) == 2
    assert list(survey_links(board, move=parse_vertex("A1", 7))) == []


def test_chains_that_are_linked_anyway_are_no_news():
    game = game_of(BAMBOO)
    [(_, _, question)] = link_questions(picture_of(game.board), fewest=2)
    assert {"D4", "D5"} <= vertices(question.points)
    assert list(survey_links(game.board)) == []


def test_small_and_distant_chains_are_not_asked_about():
    assert list(link_questions(picture_of(game_of(GAP).board), fewest=3)) == []
    apart = game_of(GAP.replace("X X X . X X .", "X X . . . . X"))
    assert all(
        apart.color_at(min(one)) == WHITE
        for one, _, _ in link_questions(picture_of(apart.board), 1)
    )


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(random_games(5, 7))
def test_links_are_proved(game):
    reader = LifeReader("pns", 60)
    for one, other, question in list(link_questions(picture_of(game.board), fewest=1))[:4]:
        color = question.defender
        assert {game.color_at(point) for point in one | other} == {color}
        assert set(question.goal) == one | other
        for first in (color, 3 - color):
            reading = reader.read_group(game.board, question, first, aim="link")
            if reading.status in ("alive", "dead"):
                LifeReplay(life_proof_record(reader)).check()


# White's A3 takes A4, which is next to the points between B1 and B3.
WEAK_FRIEND = """
    X X . . . O
    O . O O O O
    X O . . O O
    . X O . O .
    . . . O X O
    O X . . . X"""


def test_a_friend_without_liberties_elsewhere_may_fall():
    board = game_of(WEAK_FRIEND).board
    questions = {
        frozenset(vertices(one | other)): question
        for one, other, question in link_questions(picture_of(board), fewest=1)
    }
    question = questions[frozenset({"B1", "B3"})]
    assert "A4" in vertices(question.points)
    reader = LifeReader("pns", 300)
    reading = reader.read_group(board, question, WHITE, aim="link")
    assert reading.status == "dead"
    LifeReplay(life_proof_record(reader)).check()


# Both upper chains are linked with the lower one whoever moves first, and so with each other.
THREE = """
    . . . . . . .
    . . . O . . .
    . X X . X X .
    . . . O . . .
    . X X X X X .
    . . . . . . .
    . . . . . . ."""


def test_chains_that_are_linked_over_a_third_one_are_no_news():
    assert list(survey_links(game_of(THREE).board)) == []
    # Nothing is below: D5 links or cuts.
    below = THREE.replace("X X X X X", ". . O . .")
    assert [format_vertex(pair.cut) for pair in survey_links(game_of(below).board)] == ["D5"]
