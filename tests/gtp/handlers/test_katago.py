"""KataGo's commands without an analysis: rules, clocks, searches that play nothing, positions."""

import re

import pytest

from engine import BLACK
from engine.player.clock import TIMING, Overtime, TimeLeft
from gtp.handlers.analysis import UNLISTED_ANALYSES
from gtp.handlers.table import handlers
from gtp.protocol import Protocol
from tests.gtp.conftest import answers_of

# -- rules ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "rules"),
    [("kata-set-rules", "tromp-taylor chinese"), ("yomi-settings rules", "chinese tromp-taylor")],
)
def test_dead_stones_are_captured_under_rules_without_them(talk_with, command, rules):
    talk, always = talk_with(), talk_with(capture_dead=True)
    for name in rules.split():
        captures = name == "tromp-taylor"
        assert talk_with(rules=name).session.rules.capture_dead is captures
        talk(f"{command} {name}")
        always(f"{command} {name}")
        assert talk.session.rules.name == name
        assert talk.session.rules.capture_dead is captures
        assert always.session.rules.capture_dead


# -- clocks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "overtime", "left"),
    [
        ("none", Overtime.NO_LIMIT, None),
        ("absolute 60.5", Overtime.ABSOLUTE, TimeLeft(60.5, 0.0, 0)),
        ("byoyomi 60 10 3", Overtime.BYO_YOMI, TimeLeft(60.0, 10.0, 3)),
        ("canadian 60 10 3", Overtime.CANADIAN, TimeLeft(60.0, 10.0, 3)),
        ("fischer 60 2.5", Overtime.FISCHER, TimeLeft(60.0, 0.0, 0)),
        ("Fischer-capped 60 2.5 90 -1", Overtime.FISCHER, TimeLeft(60.0, 0.0, 0)),
    ],
)
def test_time_settings(talk, words, overtime, left):
    assert talk(f"kata-time_settings {words}") == ""
    assert talk.session.clock.overtime is overtime
    if left is not None:
        assert talk.session.clock.left(BLACK) == left
    assert words.split()[0].lower() in talk("kata-list_time_settings").split(" ")


def test_limits_of_a_fischer_clock(talk):
    talk("kata-time_settings fischer-capped 600 9 -1 4.5")
    assert talk.session.clock.allot(BLACK, 9, 0).most == 4.5
    talk("kata-time_settings fischer 1e9 0")
    assert talk.session.clock.allot(BLACK, 9, 0).most == TIMING.longest_move_seconds


# -- names ----------------------------------------------------------------------------------------


def test_commands_that_sabaki_misreads_are_not_listed(talk):
    """Sabaki takes the first known command of a list, and reads whole numbers at analyze."""
    listed = talk("list_commands").split("\n")
    for name in UNLISTED_ANALYSES:
        assert name not in listed
        assert talk(f"known_command {name}") == "true"
        line = talk("boardsize 5", f"{name} b 10 maxmoves 1").split("\n")[0]
        assert re.search(r" winrate 0\.\d{6} ", line)
    assert {"kata-analyze", "kata-genmove_analyze"} <= {*listed}


def test_without_a_list_of_exceptions_all_are_listed(talk):
    protocol = Protocol(handlers(talk.session))
    (answer,) = answers_of(protocol, b"list_commands")
    assert {*UNLISTED_ANALYSES} <= {*answer.removeprefix("= ").split("\n")}
