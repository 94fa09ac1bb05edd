"""The player at endings that are sums of fights: the right move, its reason, and the switch."""

import pytest

from engine import BLACK, RULESETS, WHITE, Game, Player, PlayerOptions, parse_vertex
from engine.endings.chances import ChanceAdvice
from engine.endings.fights import SumAdvice
from engine.reports import choose_between
from engine.search.root_moves import MoveBelief
from tests.diagrams import game_of
from tests.endings.test_advice import TWO

CHINESE = RULESETS["chinese"]


def player(**options) -> Player:
    return Player(PlayerOptions(playouts=60, threads=1, seed=1, memory_mib=1, **options))


def ending(komi: float = 0.0) -> Game:
    return game_of(TWO, BLACK, CHINESE, komi)


def answer(thoughts):
    while True:
        try:
            next(thoughts)
        except StopIteration as end:
            return end.value


def test_plays_the_right_fight_and_says_why():
    decision = player().choose(ending(komi=2.5), BLACK)
    assert decision.point == parse_vertex("E1", 7)
    assert decision.reason.startswith("all settled but 2 small fights: worth ")
    assert "roll-outs" in decision.reason


def test_says_nothing_of_fights_when_told_so():
    decision = player(sums=False).choose(ending(), BLACK)
    assert "fights" not in decision.reason
    assert len(decision.candidates) > 1


def test_the_same_seed_gives_the_same_decision():
    assert player().choose(ending(), WHITE) == player().choose(ending(), WHITE)


@pytest.mark.parametrize("avoided", ["E1", "A7"])
def test_moves_to_avoid_are_avoided(avoided):
    """SumAdvice that leaves no allowed move is not followed."""
    point = parse_vertex(avoided, 7)
    assert answer(player().deliberate(ending(), BLACK, avoid={point})).point != point


def belief(vertex: str, playouts: int, win_rate: float) -> MoveBelief:
    point = parse_vertex(vertex, 7)
    return MoveBelief(point, playouts, win_rate, 0.0, 0.0, 0.0, 0.0, 0.0, (point,))


@pytest.mark.parametrize(
    ("playouts", "win_rate", "chosen"),
    [(20, 0.5, "E1"), (20, 0.3, "D5"), (2, 0.5, "D5"), (20, 0.45, "E1")],
)
def test_the_sum_decides_unless_the_search_knows_better(playouts, win_rate, chosen):
    moves = (belief("D5", 50, 0.5), belief("A7", 30, 0.5), belief("E1", playouts, win_rate))
    advice = SumAdvice(frozenset({parse_vertex("E1", 7)}), 3, 2, 2)
    assert choose_between(moves, advice).point == parse_vertex(chosen, 7)
    judged = ChanceAdvice(advice.moves, 0.6, 2, 1)
    assert choose_between(moves, judged).point == parse_vertex(chosen, 7)
    close = (belief("D5", 50, 0.5), belief("E1", 20, 0.42))
    assert choose_between(close, advice) == close[1]
    assert choose_between(close, judged) == close[0]  # what is judged has less weight
    assert choose_between(moves, None) == moves[0]
