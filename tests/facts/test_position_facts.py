"""The ``Facts`` of a position: their memory, and the basis of their answers."""

import time
from types import SimpleNamespace

import numpy as np
import pytest

from engine import BLACK, RULESETS, WHITE, Game, board_points, parse_vertex
from engine.captures.priors import PriorTable
from engine.captures.reader import CaptureReader
from engine.facts import position_facts, survey
from engine.facts.group_prover import ReadingBudget
from engine.facts.position_facts import MOST_PICTURES, Facts
from engine.facts.survey import survey_of
from engine.jit import JIT_ENABLED
from engine.life.reader import LifeReader
from engine.picture.picture import picture_of
from tests.diagrams import chains_of, game_of, points_marked
from tests.facts.test_chain_facts import CRITICAL
from tests.facts.test_fates import DEAD_TABLE
from tests.facts.test_group_proofs import BENT_FOUR

SETTLED = """
    . X X O .
    X X X O O
    . X O . O
    X X O O O
    . X O . O"""

OPEN = """
    . . X O .
    . . . . .
    . . . . .
    . . X . .
    . O . . ."""


@pytest.fixture
def judged(monkeypatch):
    """Positions in the order of their judgment; here a judgment takes no time."""
    asked = []

    def prove(game, _survey, _weights, _budget):
        asked.append((game.position_hash, game.rules.name))

    monkeypatch.setattr(position_facts, "with_proofs", prove)
    monkeypatch.setattr(position_facts, "status_of", lambda *_: SimpleNamespace(words={}))
    return asked


def test_the_status_of_a_position_is_judged_once(judged):
    facts, game = Facts(), game_of(SETTLED, BLACK)
    first = facts.status(game)
    game.komi += 5.0
    game.play(BLACK, 0)  # a pass
    assert facts.status(game) is facts.status(game.copy()) is first
    assert len(judged) == 1
    facts.forget()
    assert facts.status(game) is first


def test_a_status_that_was_read_longer_replaces_a_short_one(judged):
    facts, game = Facts(), game_of(SETTLED, BLACK)
    short = facts.status(game, ReadingBudget(500))
    longer = facts.status(game)
    assert short is not longer
    assert facts.status(game, ReadingBudget(500)) is longer
    assert len(judged) == 2


def test_after_its_deadline_a_status_reads_no_group_and_is_not_kept(monkeypatch):
    def read(*_, **__):
        raise AssertionError("a group was read")

    facts, game = Facts(), game_of(BENT_FOUR)
    with monkeypatch.context() as late:
        late.setattr(LifeReader, "read_group", read)
        hurried = facts.status(game, ReadingBudget(deadline=time.monotonic()))
    assert facts.remembered(game) is None
    assert facts.status(game) is facts.remembered(game) is not hurried


def test_stones_and_rules_tell_positions_apart(judged):
    facts, game = Facts(), game_of(SETTLED, BLACK, RULESETS["chinese"])
    facts.status(game)
    game.rules = RULESETS["japanese"]
    facts.status(game)
    game.play(WHITE, parse_vertex("E5", 5))
    facts.status(game)
    game.undo()
    facts.status(game)
    assert len(judged) == 3


def test_the_number_of_remembered_positions_is_limited(judged):
    facts, game = Facts(), game_of(SETTLED, BLACK)
    first = game.copy()
    facts.status(first)
    for number in range(MOST_PICTURES - 1):
        other = Game(13)
        other.play(BLACK, board_points(13)[number])
        facts.status(other)
    facts.status(first)  # asked for again: now others go first
    assert len(judged) == MOST_PICTURES
    facts.status(Game(13))
    facts.status(first)
    assert len(judged) == MOST_PICTURES + 1


