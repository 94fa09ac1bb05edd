"""The GTP client: answers, failures, programs that end or hang."""

import sys
import tempfile
import time
from pathlib import Path

import pytest

from scripts.controller import Controller, ProgramFailed

STUB = f"{sys.executable} {Path(__file__).parent / 'gtp_stub.py'} B+1.0"


def test_answers_of_one_and_several_lines():
    with Controller(f"{STUB} C3") as program:
        assert program.send("genmove b") == "C3"
        assert program.send("list_commands") == "name\nplay\n genmove"
        assert program.send("genmove w") == "pass"


def test_failures_name_program_and_command():
    with Controller(f"{STUB} fail D4") as program:
        with pytest.raises(ProgramFailed, match=r"'genmove b' was answered '\? cannot'"):
            program.send("genmove b")
        assert program.send("genmove b") == "D4"  # it goes on


def test_a_program_that_ends():
    with Controller(f"{STUB} die") as program:
        with pytest.raises(ProgramFailed, match="ended while answering 'genmove b'"):
            program.send("genmove b")
        with pytest.raises(ProgramFailed):
            program.send("name")


def test_a_program_that_hangs():
    start = time.monotonic()
    with Controller(f"{STUB} hang", timeout=0.3) as program:
        with pytest.raises(ProgramFailed, match=r"no answer to 'genmove b' in 0\.3 s"):
            program.send("genmove b")
        with pytest.raises(ProgramFailed):
            program.send("name")
    assert time.monotonic() - start < 10


def test_no_such_program():
    with pytest.raises(ProgramFailed, match="cannot be started"):
        Controller("/nowhere/gnugo --mode gtp")


def test_its_stderr_can_be_read():
    with tempfile.TemporaryFile() as log:
        with Controller(STUB, stderr=log) as program:
            program.send("name")
        log.seek(0)
        assert log.read() == b"name\nquit\n"
