"""The referee of short clocks: what it charges, and when a game is lost."""

import sys

import pytest

from engine import Predictor
from engine.patterns.valuing import no_patterns
from scripts.check import clock_losses
from scripts.controller import Controller

# Passes always; sleeps before its first move.
ENGINE = """
import sys, time
delay = float(sys.argv[1])
for line in sys.stdin:
    if line.startswith("genmove"):
        time.sleep(delay)
        delay = 0.0
    print("= pass\\n", flush=True)
"""


@pytest.fixture
def predictor():
    return Predictor(no_patterns())


@pytest.mark.parametrize(("seconds", "lost_at"), [(0.0, None), (1.1, 1)])
def test_a_slow_move_loses(tmp_path, predictor, seconds, lost_at):
    program = tmp_path / "engine.py"
    program.write_text(ENGINE)
    with Controller(f"{sys.executable} {program} {seconds}") as engine:
        outcome = clock_losses.play(engine, "absolute 1 s", 0, predictor, 3, 6)
    assert outcome.lost_at == lost_at
    assert outcome.moves <= 6
    assert outcome.longest >= seconds
