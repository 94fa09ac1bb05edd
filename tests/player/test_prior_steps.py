"""From facts to advice."""

import math

import pytest

from engine import BLACK, WHITE
from engine.explain.words import clause
from engine.facts.chain_facts import ChainFacts
from engine.facts.group_prover import PROVER, ReadingBudget
from engine.facts.position_facts import Facts
from engine.go.geometry import to_point
from engine.player import prior_steps
from engine.player.prior_steps import (
    ADVICE,
    ATTACKS_DEAD,
    CAPTURES,
    CHAIN_VALUES,
    EXTENDS_DEAD,
    SAVES,
    RankedMoves,
    advise,
    proving_nodes,
    reading_budget,
    replies_to_rescues,
)
from engine.rollout.guided import KnownReply
from tests.diagrams import game_of

A, B, C, D = (to_point(column, 1) for column in range(1, 5))
RANKED = RankedMoves({A: 4.0, B: 0.0, C: 1.0}, 0.5)


def chain(status, color=WHITE, stones=1, liberties=(A,), attacks=(), defenses=(), row=3):
    points = tuple(to_point(column, row) for column in range(1, stones + 1))
    return ChainFacts(points, color, liberties, status, attacks, defenses)


def ranked(facts, color, moves=frozenset({A, B, C, D})):
    return {step.point: step[1:] for step in advise(facts, color, moves, RANKED).steps}


def words(facts, color):
    effects = advise(facts, color, frozenset({A, B, C, D}), RANKED).effects
    return {point: [clause(effect, "it") for effect in some] for point, some in effects.items()}


def test_a_capture_urges_the_attacker_and_a_rescue_the_owner():
    facts = [chain("critical", stones=2, attacks=(A,), defenses=(B,))]
    assert words(facts, BLACK) == {A: ["it captures the two stones at A3"]}
    later = [chain("critical", stones=2, attacks=(A,), liberties=(A, B))]
    assert words(later, BLACK) == {A: ["it leaves the two stones at A3 no escape"]}
    assert words(facts, WHITE) == {B: ["it saves the two stones at A3"]}


def test_a_chain_that_can_only_be_attacked_urges_no_defense():
    facts = [chain("attackable", attacks=(A,))]
    assert list(ranked(facts, BLACK)) == [A]
    assert ranked(facts, WHITE) == {}


@pytest.mark.parametrize(("color", "group"), [(WHITE, EXTENDS_DEAD), (BLACK, ATTACKS_DEAD)])
def test_the_liberties_of_a_dead_chain_are_in_vain(color, group):
    facts = [chain("dead", liberties=(B, C))]
    value = CHAIN_VALUES[group, 0]
    assert ranked(facts, color) == {
        B: (False, 0.5 * value, 0.0), C: (False, 0.5 * (value - 1.0), 0.0)
    }  # fmt: skip
    assert words(facts, color) == {}


def test_a_move_with_two_purposes_has_the_effects_of_both():
    facts = [
        chain("critical", WHITE, 1, attacks=(A,), row=3),
        chain("critical", BLACK, 2, defenses=(A,), row=5),
    ]
    both = ["it captures the stone at A3", "it saves the two stones at A5"]
    assert words(facts, BLACK) == {A: both}


def test_an_urged_move_is_not_in_vain():
    facts = [chain("dead", liberties=(A, B)), chain("critical", BLACK, defenses=(A,), row=5)]
    urged = {point: at_least for point, (at_least, *_) in ranked(facts, BLACK).items()}
    assert urged == {A: True, B: False}


def test_beside_the_ranking_model_proofs_add_their_learned_values():
    facts = [chain("critical", stones=2, attacks=(A,), defenses=(B,)), chain("dead", row=5)]
    assert ranked(facts, BLACK)[A] == (True, 0.5 * (CHAIN_VALUES[CAPTURES, 1] - 4.0), 4.0)
    rescue = ranked(facts, WHITE)
    assert rescue[B][1] == 0.5 * CHAIN_VALUES[SAVES, 1]
    assert rescue[A][:2] == (False, 0.5 * (CHAIN_VALUES[EXTENDS_DEAD, 0] - 4.0))
    # A move can do both, and one that the model does not know stays as it is.
    both = [chain("critical", stones=5, attacks=(C, D)), chain("critical", BLACK, defenses=(C,))]
    values = CHAIN_VALUES[CAPTURES, 3] + CHAIN_VALUES[SAVES, 0]
    assert {point: mean for point, (_, mean, _) in ranked(both, BLACK).items()} == {
        C: 0.5 * (values - 1.0)
    }


def test_a_proof_about_many_stones_stands_beside_the_ranking_models_best_move():
    facts = [chain("critical", stones=2, attacks=(A,)), chain("critical", row=5, attacks=(A,))]
    assert ranked(facts, BLACK)[A] == (True, 0.0, 4.0)
    assert ranked(facts[:1], BLACK)[A][1] < 0.0


def test_a_capture_without_a_rescue_keeps_the_ranking_models_step():
    assert ranked([chain("attackable", attacks=(A,))], BLACK)[A][:2] == (True, -2.0)


def test_safe_chains_and_forbidden_moves_give_no_advice():
    assert ranked([chain("safe")], BLACK) == {}
    assert ranked([chain("critical", attacks=(A,))], BLACK, frozenset({B})) == {}


DEAD = """
    . o . X . . .
    o o X X . . .
    X X . . X X .
    . . . X o . .
    . . . X . X .
    . . . . X . .
    . . . . . . ."""


def test_rescues_of_large_dead_chains_are_answered_the_largest_first(monkeypatch):
    chains = Facts().chains(game_of(DEAD).board, ReadingBudget())
    single, three = sorted(chains, key=lambda chain: len(chain.stones))
    assert (len(single.stones), len(three.stones)) == (1, 3)
    expected = [
        KnownReply(WHITE, move, answer, chain.stones[0])
        for chain in (three, single)
        for move, answer in chain.replies
    ]
    assert {reply.target for reply in replies_to_rescues(chains, 9)} == {three.stones[0]}
    assert replies_to_rescues(chains, 10) == ()
    monkeypatch.setattr(prior_steps, "ADVICE", ADVICE._replace(reply_stones=1))
    assert list(replies_to_rescues(chains, 7)) == expected


def test_proofs_about_groups_cost_a_share_of_the_search():
    assert proving_nodes(9, None, None) == proving_nodes(9, 10**6, 1e3) == PROVER.longer_nodes
    assert proving_nodes(9, 1001, None) == proving_nodes(9, 1001, 60.0) == 300
    assert proving_nodes(9, 10**6, 0.1) == 128


def test_reading_costs_a_share_of_the_search():
    assert reading_budget(9).nodes == PROVER.analysis_nodes
    assert reading_budget(9).deadline == math.inf
    assert reading_budget(9, 1000).nodes == 500
    assert reading_budget(9, 0, least=20).nodes == 20
    assert reading_budget(9, 1000, 0.0).is_over()
    assert not reading_budget(9, 1000, 1e6).is_over()
    assert reading_budget(9, stopped=lambda: True).is_over()
