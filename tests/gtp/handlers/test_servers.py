"""Commands of the clients of KGS and CGOS, and their readings of our answers."""

import json
import logging
import math
import os
import re
import sys
import time

import pytest

from engine import PlayerOptions, parse_vertex
from gtp.handlers import servers
from gtp.messages import Messages
from tests.gtp.conftest import QUICK, needs_jit
from tests.gtp.handlers.test_analysis import SETTLED

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

# 5x5: a dead white stone at A1 in Black's area, all other points settled.
DEAD_STONE = (
    "gogui-setup b a2 b b2 b b3 b b4 b b5 b c1 b c2 b c3 b c4 b c5"
    " w d1 w d2 w d3 w d4 w d5 w e2 w e4 w a1"
)
NOTHING_DEAD = DEAD_STONE.removesuffix(" w a1")


def test_rules_keep_the_superko_of_the_command_line(talk_with):
    talk = talk_with(superko="none")
    talk("kgs-rules chinese")
    assert talk.session.game.rules.superko == "none"


@needs_jit
def test_a_cleanup_never_resigns(talk_with):
    talk = talk_with()
    talk("boardsize 5", "komi 100", DEAD_STONE)
    for _ in range(4):
        assert talk("kgs-genmove_cleanup b") == "B1"
        talk("undo")


def test_chat_is_answered(talk_with):
    talk = talk_with(chat=True)
    talk("boardsize 5")
    assert "no opinion" in talk("kgs-chat game somebody how are you?")
    talk("genmove b")
    answer = talk("kgs-chat private somebody \u4f60\u597d")
    assert "\n" not in answer
    assert "At move 1" in answer
    assert f" % ({QUICK.playouts} random games)." in answer
    assert talk("kgs-chat game somebody").startswith("? syntax error; usage: ")


# -- CGOS -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "cgos-opponent_name GNU-Go 3.8",
        "cgos-opponent_rating",
        "cgos-opponent_rating 1800?",
        "cgos-gameover WForfeit",
        "cgos-genmove_analyze b",
    ],
)
def test_the_first_word_from_cgos_has_the_dead_captured(talk, command):
    talk("boardsize 5", "komi 0.5", DEAD_STONE, "play w pass")
    assert talk("reg_genmove b") == "pass"
    assert not talk(command).startswith("?")
    talk("boardsize 5", DEAD_STONE, "play w pass")
    assert talk("reg_genmove b") == "B1"
    assert talk("set_random_seed 3", "reg_genmove b") == "B1"


def test_a_failed_word_from_cgos_changes_nothing(talk):
    assert talk("cgos-genmove_analyze grey").startswith("? syntax error; usage: ")
    assert not talk.session.rules.capture_dead


def read_as_viewer(line, size):
    """Parse the JSON as strictly as the CGOS viewer."""

    def refuse(constant):
        raise ValueError(constant)

    content = json.loads(line, parse_constant=refuse)
    assert set(content) == {"winrate", "score", "visits", "moves", "ownership", "comment"}
    assert len(content["ownership"]) == size * size
    for values in (content, *content["moves"]):
        assert 0 <= values["winrate"] <= 1
        assert math.isfinite(values["score"])
    return content


@pytest.mark.parametrize("color", ["b", "w"])
def test_genmove_with_json(talk, color):
    line, play = talk("boardsize 9", "play b e5", f"cgos-genmove_analyze {color}").split("\n")
    content = read_as_viewer(line, 9)
    assert " " not in line.partition('"moves"')[0]
    assert len(line) < 2**16
    best = content["moves"][0]
    assert play == f"play {best['move']}"
    assert content["visits"] == QUICK.playouts
    assert best["winrate"] == content["winrate"]
    assert len(content["moves"]) <= 20
    for move in content["moves"]:
        assert set(move) == {"move", "winrate", "score", "prior", "visits", "pv"}
        assert all(parse_vertex(vertex, 9) >= 0 for vertex in move["pv"].split())
        assert move["score"] == round(move["score"], 2)
    owners = sum((LETTERS.index(letter) - 31) / 31 for letter in content["ownership"])
    komi = 7.5 if color == "b" else -7.5
    assert owners - komi == pytest.approx(content["score"], abs=0.9)  # of 63 letters
    # The side to move owns its own stone more often than its opponent does.
    stone = LETTERS.index(content["ownership"][40]) - 31
    assert stone > 0 if color == "b" else stone < 0