def test_a_brief_status_proves_nothing_while_many_points_are_open(judged, monkeypatch):
    monkeypatch.setattr(survey, "SURVEY", survey.SURVEY._replace(rollouts=20))
    facts, settled = Facts(), game_of(SETTLED, BLACK)
    status = facts.brief_status(game_of(OPEN, BLACK))
    assert not judged
    assert not status.settled
    assert not status.proved
    assert facts.brief_status(settled) is facts.status(settled)
    assert len(judged) == 1


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_a_status_names_its_basis():
    game = game_of(SETTLED, BLACK)
    status = Facts().status(game)
    # Both groups have few liberties, and are proved to live.
    assert {status.words[stone][1] for chain in chains_of(game) for stone in chain} == {"proof"}
    proved = status._replace(proved=frozenset(status.alive[0]))
    assert proved.words[status.alive[0][0]] == ("alive", "proof")
    assert proved.words[status.alive[1][0]] == ("alive", "roll-outs")


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_a_picture_shows_the_statuses_that_were_asked_for():
    name, diagram = DEAD_TABLE[-1]
    assert name.startswith("three stones in a space of six")
    game = game_of(diagram)
    picture = picture_of(game.board)
    picture.statuses = {}  # other tests ask about the same position
    assert "proof" not in str(picture)
    Facts().status(game)
    lines = str(picture).splitlines()
    assert [line for line in lines if line.endswith("; dead (proof)")] == [
        f"white E1: 9 stones, {len(picture.liberties_of(points_marked(diagram, 'o')))} liberties;"
        " dead (proof)"
    ]
    assert any("; alive (" in line for line in lines if line.startswith("black "))


def test_finished_readings_are_remembered_and_unfinished_ones_not():
    board = game_of(CRITICAL).board
    facts = Facts()
    assert facts.chains(board, ReadingBudget(stopped=lambda: True)) == []
    whole = facts.chains(board, ReadingBudget())
    assert whole
    assert facts.chains(board, ReadingBudget(0)) is whole
    assert facts.chains(game_of(CRITICAL.replace("o", ".")).board, ReadingBudget(0)) == []
    assert Facts().chains(board, ReadingBudget(deadline=0.0)) == []


def test_forgotten_positions_are_read_again():
    board = game_of(CRITICAL).board
    facts = Facts()
    whole = facts.chains(board, ReadingBudget())
    facts.forget()
    assert facts.chains(board, ReadingBudget(0)) == []
    facts.forget()
    assert facts.chains(board, ReadingBudget()) == whole


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_priors_change_the_cost_of_reading_and_not_the_facts():
    board = game_of(CRITICAL).board
    table = PriorTable(np.array([3], np.uint64), np.array([1.0]), 0.5)
    with_priors, without = (
        [(chain.stones, chain.status) for chain in facts.chains(board, ReadingBudget())]
        for facts in (Facts(table), Facts())
    )
    assert with_priors == without


def test_a_chain_is_read_with_the_learned_priors(monkeypatch):
    readers = []

    def make(method, max_nodes, priors):
        readers.append(CaptureReader(method, max_nodes, priors))
        return readers[-1]

    monkeypatch.setattr(position_facts, "CaptureReader", make)
    facts = Facts(PriorTable(np.array([3], np.uint64), np.array([1.0]), 0.5))
    reading = facts.read_chain(game_of(CRITICAL).board, parse_vertex("C5", 7), True, 2000, 60.0)
    assert reading.value == "captured"
    assert [reader.goal.priors for reader in readers] == [facts.priors]


def test_a_first_pass_surveys_its_position_once(monkeypatch):
    surveyed = []

    def counted_survey(game, rollouts):
        if rollouts == survey.SURVEY.rollouts:  # few roll-outs alone show that a board is open
            surveyed.append(game.position_hash)
        return survey_of(game, rollouts)

    monkeypatch.setattr(position_facts, "survey_of", counted_survey)
    facts, game = Facts(), game_of(SETTLED, BLACK)
    facts.brief_status(game, ReadingBudget(100))  # before a move
    status = facts.status(game)
    assert surveyed == [game.position_hash]
    facts.brief_status(game_of(OPEN, BLACK))
    assert len(surveyed) == 1
    alone = Facts().status(game)
    assert np.array_equal(status.ownership, alone.ownership)
    assert status._replace(ownership=alone.ownership) == alone


def test_proofs_leave_the_counts_of_roll_outs_alone():
    facts, game = Facts(), game_of(BENT_FOUR)
    status, kept = facts.status(game), facts._asked(game.board).survey_of(game)
    assert not np.array_equal(status.ownership, kept.ownership)
    assert np.array_equal(kept.owned, survey_of(game).owned)
