"""Stones in atari that nothing saves cut nothing off, unless they are a sacrifice that kills."""

import numpy as np
import pytest

from engine import BLACK, RULESETS, WHITE, parse_vertex
from engine.facts.survey import Survey, sure_captures
from engine.go.geometry import AREA
from engine.jit import JIT_ENABLED
from engine.picture.picture import picture_of
from tests.diagrams import game_of, points_marked
from tests.players import player

# The stone o is in atari at D4. If White extends there, Black captures at D3.
CUT_OFF = """
    . O X X X X O . O
    O O X . . X O O .
    . O X X X X O . O
    O O O X O O O O O
    . O X o X X O . O
    O X X . X X X O O
    X . X . X X . X X
    X X X . X X X X .
    . X . X . X . X X"""
# The three stones o fill Black's only eye. White lives outside.
SACRIFICE = """
    . O X o o o X O .
    O O X . X X X O O
    . O X X X O O O .
    O O O O O O . O O
    O . O . O O O O .
    X X X X X X X X X
    . X . X . X . X .
    X X X X X X X X X
    . X . X . X . X ."""

# Black takes both stones o with one move at A8. This comes from a game.
ONE_MOVE = """
    o X X . X X . X .
    . O X . X . X O O
    o X X . . X . X X
    . O X . X X . . .
    O . O O X O X X X
    O O O O O O . O .
    . O X X X O O . O
    . O X X O . . O .
    . . . . O . O . ."""


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize(("rules", "margin"), [("chinese", 19.0), ("japanese", 8.0)])
def test_a_group_lives_by_a_capture_that_nothing_prevents(rules, margin, color):
    """By area Black has 50 points of 81.

    By territory Black has 14 points with the prisoner, and White 6: A5 connects the stone at A4.
    """
    game = game_of(CUT_OFF, color, RULESETS[rules])
    status = player().status(game)
    assert status.dead == [points_marked(CUT_OFF, "o")]
    assert player().final_score(game) == margin


def survey(board, alive: float):
    """Return roll-outs in which Black's chains in the upper half live in that net share."""

    class Counts(Survey):
        def share(self, chain):
            is_upper = max(chain.stones) > parse_vertex("J5", 9)
            return alive if chain.color == BLACK and is_upper else 1.0

    return Counts(picture_of(board), *np.zeros((2, AREA), np.int64))


@pytest.mark.parametrize(("diagram", "count"), [(CUT_OFF, 1), (SACRIFICE, 0)])
def test_only_a_captor_that_lives_anyway_is_saved(diagram, count):
    game = game_of(diagram)
    found = sure_captures(game.board, survey(game.board, 0.1), frozenset())
    captures = [capture for capture in found if capture.color == BLACK]
    assert len(captures) == count
    if count:
        (capture,) = captures
        assert (capture.color, capture.point) == (BLACK, parse_vertex("D4", 9))
        assert capture.stones == set(points_marked(diagram, "o"))


def test_a_capture_matters_only_where_something_is_in_doubt():
    game = game_of(CUT_OFF)
    assert sure_captures(game.board, survey(game.board, 1.0), frozenset()) == ()
    proved = frozenset(points_marked(CUT_OFF, "o"))
    assert sure_captures(game.board, survey(game.board, 0.1), proved) == ()


@pytest.mark.skipif(not JIT_ENABLED, reason="too few roll-outs without the JIT")
def test_one_move_takes_two_chains():
    captures = player().status(game_of(ONE_MOVE, WHITE, RULESETS["japanese"])).captures
    assert len({capture.point for capture in captures}) == len(captures) > 0
