"""Thinking in the opponent's time: when it happens, when it ends, and its results."""

import threading
import time

import pytest

from engine import PlayerOptions, format_vertex, parse_vertex
from engine.arrays import ROOT
from gtp.handlers.commands import CORE
from gtp.protocol import Command
from gtp.session import Session, SessionOptions


@pytest.fixture
def session():
    options = PlayerOptions(playouts=20, threads=1, seed=1, memory_mib=16)
    session = Session(SessionOptions(options, ponder=True))
    session.new_game(5)
    return session


def visits(session: Session) -> int:
    searcher = session.player.thinker.search.searcher
    return 0 if searcher is None else int(searcher._tree.visits[ROOT])


def ponder(session: Session, seconds: float) -> None:
    command = Command("", "genmove")
    threading.Timer(seconds, command.input_came.set).start()
    start = time.monotonic()
    session.ponder(command)
    assert time.monotonic() - start < 20


def test_it_thinks_for_the_opponent_and_keeps_the_result(session):
    CORE["genmove"](session, Command("", "genmove", "b"))
    ponder(session, 0.3)
    pondered = visits(session)
    assert pondered > 20
    best = session.player.thinker.search.searcher.report().moves[0]
    session.play(session.game.to_play, best.point)
    ponder(session, 0.0)  # no pondering after a move that was not requested
    assert visits(session) == pondered
    CORE["genmove"](session, Command("", "genmove", "b"))
    assert visits(session) >= 20 + best.playouts - 1


def test_nothing_is_played_meanwhile(session):
    CORE["genmove"](session, Command("", "genmove", "b"))
    moves = list(session.game.moves)
    ponder(session, 0.1)
    assert session.game.moves == moves


def test_not_before_a_move_was_requested(session):
    session.play(1, parse_vertex("C3", 5))
    ponder(session, 0.0)
    assert visits(session) == 0


def test_not_when_it_is_switched_off(session):
    session.options = SessionOptions(session.options.player)
    CORE["genmove"](session, Command("", "genmove", "b"))
    before = visits(session)
    ponder(session, 0.0)
    assert visits(session) == before


def test_stopping_to_ponder_costs_its_own_time(session):
    session.clock.set_absolute(60)
    CORE["genmove"](session, Command("", "genmove", "b"))
    before = session.clock.left(1).main_seconds
    point = format_vertex(session.game.legal_points(2)[0])
    CORE["play"](session, Command("", "play", f"w {point}", waited=5.0))
    assert session.clock.left(1).main_seconds == before
    CORE["genmove"](session, Command("", "genmove", "b"))
    assert session.clock.left(1).main_seconds <= before - 5
