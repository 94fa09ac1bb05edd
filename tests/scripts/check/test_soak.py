"""The soak: its commands, its counts, and its failures."""

import os
from collections import Counter

import pytest

from scripts.check import soak
from scripts.controller import ProgramFailed


class Program:
    """Answers everything but undo; ends after some commands."""

    process_id = os.getpid()

    def __init__(self, life=10_000):
        self.life, self.sent = life, []

    def send(self, command):
        self.sent.append(command)
        if len(self.sent) > self.life or command == "undo":
            raise ProgramFailed("no")
        return ""


def test_a_session_is_counted():
    program, kinds = Program(), Counter()
    counts = list(soak.soak(program, 2000, 3, kinds))
    assert [count.commands for count in counts] == list(range(100, 2001, 100))
    assert sum(kinds.values()) == 2000
    assert set(kinds) == {"play", "board", *(name for name, _ in soak.ODDS)}
    assert counts[-1].refused == program.sent.count("undo") > 0
    # A question that any program answers follows each refusal.
    assert program.sent.count("name") == counts[-1].refused
    again = Program()
    list(soak.soak(again, 2000, 3, Counter()))
    assert again.sent == program.sent


def test_a_session_of_some_time():
    program = Program(life=10**9)
    counts = list(soak.soak(program, 1, 3, Counter(), 0.002))
    assert 1 <= len(counts) <= 20
    assert counts[-1].minutes >= 0.0
    assert len(program.sent) > 10


def test_a_program_that_ends_is_noticed():
    with pytest.raises(ProgramFailed):
        list(soak.soak(Program(life=30), 100, 3, Counter()))


def test_memory_is_that_of_the_process():
    if os.path.exists("/proc/self/status"):
        assert soak.memory_of(os.getpid()) > 1.0
    assert soak.memory_of(-1) == 0.0


@pytest.mark.parametrize(("after", "status"), [(100.0, 0), (300.0, 1)])
def test_growth_fails(after, status, monkeypatch, capsys):
    def count(program, commands, seed, kinds, minutes):
        for number in range(1, 5):
            yield soak.SessionCount(number, 0, 90.0 if number < 3 else after)

    monkeypatch.setattr(soak, "soak", count)
    monkeypatch.setattr(soak, "Controller", FakeController)
    assert soak.main(["--commands", "4"]) == status
    assert capsys.readouterr().out.endswith(f"{after - 90.0:.1f} MiB\n")


class FakeController:
    def __init__(self, command, timeout, folder):
        assert folder.is_dir()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None
