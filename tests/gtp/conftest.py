"""Sessions over in-memory streams."""

import io
import os
import threading

import pytest

from engine import PlayerOptions
from engine.jit import JIT_ENABLED
from gtp.handlers.table import UNLISTED, handlers
from gtp.protocol import Protocol
from gtp.session import Session, SessionOptions

QUICK = PlayerOptions(playouts=8, threads=1, seed=1)

needs_jit = pytest.mark.skipif(not JIT_ENABLED, reason="a process of its own thinks too slowly")


def split_answers(data):
    """Return the answers in a stream, without their ends; every one must be well formed."""
    assert data == b"" or data.endswith(b"\n\n")
    answers = data.decode("ascii").split("\n\n")[:-1]
    for answer in answers:
        assert answer[0] in "=?"
        assert all(line.strip() for line in answer.split("\n"))
    return answers


def answers_of(protocol, data):
    sink = io.BytesIO()
    protocol.run(io.BytesIO(data), sink)
    return split_answers(sink.getvalue())


class Talk:
    """A session that gets its input in pieces; answers come without ``=`` and id."""

    def __init__(self, options=None):
        self.session = Session(options or SessionOptions(player=QUICK))
        self.protocol = Protocol(handlers(self.session), unlisted=UNLISTED)

    def __call__(self, *lines):
        """Send lines and return the last one's answer, with its ``?`` if it failed."""
        answer = answers_of(self.protocol, "\n".join(lines).encode())[-1]
        return answer.removeprefix("=").strip() if answer[0] == "=" else answer

    @property
    def state(self):
        """All parts that a failed command must leave unchanged."""
        session, game = self.session, self.session.game
        return (
            game.size,
            game.komi,
            session.komi,
            game.rules,
            game.handicap,
            game.to_play,
            list(game.moves),
            game.stones(1),
            game.stones(2),
            session.clock.overtime,
            session.clock.left(1),
            session.clock.left(2),
        )


@pytest.fixture
def talk():
    return Talk()


def _talk_with(**options):
    options.setdefault("player", QUICK)
    return Talk(SessionOptions(**options))


@pytest.fixture
def talk_with():
    return _talk_with


class Pipe:
    """A byte stream from the test to a protocol, like a program's standard input."""

    def __init__(self):
        reader, writer = os.pipe()
        self.source = io.FileIO(reader, "rb")
        self._writer = io.FileIO(writer, "wb")
        self.send = self._writer.write
        self.close = self._writer.close


@pytest.fixture
def pipe():
    pipe = Pipe()
    yield pipe
    pipe.close()
    # A reader that goes on would take input from a later pipe whose descriptor has its number.
    for thread in threading.enumerate():
        if thread.name == "gtp-input":
            thread.join(5)
    pipe.source.close()
