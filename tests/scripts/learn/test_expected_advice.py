"""Advice of readings in experts' games: counts, and expectations of the model."""

import numpy as np
import pytest

from engine import BLACK, WHITE, Predictor
from engine.facts.chain_facts import ChainFacts
from engine.facts.group_facts import GroupFacts
from engine.go.geometry import PASS, to_point
from engine.jit import JIT_ENABLED
from engine.life.links import LinkFacts
from engine.patterns.valuing import no_patterns
from patterns_db.records.games import DecodedGame
from scripts.learn import expected_advice
from scripts.learn.expected_advice import (
    AdviceTally,
    chain_reader,
    group_kinds_of,
    kinds_of,
    link_kinds_of,
    tally_game,
)
from tests.patterns_db.collections import random_collection, write_collection

A, B, C = (to_point(column, 1) for column in range(1, 4))


def test_a_tally_sums_its_probabilities():
    tally = AdviceTally().add(0.5, True).add(0.25, False)
    assert tally == AdviceTally(2, 1, 0.75, 0.25 + 0.1875)


def test_kinds_by_owner_and_size():
    stones = tuple(to_point(column, 3) for column in range(1, 4))
    facts = [
        ChainFacts(stones, BLACK, (A, B), "critical", 4, attacks=(A,), defenses=(A, B)),
        ChainFacts(stones[:1], WHITE, (C,), "dead", 4),
        ChainFacts(stones[:2], WHITE, (C,), "dead", 4),
    ]
    assert list(kinds_of(facts, BLACK)) == [
        ("attacks what is dead", C),
        ("saves 3 or 4 stones", A),
        ("saves 3 or 4 stones", B),
    ]
    assert list(kinds_of(facts, WHITE)) == [
        ("captures 3 or 4 stones", A),
        ("extends what is dead", C),
    ]


def test_kinds_of_links():
    two, three, five = (tuple(range(n)) for n in (2, 3, 5))
    pairs = [
        LinkFacts(two, five, BLACK, cut=A, link=B),
        LinkFacts(three, five, BLACK, cut=A, link=C),
        LinkFacts(two, two, WHITE, cut=A, link=C),
    ]
    assert list(link_kinds_of(pairs, BLACK)) == [
        ("cuts off 2 stones", A),
        ("links 2 stones", B),
        ("links 3 or 4 stones", C),
    ]
    assert list(link_kinds_of(pairs, WHITE)) == [
        ("cuts off 3 or 4 stones", A),
        ("links 2 stones", C),
    ]


def test_kinds_of_groups():
    stones = tuple(to_point(column, 3) for column in range(1, 6))
    facts = [
        GroupFacts(stones, BLACK, "critical", (A,), (B,), (C,)),
        GroupFacts(stones * 2, WHITE, "dead", (), (), (C,)),
        GroupFacts(stones * 2, WHITE, "critical", (A,), (B,), (), rival=stones),
    ]
    assert list(group_kinds_of(facts, BLACK)) == [
        ("inside a dead group of the other", C),
        ("kills a group of 7 to 10 stones in a race", A),
        ("saves a group of 4 to 6 stones", B),
    ]
    assert list(group_kinds_of(facts, WHITE)) == [
        ("inside a dead group of its owner", C),
        ("kills a group of 4 to 6 stones", A),
        ("saves a group of 7 to 10 stones in a race", B),
    ]


@pytest.fixture
def no_start(monkeypatch):
    monkeypatch.setattr(expected_advice, "FIRST", 0)


def test_one_game(no_start):
    """White C3 is in atari after Black's third stone; Black takes it with the fourth."""
    points = [to_point(*at) for at in ((2, 3), (3, 3), (3, 2), (5, 5), (4, 3), (5, 4), (3, 4))]
    colors = np.array([BLACK, WHITE] * 3 + [BLACK], np.int64)
    nobody = np.zeros(0, np.int64)
    record = DecodedGame(5, nobody, nobody, colors, np.array(points, np.int64), "a.sgf")
    found = {}
    predictor = Predictor(no_patterns())
    assert tally_game(record, 1, predictor, chain_reader(), found) == 7
    taken = found["captures 1 stone"]
    assert taken.played == 1
    assert 0.0 < taken.expected < taken.moves
    passes = record._replace(moves=np.full(7, PASS))
    assert tally_game(passes, 1, predictor, chain_reader(), found) == 0


def test_the_command(tmp_path, capsys):
    games = write_collection(tmp_path / "games", random_collection(2, size=7, length=20))
    assert expected_advice.main(["--games", str(games), "--positions", "3", "--every", "2"]) == 0
    printed = capsys.readouterr().out
    assert int(printed.split()[0]) >= 3
    assert "expected" in printed
    if JIT_ENABLED:  # fates take hundreds of roll-outs
        groups = ["--positions", "3", "--every", "2", "--groups", "100"]
        assert expected_advice.main(["--games", str(games), *groups]) == 0
        assert "positions" in capsys.readouterr().out
    assert expected_advice.main(["--games", str(tmp_path / "none")]) == 2
    assert "none" in capsys.readouterr().err
