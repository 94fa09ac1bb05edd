"""Time the reading of files that are made, or damaged, to cost time.

    python -m scripts.check.hostile_games [--help]

Every file is read at two sizes: linear time doubles. Returns 1 if 2,000 cut-off games take longer
than 2 s, or if twice the size takes more than four times as long.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from engine import BLACK, WHITE
from engine.go.geometry import board_points
from patterns_db.records.games import GameReader
from patterns_db.records.sgf import GameRecord, Play, write_record

POINTS = board_points(19)
MOVES = b"".join(b";%c[%c%c]" % (b"BW"[i % 2], 97 + i % 19, 97 + i // 19) for i in range(40))
GAME = b"(;GM[1]FF[4]SZ[19]PB[a]PW[b]" + MOVES
LIMIT = 2.0  # seconds for 2,000 games of 40 moves
NOISE = 0.05  # seconds that a busy machine may add

CASES: dict[str, tuple[bytes, int]] = {
    "whole games": (GAME + b")\n", 500),
    "cut off between values": (GAME + b"\n", 1000),
    "cut off inside a value": (GAME + b";B[a\n", 1000),
    "cut off inside a comment": (GAME + b"C[a \\] b\n", 1000),
    "roots inside values": (b"(;GM[1]C[ (;GM[1\\]", 10_000),
    "roots that close nothing": (b"(;GM[\\]", 10_000),
    "openings": (b"(;", 100_000),
    "nested variations": (b"(;B[aa]", 50_000),
    "nodes": (b";", 400_000),
    "no brackets closed": (b"(;C[", 50_000),
    "not ASCII": (b"(;GM[1]C[\xe4 (;GM[\\]", 5_000),
}


def seconds_of(work: Callable[[], object]) -> float:
    """Return how long something takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def reading(path: Path, data: bytes) -> tuple[float, str]:
    """Return the time that reading a file takes, and its result."""
    path.write_bytes(data)
    reader = GameReader([path])
    seconds = seconds_of(lambda: sum(1 for _ in reader))
    return seconds, f"{reader.games} games, {reader.damaged} damaged"


def writing(moves: int) -> float:
    """Return the time that writing a game of this number of moves takes."""
    events = tuple(Play((BLACK, WHITE)[i % 2], POINTS[i % len(POINTS)]) for i in range(moves))
    record = GameRecord(19, events=events)
    return seconds_of(lambda: write_record(record))


def main(arguments: Sequence[str] | None = None) -> int:
    """Read every file at two sizes; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.parse_args(arguments)
    slow = 0
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.sgf"
        for name, (piece, count) in CASES.items():
            first, _ = reading(path, piece * count)
            second, what = reading(path, piece * 2 * count)
            bad = second > 4 * first + NOISE
            bad |= name.startswith("cut off") and second > LIMIT
            slow += bad
            print(f"{name}: {first:.2f} s, twice as many {second:.2f} s ({what})")
    first, second = writing(2000), writing(4000)
    slow += second > 4 * first + NOISE
    print(f"writing a game of 2,000 moves: {first:.3f} s, of 4,000: {second:.3f} s")
    return int(slow > 0)


if __name__ == "__main__":
    sys.exit(main())
