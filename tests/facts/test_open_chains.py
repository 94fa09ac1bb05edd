"""Chains that no proof decides, with the probability of their capture."""

import pytest

from engine import WHITE
from engine.captures.odds import chance_of_capture
from engine.facts import chain_facts
from engine.facts.chain_facts import CHAINS, Surveyor, chains_in_trouble
from engine.facts.group_prover import ReadingBudget
from engine.facts.position_facts import Facts
from tests.diagrams import NETTED, game_of, points_marked
from tests.facts.test_chain_facts import CRITICAL, DEAD


@pytest.fixture
def short(monkeypatch):
    """Let readings end so early that they leave the chain open."""
    monkeypatch.setattr(chain_facts, "CHAINS", CHAINS._replace(open_nodes=20))


def test_a_proof_has_probability_0_or_1():
    reader, board = Surveyor(), game_of(CRITICAL).board
    stones = tuple(points_marked(CRITICAL, "o"))
    assert reader.chance(board, stones[0], True) == (1.0, True)
    assert reader.chance(board, stones[0], False) == (0.0, True)
    assert reader.open_chain(board, stones) is None


@pytest.mark.usefixtures("short")
def test_an_open_search_has_the_learned_chance():
    board, reader = game_of(NETTED).board, Surveyor()
    (stones,) = chains_in_trouble(board)
    for attacker_first in (True, False):
        estimate = reader.chance(board, stones[0], attacker_first)
        assert estimate == (chance_of_capture(reader._reader.open_search()), False)
    chain = reader.open_chain(board, stones)
    assert (chain.stones, chain.color) == (stones, WHITE)
    assert 0.0 < chain.defended <= chain.attacked < 1.0


class Told(Surveyor):
    """A reader with given findings: of the attack, then of the defense."""

    def __init__(self, *findings: tuple[float, bool] | None) -> None:
        self._findings = iter(findings)

    def chance(self, board, stone, attacker_first):
        return next(self._findings)


PROVED, REFUTED = (1.0, True), (0.0, True)


@pytest.mark.parametrize(
    ("attack", "defense", "chances"),
    [
        ((0.8, False), (0.3, False), (0.8, 0.3)),
        ((0.3, False), (0.8, False), (0.8, 0.8)),  # to move first is no harm
        (PROVED, (0.3, False), (1.0, 0.3)),
        ((0.3, False), PROVED, (1.0, 1.0)),
        (PROVED, REFUTED, None),
        (REFUTED, None, None),
        (None, None, None),
        ((0.3, False), None, None),
    ],
)
def test_the_two_readings_make_one_chain(attack, defense, chances):
    board = game_of(NETTED).board
    (stones,) = chains_in_trouble(board)
    found = Told(attack, defense).open_chain(board, stones)
    assert (None if found is None else (found.attacked, found.defended)) == chances


@pytest.mark.usefixtures("short")
def test_the_facts_name_open_chains_while_the_budget_lasts(monkeypatch):
    monkeypatch.setattr(Surveyor, "survey", lambda *arguments: [])
    board, facts = game_of(NETTED).board, Facts()
    assert facts.open_chains(board, ReadingBudget(0)) == []
    assert facts.open_chains(board, ReadingBudget(stopped=lambda: True)) == []
    (chain,) = facts.open_chains(board, ReadingBudget())
    assert list(chain.stones) == list(chains_in_trouble(board)[0])


def test_proved_chains_are_not_open():
    for diagram in (CRITICAL, DEAD):
        found = Facts().open_chains(game_of(diagram).board, ReadingBudget())
        assert tuple(points_marked(diagram, "o")) not in {chain.stones for chain in found}
