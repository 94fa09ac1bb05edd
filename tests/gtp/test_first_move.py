"""The first move while the engine is compiled: by the ranking model, unless a game must repeat."""

from dataclasses import replace

import pytest

from engine import Knowledge, PlayerOptions
from engine.patterns.valuing import no_patterns
from engine.warm_ups import FIRST_MOVE, PLAYING
from gtp import warming
from gtp.session import SessionOptions
from tests.gtp.conftest import Talk

OPTIONS = PlayerOptions(threads=1, seed=1, memory_mib=16)


def talk_while_compiling(**options):
    """Return a session whose compiler never ends; the second list notes each wait for it."""
    player = replace(OPTIONS, **options)
    talk, waits = Talk(SessionOptions(player, Knowledge(patterns=no_patterns()))), []
    talk.session.wait_for_kernels = lambda *_: waits.append(True) or True
    talk.session.wait_for_first_move = lambda: True
    return talk, waits


@pytest.mark.parametrize("command", ["genmove b", "lz-genmove_analyze b", "reg_genmove b"])
def test_the_ranking_model_moves_and_says_so(command):
    talk, waits = talk_while_compiling()
    assert "pass" not in talk("boardsize 5", command)
    words = "because the engine is still being compiled; the model expects a strong player to"
    assert words in talk("yomi-explain")
    assert waits == []


def test_a_clock_does_not_wait_either_and_learns_nothing_from_the_compiler():
    talk, waits = talk_while_compiling()
    before = talk.session.clock._instant.seconds
    talk("boardsize 5", "time_settings 60 0 0", "genmove b")
    assert waits == []
    assert 0 < talk.session.clock.left(1).main_seconds < 60
    assert talk.session.clock._instant.seconds == before


@pytest.mark.parametrize("options", [{"playouts": 8}, {"playouts": 1}])
def test_fixed_playouts_wait(options):
    talk, waits = talk_while_compiling(**options)
    talk("boardsize 5", "genmove b")
    assert waits == [True]
    assert "compiled" not in talk("yomi-explain")


def test_ready_kernels_are_used():
    talk, waits = talk_while_compiling(seconds=0.05)
    talk.session.wait_for_first_move = lambda: False
    talk("boardsize 5", "genmove b")
    assert waits == [True]
    assert "compiled" not in talk("yomi-explain")


def test_the_first_group_ends_the_wait(monkeypatch):
    """Of a cold cache; a warm one is loaded soon enough."""
    for is_ready, compiles in ((False, True), (True, False)):
        warm_up = warming.WarmUp()  # never started
        monkeypatch.setattr(type(FIRST_MOVE), "is_ready", property(lambda _, r=is_ready: r))
        warm_up._note(FIRST_MOVE.name)
        assert warm_up.wait_for_first_move() == compiles
    warm_up._ready.set()
    assert not warm_up.wait_for_first_move()
    assert PLAYING[0] is FIRST_MOVE
