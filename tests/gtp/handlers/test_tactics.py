"""Readings of chains over GTP: GNU Go's attack and defend, and the view for GoGui."""

from dataclasses import replace

import pytest

from engine import BLACK, WHITE, parse_vertex
from engine.captures.reader import CaptureReading
from engine.facts.chain_facts import OpenChain
from engine.jit import JIT_ENABLED
from gtp.handlers import tactics
from tests.gtp.conftest import QUICK

# a white stone in atari that a black move takes and a white one connects
ATARI = "gogui-setup w d4 b c4 b d3 b e4 w c6 w d6 w e6"


@pytest.fixture(autouse=True)
def _time_does_not_matter(monkeypatch):
    monkeypatch.setattr(tactics, "READING_SECONDS", 1000.0)


@pytest.mark.parametrize("command", ["attack", "defend"])
def test_a_ko_has_its_own_code(talk, monkeypatch, command):
    found = CaptureReading("ko", 29, 4, 10, 10, 0.0)
    monkeypatch.setattr("engine.facts.position_facts.Facts.read_chain", lambda *_: found)
    vertex = talk("boardsize 7", ATARI, f"{command} d4").removeprefix("2 ")
    assert talk(f"play w {vertex}") == ""


def test_a_reading_without_an_end_is_no_answer(talk, monkeypatch):
    monkeypatch.setattr(tactics, "READING_NODES", 1)
    talk("boardsize 9", "gogui-setup w e5 b d5 b e4")
    assert talk("attack e5") == "? no result within the node limit"


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_the_reason_of_a_move_names_the_reading(talk):
    talk("boardsize 7", ATARI, "genmove b")
    lines = talk("yomi-explain").split("\n")
    assert any("(it captures the stone at D4)" in line for line in lines)


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_without_tactics_nothing_is_read(talk_with):
    talk = talk_with(player=replace(QUICK, tactics=False))
    talk("boardsize 7", ATARI, "genmove b")
    assert "captures" not in talk("yomi-explain")


def test_estimates_name_the_chains_in_doubt_and_count_the_others():
    dead = OpenChain((parse_vertex("D4", 19), parse_vertex("D5", 19)), WHITE, 0.95, 0.85)
    open_chain = OpenChain((parse_vertex("A1", 19),), BLACK, 0.6, 0.1)
    safe = OpenChain((parse_vertex("Q4", 19),), BLACK, 0.4, 0.1)
    assert tactics.estimates([safe, dead, open_chain]) == [
        "1 probably safe",
        "D4 (2 stones) probably dead (85 %)",
        "A1 (1 stone) captured with 60 % if white begins and 10 % if black does",
    ]
    assert tactics.estimates([]) == []
