"""gtp2ogs against the stand-in for OGS, and the parts of the stand-in alone."""

import os
import socket
import threading
from pathlib import Path

import pytest

from engine import PASS, Game, parse_vertex
from scripts.check import ogs
from scripts.check.ogs_clock import OgsClock
from scripts.check.ogs_game import letters, point_of
from scripts.check.web_socket import WebSocket
from tests.gtp.conftest import needs_jit

GTP2OGS = Path(os.environ.get("GTP2OGS", "gtp2ogs.js"))  # its dist/gtp2ogs.js


@needs_jit
@pytest.mark.peers
@pytest.mark.parametrize("contest", ogs.CONTESTS[:-1], ids=lambda contest: contest.name)
def test_a_game_through_gtp2ogs(contest, tmp_path):
    if lacking := ogs.missing(GTP2OGS):
        pytest.skip(lacking)
    [(result, failed)] = ogs.play(GTP2OGS.resolve(), [contest], tmp_path)
    assert (result.wrong, failed) == ([], 0)
    assert result.end in ("two passes", "Resignation")
    assert len(result.seconds) >= contest.moves


def test_without_gtp2ogs_it_says_so(tmp_path, capsys):
    assert ogs.main(["--gtp2ogs", str(tmp_path / "none.js")]) == 2
    assert "nothing was checked" in capsys.readouterr().err


@pytest.mark.parametrize("size", [9, 19])
def test_places(size):
    game = Game(size)
    for point in [*game.legal_points(1), PASS]:
        x, y = letters(game, point)
        text = ".." if point == PASS else chr(97 + x) + chr(97 + y)
        assert point_of(game, text) == point
    assert letters(game, parse_vertex("A1", size)) == [0, size - 1]
    with pytest.raises(ValueError, match="zz"):
        point_of(game, "zz")


@pytest.mark.parametrize(
    ("control", "spent", "in_time"),
    [
        ({"system": "simple", "per_move": 5}, [4.9, 5.1], [True, False]),
        ({"system": "absolute", "total_time": 5}, [4.0, 0.9, 0.2], [True, True, False]),
        (
            {"system": "fischer", "initial_time": 5, "time_increment": 2, "max_time": 6},
            [1.0, 5.9, 2.2],  # 6 and not 6.0 + 1 after the first
            [True, True, False],
        ),
        (
            {"system": "byoyomi", "main_time": 3, "period_time": 5, "periods": 2},
            [2.0, 5.9, 4.9, 5.1, 5.1],  # the second ends the main time within a period
            [True, True, True, True, False],
        ),
        (
            {"system": "canadian", "main_time": 0, "period_time": 5, "stones_per_period": 2},
            [1.0, 3.9, 4.0, 1.1],
            [True, True, True, False],
        ),
    ],
    ids=lambda value: value["system"] if isinstance(value, dict) else "",
)
def test_clocks(control, spent, in_time):
    clock = OgsClock.full(control)
    assert [clock.spend(seconds) for seconds in spent] == in_time


def _frame(data: bytes, kind: int = 0x81) -> bytes:
    mask = b"\x01\x02\x03\x04"
    length = len(data)
    head = bytes([length | 0x80]) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
    return bytes([kind]) + head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data))


def test_a_web_socket():
    """The key and its answer are those of RFC 6455, section 1.3."""
    ours, theirs = socket.socketpair()
    theirs.sendall(
        b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        + _frame(b"ping", 0x89) + _frame("grün".encode()) + _frame(b"x" * 300)
        + _frame(b"one ", 0x01) + _frame(b"two", 0x80) + _frame(b"", 0x88)
    )  # fmt: skip
    with ours, theirs:
        found = WebSocket(ours)
        assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in theirs.recv(1000)
        assert found.receive() == "grün"
        assert theirs.recv(100) == b"\x8a\x04ping"
        assert found.receive() == "x" * 300
        assert found.receive() == "one two"
        assert found.receive() is None
        for size, head in ((5, b"\x81\x05"), (300, b"\x81\x7e\x01\x2c"), (70000, b"\x81\x7f")):
            threading.Thread(target=found.send, args=("y" * size,)).start()
            assert theirs.recv(len(head), socket.MSG_WAITALL) == head
            rest = size + (8 if size > 65535 else 0)
            assert theirs.recv(rest, socket.MSG_WAITALL).endswith(b"y" * size)


def test_bad_web_sockets():
    ours, theirs = socket.socketpair()
    theirs.sendall(b"GET / HTTP/1.1\r\n\r\n")
    with ours, theirs, pytest.raises(ConnectionError):
        WebSocket(ours)
