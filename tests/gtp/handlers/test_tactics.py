"""Readings of chains over GTP: GNU Go's attack and defend, and the view for GoGui."""

import re
from dataclasses import replace

import pytest

from engine.captures.reader import CaptureReading
from engine.jit import JIT_ENABLED
from gtp.handlers import tactics
from tests.gtp.conftest import QUICK

# a white stone in atari that a black move takes and a white one connects
ATARI = "gogui-setup w d4 b c4 b d3 b e4 w c6 w d6 w e6"


@pytest.fixture(autouse=True)
def _time_does_not_matter(monkeypatch):
    monkeypatch.setattr(tactics, "READING_SECONDS", 1000.0)


def test_attack_and_defend_answer_a_code_and_a_move(talk):
    talk("boardsize 7", ATARI)
    assert talk("attack d4") == "1 D5"
    assert talk("defend d4") == "1 D5"


def test_a_chain_that_cannot_be_saved(talk):
    talk("boardsize 5", "gogui-setup w a5 w a4 b b4 b a3 b c5")
    assert talk("attack a4") == "1 B5"
    assert talk("defend a4") == "0"


def test_a_chain_with_two_eyes_needs_no_defense(talk):
    talk("boardsize 4", "gogui-setup b a2 b b2 b c2 b d2 b b1 b d1 w a3 w b3 w c3 w d3")
    assert talk("attack b1") == "0"
    assert talk("defend b1") == "1 PASS"


@pytest.mark.parametrize("command", ["attack", "defend"])
def test_a_ko_has_its_own_code(talk, monkeypatch, command):
    found = CaptureReading("ko", 29, 4, (29,), 10, 10, 0.0)
    monkeypatch.setattr("engine.facts.position_facts.Facts.read_chain", lambda *_: found)
    vertex = talk("boardsize 7", ATARI, f"{command} d4").removeprefix("2 ")
    assert talk(f"play w {vertex}") == ""


@pytest.mark.parametrize("command", ["attack", "defend"])
def test_bad_arguments_get_an_error_and_change_nothing(talk, command):
    talk("boardsize 7", ATARI)
    before = talk.state
    for text in ("a1", "pass"):
        assert talk(f"{command} {text}") == "? vertex must not be empty"
    for text in ("", "d4 d5", "z9", "d99", "b d4"):
        assert talk(f"{command} {text}").startswith("?")
    assert talk.state == before


def test_a_reading_without_an_end_is_no_answer(talk, monkeypatch):
    monkeypatch.setattr(tactics, "READING_NODES", 1)
    talk("boardsize 9", "gogui-setup w e5 b d5 b e4")
    assert talk("attack e5") == "? no result within the node limit"


def test_the_view_marks_chains_and_moves(talk):
    talk("boardsize 7", ATARI)
    lines = talk("yomi-tactics").split("\n")
    assert "TRIANGLE D4" in lines
    assert any(line.startswith("LABEL ") and "D5 ad" in line for line in lines)
    assert re.fullmatch(r"TEXT \d+ (dead|attackable|critical|safe).*", lines[-1])


def test_an_empty_board_has_nothing_to_read(talk):
    assert talk("boardsize 5", "yomi-tactics") == "TEXT no chain has few liberties"
    assert talk("yomi-tactics b").startswith("?")


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_the_reason_of_a_move_names_the_reading(talk):
    talk("boardsize 7", ATARI, "genmove b")
    lines = talk("yomi-explain").split("\n")
    assert any("(captures D4 (1 stone))" in line for line in lines)


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_without_tactics_nothing_is_read(talk_with):
    talk = talk_with(player=replace(QUICK, tactics=False))
    talk("boardsize 7", ATARI, "genmove b")
    assert "captures" not in talk("yomi-explain")
