"""Moves instead of a pass while points are open, or where a group needs a move."""

import pytest

from engine import PASS, Decision, MoveBelief
from engine.passing import (
    LOOKED_AT,
    beside_pass,
    passes_unlooked,
    rather_than_lose,
    rather_than_pass,
)
from engine.thinkers.decision import LEAST_PLAYOUTS
from tests.beliefs import believed

DAME, FILLED, RARE = 27, 28, 29


def candidate(point: int, playouts: int, won: float, won_by: float) -> MoveBelief:
    return believed(point, playouts, won, won_by)._replace(win_rate=0.5)


def decided(*others: MoveBelief, point: int = PASS) -> Decision:
    passing = candidate(PASS, 100, 1.0, 8.0)
    reasons = {move.point: f"why {move.point}" for move in others}
    return Decision(point, False, "why", 0.98, 200, (passing, *others), reasons)


def test_a_dame_is_filled_before_passing():
    decision = rather_than_pass(decided(candidate(DAME, 20, 1.0, 7.5)), clear=True)
    assert (decision.point, decision.reason, decision.win_rate) == (DAME, "why 27", 0.5)


@pytest.mark.parametrize(
    ("won", "won_by", "clear", "unclear"),
    [
        (1.0, 8.0, True, True),
        (0.95, 7.2, True, True),
        (1.0, 6.5, False, True),  # it costs a point
        (0.8, 8.0, False, True),  # it may lose chains that are in doubt anyway
        (1.0, 2.0, False, False),  # a chain in seki goes
        (0.5, 8.0, False, False),
    ],
)
def test_no_losing_move_is_forced(won, won_by, clear, unclear):
    answer = decided(candidate(FILLED, 20, won, won_by))
    assert (rather_than_pass(answer, clear=True).point == FILLED) == clear
    assert (rather_than_pass(answer, clear=False).point == FILLED) == unclear


@pytest.mark.parametrize(("won", "plays"), [(0.05, True), (0.15, False)])
def test_a_lost_game_is_not_ended_while_a_fate_is_in_doubt(won, plays):
    passing, threat = candidate(PASS, 100, won, -38.0), candidate(RARE, 26, 0.0, -46.0)
    answer = Decision(PASS, False, "why", 0.0, 126, (passing, threat), {RARE: "why"})
    assert (rather_than_pass(answer, clear=False).point == RARE) == plays
    assert rather_than_pass(answer, clear=True) == answer


def test_a_move_with_few_visits_is_left_alone():
    answer = decided(candidate(RARE, LEAST_PLAYOUTS - 1, 1.0, 9.0))
    assert rather_than_pass(answer, clear=True) == answer


def test_a_pass_taken_for_granted_is_seen():
    rare = candidate(RARE, LOOKED_AT - 1, 1.0, 9.0)
    assert passes_unlooked(decided(rare))
    assert not passes_unlooked(decided(rare, candidate(DAME, LOOKED_AT, 0.0, -9.0)))
    assert not passes_unlooked(decided(rare, point=RARE))
    assert not passes_unlooked(Decision(PASS, False, "no search", 0.5, 0))


def test_separately_searched_moves_are_reported_with_the_pass():
    aside = Decision(RARE, False, "", 0.5, 64, (candidate(RARE, 60, 1.0, 9.0),))
    answer = beside_pass(decided(candidate(RARE, 2, 0.1, 1.0)), aside)
    assert [(move.point, move.playouts) for move in answer.candidates] == [(PASS, 100), (RARE, 60)]
    assert answer.point == PASS
    assert rather_than_pass(answer, clear=True).point == RARE


def test_only_a_pass_is_replaced():
    answer = decided(candidate(DAME, 20, 1.0, 8.0), point=FILLED)
    assert rather_than_pass(answer, clear=False) == answer


@pytest.mark.parametrize(("won", "played"), [(0.85, FILLED), (0.75, DAME)])
def test_a_move_that_costs_a_point_is_played_where_much_more_is_lost_without_it(won, played):
    answer = decided(candidate(DAME, 100, 0.5, 1.0), point=DAME)
    needed = believed(FILLED, 64, won, 9.0)
    decision = rather_than_lose(answer, needed)
    assert decision.point == played
    assert {move.point: move.won for move in decision.candidates}[played] in (won, 0.5)
    if played == FILLED:
        assert decision.reason == "it wins 85% of its roll-outs, and A1 only 50%"
        assert decision.win_rate == won
    assert rather_than_lose(answer, None) == answer
