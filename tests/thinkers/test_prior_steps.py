"""From facts to advice."""

import numpy as np
import pytest

from engine import BLACK, WHITE
from engine.captures.priors import PriorTable
from engine.facts.chain_facts import ChainFacts
from engine.go.geometry import board_points, to_point
from engine.thinkers.prior_steps import AdviceModel, Adviser, Reply, advise
from tests.diagrams import game_of
from tests.facts.test_chain_facts import CRITICAL

A, B, C, D = (to_point(column, 1) for column in range(1, 5))
MODEL = AdviceModel(urge=1.0, urge_a_stone=0.5, most_urge=3.0, urge_variance=4.0, in_vain=2.0)


def chain(status, color=WHITE, stones=1, liberties=(A,), attacks=(), defenses=(), row=3):
    points = tuple(to_point(column, row) for column in range(1, stones + 1))
    return ChainFacts(points, color, liberties, status, 4, attacks, defenses)


def by_point(facts, color, moves=frozenset({A, B, C, D})):
    return {item.point: item for item in advise(facts, color, moves, MODEL)}


def test_a_capture_urges_the_attacker_and_a_rescue_the_owner():
    facts = [chain("critical", stones=2, attacks=(A,), defenses=(B,))]
    capture = by_point(facts, BLACK)
    assert list(capture) == [A]
    assert capture[A].urged
    assert (capture[A].mean, capture[A].variance) == (2.0, 4.0)
    assert capture[A].reason == "captures A3 (2 stones)"
    rescue = by_point(facts, WHITE)
    assert list(rescue) == [B]
    assert rescue[B].reason == "saves A3 (2 stones)"


def test_what_can_only_be_attacked_urges_no_defense():
    facts = [chain("attackable", attacks=(A,))]
    assert list(by_point(facts, BLACK)) == [A]
    assert by_point(facts, WHITE) == {}


@pytest.mark.parametrize(
    ("color", "reason"),
    [(WHITE, "cannot save A3 (1 stone)"), (BLACK, "needless: A3 (1 stone) cannot be saved")],
)
def test_the_liberties_of_a_dead_chain_are_in_vain(color, reason):
    item, _ = by_point([chain("dead", liberties=(C, D))], color).values()
    assert (item.point, item.urged, item.mean, item.reason) == (C, False, -2.0, reason)


def test_a_move_with_two_purposes_counts_all_stones_up_to_a_limit():
    facts = [
        chain("critical", WHITE, 1, attacks=(A,), row=3),
        chain("critical", BLACK, 2, defenses=(A,), row=5),
    ]
    assert by_point(facts, BLACK)[A].mean == 2.5
    assert by_point(facts, BLACK)[A].reason == "captures A3 (1 stone) and saves A5 (2 stones)"
    large = [chain("critical", stones=9, attacks=(A,))]
    assert by_point(large, BLACK)[A].mean == MODEL.most_urge


def test_an_urged_move_is_not_in_vain():
    facts = [chain("dead", liberties=(A, B)), chain("critical", BLACK, defenses=(A,), row=5)]
    found = by_point(facts, BLACK)
    assert found[A].urged
    assert not found[B].urged


def test_safe_chains_and_forbidden_moves_give_no_advice():
    assert by_point([chain("safe")], BLACK) == {}
    assert by_point([chain("critical", attacks=(A,))], BLACK, frozenset({B})) == {}


DEAD = """
    . o . X . . .
    o o X X . . .
    X X . . X X .
    . . . X o . .
    . . . X . X .
    . . . . X . .
    . . . . . . ."""


def test_rescues_of_large_dead_chains_are_answered_the_largest_first():
    board = game_of(DEAD).board
    adviser = Adviser(AdviceModel(reply_stones=1))
    assert adviser.replies(7) == ()
    single, three = sorted(adviser.facts(board), key=lambda chain: len(chain.stones))
    assert (len(single.stones), len(three.stones)) == (1, 3)
    expected = [
        Reply(WHITE, move, answer, chain.stones[0])
        for chain in (three, single)
        for move, answer in chain.replies
    ]
    assert list(adviser.replies(7)) == expected
    for least, stones in ((2, three.stones), (3, three.stones), (4, ())):
        adviser = Adviser(AdviceModel(reply_stones=least))
        adviser.facts(board)
        assert {reply.stone for reply in adviser.replies(7)} == set(stones[:1])
    small = Adviser(AdviceModel(reply_size=6))
    assert small.facts(board)
    assert small.replies(7) == ()


def test_facts_are_remembered_for_a_position_but_not_half_read():
    board = game_of(CRITICAL).board
    adviser = Adviser()
    assert adviser.facts(board, stopped=lambda: True) == []
    whole = adviser.facts(board)
    assert whole
    assert adviser.facts(board, playouts=0) is whole
    assert adviser.facts(game_of(CRITICAL.replace("o", ".")).board, playouts=0) == []


def test_priors_change_what_reading_costs_and_not_what_is_true():
    board = game_of(CRITICAL).board
    table = PriorTable(np.array([3], np.uint64), np.array([1.0]), 0.5)
    with_priors, without = Adviser(table=table).facts(board), Adviser().facts(board)
    assert [(chain.stones, chain.status) for chain in with_priors] == [
        (chain.stones, chain.status) for chain in without
    ]
    assert Adviser(table=table).facts(board, playouts=0, least=10_000) == with_priors


def test_reading_costs_a_share_of_the_search():
    board = game_of(CRITICAL).board
    assert Adviser().facts(board, playouts=0) == []
    assert Adviser().facts(board, seconds=0.0) == []
    moves = frozenset(board_points(7))
    assert Adviser().advise(board, BLACK, moves, 10_000, None)
