"""A short run of the fuzzer in this process, and proof that it notices faults."""

import io

import pytest

from engine import PlayerOptions
from gtp.handlers.table import handlers
from gtp.protocol import Protocol
from gtp.session import Session, SessionOptions
from scripts.check.fuzz_gtp import HELLO, Nonsense
from scripts.check.gtp_record import check

PLAYER = PlayerOptions(playouts=1, threads=1, seed=1)


def converse(lines):
    sink = io.BytesIO()
    session = Session(SessionOptions(player=PLAYER))
    Protocol(handlers(session)).run(io.BytesIO(b"\n".join(lines) + b"\n"), sink)
    return sink.getvalue()


@pytest.mark.parametrize("seed", [1, 2])
def test_malformed_lines(seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hello.sgf").write_bytes(HELLO)
    nonsense = Nonsense(seed)
    slow = ("genmove", "search")
    nonsense.NAMES = [name for name in nonsense.NAMES if not any(word in name for word in slow)]
    lines = [nonsense.line() for _ in range(400)] + [b"list_stones b", b"list_stones w", b"name"]
    record = check(lines, converse(lines))
    assert record.wrong == []
    assert record.checked > 400
    assert record.accepted["play"] > 20


LINES = [b"boardsize 5", b"play b a1", b"1 play w a1", b"undo", b"list_stones b"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"?1", b"=1"),
        (b"?1", b"?"),
        (b"=\n\n", b""),
        (b"?1 illegal move\n\n", b"?1 illegal\n \nmove\n\n"),
        (b"?1 illegal move", b"?1 internal error"),
        (b"", b"hello\n\n"),
    ],
)
def test_wrong_answers_are_noticed(old, new):
    answers = converse(LINES)
    assert check(LINES, answers).wrong == []
    assert check(LINES, answers.replace(old, new, 1)).wrong != []
