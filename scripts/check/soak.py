"""Send a long mixed session to yomi: its memory must stay bounded, and it must answer to the end.

    python -m scripts.check.soak --commands 10000 --seed 1
    python -m scripts.check.soak --minutes 60

One process gets moves, undo, set-ups, analyses, searches, records written and loaded, and new games
of three sizes. The script prints its resident memory [MiB] as it goes on (Linux; elsewhere 0). The
largest of the second half must not be above that of the first by more than --growth. With
--minutes, the largest after the first sixth (ten minutes of an hour) is compared with that sixth.
"""

import argparse
import itertools
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from scripts.controller import Controller, ProgramFailed
from scripts.tables import print_table

LETTERS = "ABCDEFGHJKLMNOPQRST"
SIZES = (9, 13, 19)
GAME_COMMANDS = 250  # mean number of commands until the next board
# Shares of the commands; the remaining ones are moves.
ODDS = (
    ("analysis", 0.10),
    ("genmove", 0.05),
    ("undo", 0.08),
    ("load", 0.04),
    ("save", 0.02),
    ("view", 0.06),
    ("judge", 0.02),
)
VIEWS = ("showboard", "list_stones b", "yomi-explain", "yomi-move_probabilities", "all_legal w")
JUDGES = ("final_score", "final_status_list dead", "yomi-chain_status", "yomi-tactics")

YOMI = "--playouts 20 --threads 1 --seed 1 --memory 64 --resign never"


class SessionCount(NamedTuple):
    """The state of a session after some commands.

    refused  commands that were answered with ?, mostly illegal moves
    memory   resident [MiB]
    minutes  since the first command
    """

    commands: int
    refused: int
    memory: float
    minutes: float = 0.0


class Mixture:
    """Makes commands as clients might send them, the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._size = SIZES[0]

    def vertex(self) -> str:
        """Return a random point of the board."""
        return self._random.choice(LETTERS[: self._size]) + str(self._random.randint(1, self._size))

    def color(self) -> str:
        """Return a random color."""
        return self._random.choice("bw")

    def command(self) -> tuple[str, str]:
        """Return the kind of the next command, and the command."""
        if self._random.random() < 1.0 / GAME_COMMANDS:
            self._size = self._random.choice(SIZES)
            return "board", f"boardsize {self._size}"
        kind = self._random.random()
        for name, share in ODDS:
            kind -= share
            if kind < 0.0:
                return name, self._special(name)
        return "play", f"play {self.color()} {self.vertex()}"

    def _special(self, name: str) -> str:
        choose = self._random.choice
        match name:
            case "analysis":  # the newline within stops it as soon as it has begun
                kind = choose(["kata-analyze", "lz-analyze"])
                return f"{kind} {self.color()} {choose([1, 5, 100])}\n"
            case "genmove":
                return choose([f"genmove {self.color()}", f"kata-genmove_analyze {self.color()}"])
            case "undo":
                return choose(["undo", f"gg-undo {self._random.randint(1, 5)}"])
            case "load":
                return choose(
                    ["loadsgf soak.sgf", f"loadsgf soak.sgf {self._random.randint(1, 9)}"]
                )
            case "save":
                return "printsgf soak.sgf"
            case "view":
                return choose(VIEWS)
        return choose(JUDGES)


def memory_of(process: int) -> float:
    """Return the resident memory of a process [MiB]; 0 where the system does not report it."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


def soak(
    program: Controller,
    commands: int,
    seed: int,
    kinds: Counter[str],
    minutes: float | None = None,
) -> Iterator[SessionCount]:
    """Send commands; yield a count after every twentieth part of them, or of the time.

    kinds    numbers of commands sent, changed in place
    minutes  how long to go on; None: until all commands were sent
    Raises ProgramFailed when the program has ended or does not answer in time.
    """
    mixture, refused, parts = Mixture(seed), 0, 0
    start = time.monotonic()
    program.send("printsgf soak.sgf")  # a record for the first loadsgf
    for number in itertools.count(1):
        kind, command = mixture.command()
        kinds[kind] += 1
        try:
            program.send(command)
        except ProgramFailed:
            # Either refused, or the program has ended: then it does not answer this either.
            program.send("name")
            refused += 1
        passed = (time.monotonic() - start) / 60.0
        done = number // max(commands // 20, 1) if minutes is None else int(20.0 * passed / minutes)
        if done > parts:
            parts = done
            yield SessionCount(number, refused, memory_of(program.process_id), round(passed, 2))
        if number >= commands if minutes is None else passed >= minutes:
            return


def growth_of(counts: Sequence[SessionCount], first: float) -> float:
    """Return how much the largest memory rose after a first share of the counts [MiB]."""
    split = max(1, round(len(counts) * first))
    return max((c.memory for c in counts[split:]), default=0.0) - max(
        c.memory for c in counts[:split]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak a new process; return 1 if it ended, or grew."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--commands", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, help="duration, instead of --commands")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--growth", type=float, default=64.0, metavar="MIB")
    options = parser.parse_args(arguments)
    counts: list[SessionCount] = []
    kinds: Counter[str] = Counter()
    # The process runs in the folder of the record, so it needs a path to gtp.
    os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parents[2])
    command = f"{sys.executable} -m gtp {YOMI}"
    with tempfile.TemporaryDirectory() as folder, tqdm(unit="command") as bar:
        try:
            with Controller(command, 600.0, folder=Path(folder)) as yomi:
                for count in soak(yomi, options.commands, options.seed, kinds, options.minutes):
                    counts.append(count)
                    bar.update(count.commands - bar.n)
                    bar.write(f"{count.minutes:.1f} minutes: {count.memory:.0f} MiB", sys.stderr)
        except ProgramFailed as failure:
            print(f"soak: after {bar.n} commands: {failure}", file=sys.stderr)
            return 1
    print_table(SessionCount._fields, [list(count) for count in counts])
    print(", ".join(f"{number} {kind}" for kind, number in kinds.most_common()))
    first = 0.5 if options.minutes is None else 1.0 / 6.0
    growth = growth_of(counts, first)
    print(f"largest after the first {first:.0%} less the largest before: {growth:.1f} MiB")
    return int(growth > options.growth)


if __name__ == "__main__":
    sys.exit(main())
