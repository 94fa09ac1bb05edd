"""SumAdvice on endings: when it appears, that it is right, and its words."""

import numpy as np

from engine import BLACK, RULESETS, WHITE, Game, parse_vertex
from engine.endings import sums as advice_module
from engine.endings.sums import expected_owners, ownership_given
from engine.facts.chain_facts import ChainFacts
from engine.facts.position_facts import Facts
from engine.go.geometry import AREA, board_points
from tests.diagrams import game_of
from tests.endings.advising import advice_for
from tests.endings.test_fights import TWO

CHINESE = RULESETS["chinese"]


def test_the_fights_of_a_judged_position_are_solved():
    game = game_of(TWO, BLACK, CHINESE)
    found = advice_for(game, BLACK)
    assert found is not None
    assert found.moves == {parse_vertex("E1", 7)}
    assert found.fights == 2
    assert advice_for(game, BLACK) == found


def test_fates_leave_only_the_fights_open():
    game = game_of(TWO, BLACK, CHINESE)
    expected = expected_owners(game.board, Facts().status(game).ownership)
    given = ownership_given(game.board, expected, 7, 300, 50)
    assert given is not None
    for point in board_points(7):
        if game.color_at(point) in (BLACK, WHITE):
            assert given[point] == (1.0 if game.color_at(point) == BLACK else -1.0)
    assert abs(given[parse_vertex("D5", 7)]) < 0.5


def test_no_advice_under_territory_rules():
    game = game_of(TWO, BLACK, RULESETS["japanese"])
    assert advice_for(game, BLACK) is None


def test_no_advice_early():
    game = Game(7, CHINESE)
    assert advice_for(game, BLACK) is None


def test_no_advice_when_fates_are_never_as_expected():
    game = game_of(TWO, BLACK, CHINESE)
    wrong = np.zeros(AREA)
    for point in board_points(7):
        wrong[point] = -1.0 if game.color_at(point) == BLACK else 1.0
    assert ownership_given(game.board, expected_owners(game.board, wrong), 7, 300, 50) is None
    assert advice_for(game, BLACK, wrong) is None


def test_no_advice_beyond_the_budget(monkeypatch):
    game = game_of(TWO, BLACK, CHINESE)
    monkeypatch.setattr(advice_module, "SUMS", advice_module.SUMS._replace(budget=3))
    assert advice_for(game, BLACK) is None


def test_proofs_take_precedence_over_roll_outs():
    game = game_of(TWO, BLACK, CHINESE)
    owned = Facts().status(game).ownership
    corner, dead = parse_vertex("B7", 7), parse_vertex("G7", 7)
    facts = [
        ChainFacts((corner,), BLACK, (), "critical"),
        ChainFacts((dead,), WHITE, (), "dead"),
        ChainFacts((parse_vertex("A1", 7),), BLACK, (), "safe"),
    ]
    expected = expected_owners(game.board, owned, facts)
    assert expected[corner] == 0
    assert expected[dead] == 1
    assert expected[parse_vertex("A1", 7)] == 1  # as roll-outs say
    assert expected[parse_vertex("D5", 7)] == 0  # no stone
