"""The first move while the engine is compiled: by the ranking model, unless a game must repeat."""

import re
import threading
from dataclasses import replace

import pytest

from engine import BLACK, PASS, WHITE, Game, Knowledge, Player, PlayerOptions, parse_vertex
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
    talk.session.wait_for_first_move = lambda stop=None: True
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
    talk.session.wait_for_first_move = lambda stop=None: False
    talk("boardsize 5", "genmove b")
    assert waits == [True]
    assert "compiled" not in talk("yomi-explain")


@pytest.mark.parametrize("command", ["lz-analyze b 50", "kata-analyze b 50 maxmoves 4"])
def test_an_analysis_begins_with_the_ranking_model(command):
    talk, waits = talk_while_compiling()
    first, *later = talk("boardsize 5", command).splitlines()
    moves = re.findall(r"info move (\S+) visits 0 .*? prior (\S+)", first)
    assert len(moves) == (4 if "maxmoves" in command else 25)
    priors = [float(prior) for _, prior in moves]
    assert priors == sorted(priors, reverse=True)
    assert min(priors) > 0
    assert waits == [True]
    assert all(re.search(r"visits [1-9]", line) for line in later)


def test_input_ends_the_wait_of_an_analysis():
    warm_up, stop = warming.WarmUp(), threading.Event()
    stop.set()
    assert not warm_up.wait_for_first_move(stop)


def test_moves_before_the_search_are_sensible():
    game, player = Game(5), Player(OPTIONS, Knowledge(patterns=no_patterns()))
    for vertex in ("A2", "C3", "B2", "C4", "B1", "D3"):  # A1 is an eye
        game.play(game.to_play, parse_vertex(vertex, 5))
    report = player.expect(game, BLACK, {parse_vertex("E5", 5)})
    assert report.playouts == 0
    assert {move.point for move in report.moves} == (
        set(game.legal_points(BLACK)) - {parse_vertex(v, 5) for v in ("A1", "E5")}
    )
    game.play(BLACK, PASS)
    game.play(WHITE, PASS)
    assert player.expect(game, BLACK) is None


def test_the_first_groups_end_the_wait(monkeypatch):
    """Of a cold cache; a warm one is loaded soon enough."""
    first, second = FIRST_MOVE
    for is_ready, compiles in ((False, True), (True, False)):
        warm_up, stop = warming.WarmUp(), threading.Event()  # never started
        monkeypatch.setattr(type(first), "is_ready", property(lambda _, r=is_ready: r))
        warm_up._note(first.name)
        assert not warm_up._first_move.is_set()
        warm_up._note(second.name)
        assert warm_up.wait_for_first_move(stop) == compiles
    warm_up._ready.set()
    assert not warm_up.wait_for_first_move()
    assert PLAYING[:2] == FIRST_MOVE
