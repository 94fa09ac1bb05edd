"""A long mixed session: its memory stays bounded, and it answers to the end."""

import random
import sys
import time
from pathlib import Path

import pytest

from scripts.controller import Controller, ProgramFailed

ROOT = Path(__file__).parents[2]
YOMI = f"{sys.executable} -m gtp --playouts 20 --threads 1 --seed 1 --memory 64 --resign never"
GROWTH = 64.0  # MiB
# Shares of the commands; the remaining ones are moves. The newline ends an analysis.
KINDS = {
    "board": (0.004, ["boardsize 9", "boardsize 13", "boardsize 19"]),
    "analysis": (0.1, ["kata-analyze b 1\n", "lz-analyze w 5\n", "kata-analyze w 100\n"]),
    "genmove": (0.05, ["genmove b", "genmove w", "kata-genmove_analyze b"]),
    "undo": (0.08, ["undo", "gg-undo 2", "gg-undo 5"]),
    "record": (0.06, ["printsgf soak.sgf", "loadsgf soak.sgf", "loadsgf soak.sgf 5"]),
    "view": (0.06, ["showboard", "list_stones b", "yomi-explain", "yomi-move_probabilities"]),
    "judge": (0.02, ["final_score", "final_status_list dead", "yomi-chain_status", "yomi-tactics"]),
}


def command_of(chance):
    """Return a command as clients might send it."""
    kind = chance.random()
    for share, commands in KINDS.values():
        kind -= share
        if kind < 0.0:
            return chance.choice(commands)
    return f"play {chance.choice('bw')} {chance.choice('ABCDEFGHJ')}{chance.randint(1, 9)}"


def memory_of(process):
    """Return the resident memory of a process [MiB]; 0 where the system does not report it."""
    status = Path(f"/proc/{process}/status")
    lines = status.read_text().splitlines() if status.exists() else ["VmRSS: 0"]
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


@pytest.mark.timeout(7200)
@pytest.mark.parametrize(
    "minutes", [pytest.param(0.1, marks=pytest.mark.slow), pytest.param(60, marks=pytest.mark.long)]
)
def test_memory_stays_bounded(minutes, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    chance, number, refused, passed = random.Random(1), 0, 0, 0.0
    largest = [0.0, 0.0]  # in the first sixth of the time, and after it
    with Controller(YOMI, 600.0, folder=tmp_path) as yomi:
        yomi.send("genmove b")  # the time of compiling does not count
        yomi.send("printsgf soak.sgf")
        start = time.monotonic()
        while passed < 1.0:
            number += 1
            try:
                yomi.send(command_of(chance))
            except ProgramFailed:
                # Either refused, or the program has ended: then it does not answer this either.
                yomi.send("name")
                refused += 1
            passed = (time.monotonic() - start) / (60.0 * minutes)
            part = int(passed > 1 / 6)
            largest[part] = max(largest[part], memory_of(yomi.process_id))
    print(f"{number} commands, {refused} refused; grown by {largest[1] - largest[0]:.1f} MiB")
    assert refused < number
    assert largest[1] - largest[0] < GROWTH
