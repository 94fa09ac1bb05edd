"""The player at endings that are sums of fights: the right move, its reason, and the switch."""

import pytest

from engine import BLACK, RULESETS, Game, Player, PlayerOptions, parse_vertex
from engine.explain.kinds import Kind
from tests.diagrams import game_of
from tests.endings.test_sums import TWO

CHINESE = RULESETS["chinese"]


def player(**options) -> Player:
    return Player(PlayerOptions(playouts=60, threads=1, seed=1, memory_mib=1, **options))


def ending(komi: float = 0.0) -> Game:
    return game_of(TWO, BLACK, CHINESE, komi)


def test_plays_the_right_fight_and_says_why():
    decision = player().choose(ending(komi=2.5), BLACK)
    assert decision.point == parse_vertex("E1", 7)
    assert decision.reason.startswith("only 2 small fights are left: it gains ")
    assert [effect.kind for effect in decision.why] == [Kind.SUM]


def test_no_word_of_fights_by_setting():
    decision = player(sums=False).choose(ending(), BLACK)
    assert "fights" not in decision.reason
    assert len(decision.candidates) > 1


@pytest.mark.parametrize("avoided", ["E1", "A7"])
def test_moves_to_avoid_are_avoided(avoided):
    """SumAdvice that leaves no allowed move is not followed."""
    point = parse_vertex(avoided, 7)
    assert player().deliberate(ending(), BLACK, avoid={point}).decision.point != point
