"""Classes of moves by proofs about chains."""

import pytest

from engine import BLACK, WHITE
from engine.player.prior_steps import CHAIN_VALUES, chain_classes, chain_value, points_in_vain
from tests.player.test_prior_steps import A, B, C, D, chain


def test_the_largest_chain_decides_the_class_of_each_group():
    facts = [
        chain("critical", stones=1, attacks=(A,), defenses=(B,)),
        chain("critical", stones=4, attacks=(A, C), row=5),
        chain("dead", BLACK, stones=5, liberties=(A, D), row=4),
        chain("safe", liberties=(A,)),
        chain("attackable", attacks=(D,)),
    ]
    assert chain_classes(facts, BLACK) == {A: [3, 0, 4, 0], C: [3, 0, 0, 0], D: [0, 0, 4, 0]}
    assert chain_classes(facts, WHITE) == {B: [0, 1, 0, 0], A: [0, 0, 0, 4], D: [0, 0, 0, 4]}
    assert chain_value([3, 0, 4, 0]) == pytest.approx(CHAIN_VALUES[0, 2] + CHAIN_VALUES[2, 3])
    assert chain_value(()) == 0.0


def test_a_dead_chain_in_atari_may_be_taken():
    dead = chain("dead", WHITE, liberties=(A,))
    assert (points_in_vain(dead, WHITE), points_in_vain(dead, BLACK)) == ((A,), ())
    assert points_in_vain(chain("safe"), WHITE) == ()
