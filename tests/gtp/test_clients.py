"""Commands of known clients at the start and through a short game: every command succeeds."""

from pathlib import Path

import pytest

from engine import PlayerOptions
from gtp.handlers.table import handlers
from gtp.protocol import Protocol, parse_line
from gtp.session import Session, SessionOptions
from tests.gtp.conftest import answers_of

SCRIPTS = sorted((Path(__file__).parent / "clients").glob("*.gtp"))
PLAYER = PlayerOptions(playouts=8, threads=1, seed=1)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_a_client_gets_its_answers(script, line_end):
    lines = script.read_bytes().split(b"\n")
    commands = [command for line in lines if (command := parse_line(line))]
    assert len(commands) >= 10
    protocol = Protocol(handlers(Session(SessionOptions(player=PLAYER))))
    answers = answers_of(protocol, line_end.join(lines))
    assert len(answers) == len(commands)
    listed = answers[[c.name for c in commands].index("list_commands")][2:].split("\n")
    for command, answer in zip(commands, answers, strict=True):
        assert answer.startswith("="), f"{command.name} {command.text}: {answer}"
        assert command.name in listed
        assert answer == answer.rstrip()
