"""Commands of GTP 2 and of GNU Go on a session."""

import pytest

from engine import Knowledge, PlayerOptions, level_options
from engine.patterns.valuing import no_patterns
from engine.people.model import model_of_patterns
from engine.player.clock import Overtime, TimeLeft


def test_clear_board_keeps_time_settings(talk):
    talk("boardsize 9", "time_settings 300 0 0", "time_left b 100 0", "play b e5", "clear_board")
    assert talk.session.clock.overtime is Overtime.ABSOLUTE
    assert talk.session.clock.left(1).main_seconds == 300


def test_superko_is_not_generated(talk):
    talk("boardsize 2", "play b a1", "play w b2", "play b b1", "play w a2", "play b a1")
    talk("play w pass", "play b b1")  # White at B2 would repeat the position after move 3
    moves = {talk(f"set_random_seed {seed}", "reg_genmove w") for seed in range(10)}
    assert moves <= {"A2", "pass"}


def test_reg_genmove_leaves_everything(talk):
    talk("boardsize 5", "time_settings 60 0 0", "play b c3")
    before = talk.state
    assert not talk("reg_genmove w").startswith("?")
    assert talk.state == before


def test_time(talk):
    clock = talk.session.clock
    talk("time_settings 0 1 0")
    assert clock.overtime is Overtime.NO_LIMIT
    talk("time_settings 60.5 10 5", "time_left w 7 3")
    assert clock.left(2) == TimeLeft(0, 7, 3)
    talk("kgs-time_settings byoyomi 60 10 5", "time_left b 8 2")
    assert clock.left(1) == TimeLeft(0, 8, 2)
    talk("kgs-time_settings absolute 60", "time_left b -5 0")
    assert clock.left(1).main_seconds == 0
    talk("kgs-time_settings canadian 60 10 5")
    assert clock.overtime is Overtime.CANADIAN
    talk("kgs-time_settings none")
    assert clock.overtime is Overtime.NO_LIMIT
    assert talk("time_left b 8") == ""


@pytest.mark.parametrize(
    ("command", "waits"),
    [
        ("time_settings 60 0 0", True),
        ("kgs-time_settings absolute 60", True),
        ("kata-time_settings byoyomi 60 10 3", True),
        ("kata-time_settings fischer 60 2", True),
        ("time_settings 0 1 0", False),
        ("kgs-time_settings none", False),
        ("time_settings 60 0", False),
    ],
)
def test_a_clock_command_is_answered_once_kernels_are_ready(talk, command, waits):
    waited = []
    talk.session.wait_for_kernels = lambda: waited.append(True)
    talk(command)
    assert waited == [True] * waits


def test_genmove_charges_its_clock(talk):
    talk("boardsize 5", "time_settings 60 0 0", "genmove b")
    assert 0 < talk.session.clock.left(1).main_seconds < 60
    assert talk.session.clock.left(2).main_seconds == 60


def test_level(talk_with):
    patterns = Knowledge(patterns=no_patterns(), people=model_of_patterns())
    player = PlayerOptions(playouts=4, threads=1, seed=7)
    talk = talk_with(player=player, knowledge=patterns)
    full = type(talk.session.player.thinker)
    assert talk("yomi-level") == "full"
    assert talk("yomi-level 12K", "yomi-level") == "12k"
    assert talk.session.player.options.level == level_options("12k")
    assert talk.session.player.seed == 7
    assert talk("yomi-level 21k").startswith("?")
    # A new seed keeps the level, and so does a new game.
    assert talk("set_random_seed 3", "boardsize 5", "clear_board", "yomi-level") == "12k"
    assert talk.session.player.options.level == level_options("12k")
    assert talk("genmove b") not in ("", "resign")
    assert "came to mind" in talk("yomi-explain")
    assert talk("yomi-level FULL", "yomi-level") == "full"
    assert talk.session.player.options.level is None
    assert type(talk.session.player.thinker) is full


def test_gogui(talk):
    talk("boardsize 9")
    talk("gogui-play_sequence b a1 w b1 b pass w c1", "gogui-setup_player w")
    assert talk.session.game.to_play == 2
    known = set(talk("list_commands").split("\n"))
    menu = talk("gogui-analyze_commands").split("\n")
    assert len({line.split("/")[1] for line in menu}) == len(menu)
    for line in menu:
        kind, _, command = line.split("/")
        assert kind in {"string", "hstring", "plist", "none", "gfx", "dboard", "var", "param"}
        assert command.split()[0] in known