def test_a_pass_without_a_search_has_json(talk):
    talk("boardsize 5", "komi 0.5", NOTHING_DEAD, "play w pass")
    line, play = talk("cgos-genmove_analyze b").split("\n")
    content = read_as_viewer(line, 5)
    assert (play, content["moves"][0]["move"], content["moves"][0]["pv"]) == (
        "play pass",
        "pass",
        "",
    )
    assert content["winrate"] == 1.0
    assert content["comment"] == "the position is settled"
    assert {LETTERS.index(letter) for letter in content["ownership"]} == {0, 62}


@needs_jit
def test_json_of_a_full_board_fits_the_servers_lines(talk_with):
    talk = talk_with(player=PlayerOptions(playouts=400, threads=1, seed=1))
    line, _ = talk("boardsize 19", "cgos-genmove_analyze b").split("\n")
    assert read_as_viewer(line, 19)["visits"] == 400
    assert len(line) < 2**14


# Its reader, src/PvOutputParser.ts of gtp2ogs 9.
OGS_LINE = re.compile(
    r"(CHAT|MALKOVICH):Visits (\d*) Winrate (\d+\.\d\d)% ScoreLead (-?\d+\.\d)"
    r" ScoreStdev (-?\d+\.\d) (\(PDA (-?\d+.\d\d)\) )?PV (.*)"
)


def test_gtp2ogs_can_read_the_messages(talk_with, caplog):
    talk = talk_with(ogs_chat=True)
    with caplog.at_level("INFO"):
        move = talk("boardsize 9", "play b c3", "genmove w")
        talk("reg_genmove b")  # nobody's move
    [line] = [record.getMessage() for record in caplog.records if "Visits" in record.getMessage()]
    found = OGS_LINE.fullmatch(line)
    assert int(found[2]) == 8
    assert 0 <= float(found[3]) <= 100
    assert abs(float(found[4])) <= 81 + 7.5
    assert found[8].split()[0] == move


def test_ogs_is_told_before_the_answer(talk_with, monkeypatch):
    """gtp2ogs drops a line that comes after the answer, as a slow thread would write it."""
    reader, writer = os.pipe()
    write = os.write

    def write_late(descriptor, data):
        time.sleep(0.05)
        return write(descriptor, data)

    monkeypatch.setattr("gtp.messages.os.write", write_late)
    monkeypatch.setattr(sys, "stderr", Messages(writer))
    monkeypatch.setattr(servers, "_OGS_SECONDS", 60.0)
    console = logging.StreamHandler(sys.stderr)
    logger = logging.getLogger("gtp.handlers.servers")
    monkeypatch.setattr(logger, "level", logging.INFO)
    logger.addHandler(console)
    os.set_blocking(reader, False)
    try:
        talk_with(ogs_chat=True)("boardsize 9", "genmove b")
        assert b"MALKOVICH" in os.read(reader, 1 << 16)
    finally:
        logger.removeHandler(console)
        os.close(reader)
        os.close(writer)


def test_ogs_is_told_nothing_unasked_or_unsearched(talk, talk_with, caplog):
    with caplog.at_level("INFO"):
        talk("boardsize 5", "genmove b")
        talk = talk_with(ogs_chat=True)
        assert talk("komi 0.5", "boardsize 5", SETTLED, "genmove b") == "pass"
    assert "Visits" not in caplog.text
