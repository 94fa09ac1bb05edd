"""Finished games of GNU Go against itself, with its own judgement of them.

    python -m tests.gnugo > tests/golden/finished_games.jsonl

writes the games that tests/test_player.py compares with: 60 on 9x9 and 8 on 13x13.
"""

import json
import random
import shutil
import subprocess
from typing import Any

from engine import COLUMN_LETTERS

PROGRAM = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
RANDOM_MOVES = 6  # the first moves, for variety


class GnuGo:
    """One GNU Go process that speaks GTP."""

    def __init__(self, size: int, seed: int, level: int) -> None:
        assert PROGRAM is not None
        options = f"--mode gtp --level {level} --seed {seed} --boardsize {size}"
        self._process = subprocess.Popen(
            [PROGRAM, *options.split(), "--chinese-rules", "--never-resign"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "GnuGo":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate("quit\n", timeout=10)

    def ask(self, command: str) -> str:
        """Return the answer to a command, which must succeed."""
        source, sink = self._process.stdout, self._process.stdin
        assert source is not None
        assert sink is not None
        sink.write(command + "\n")
        sink.flush()
        lines = []
        while line := source.readline().strip():
            lines.append(line)
        answer = " ".join(lines)
        assert answer.startswith("="), (command, answer)
        return answer[1:].strip()


def finished_game(size: int, seed: int, level: int = 0, most_moves: int = 400) -> dict[str, Any]:
    """Let GNU Go play a game against itself; return its moves and what it thinks of the end."""
    dice = random.Random(seed)
    points = [f"{c}{r}" for c in COLUMN_LETTERS[:size] for r in range(1, size + 1)]
    moves: list[str] = []
    with GnuGo(size, seed, level) as gnugo:
        gnugo.ask("komi 7.5")
        while moves[-2:] != ["PASS", "PASS"] and len(moves) < most_moves:
            color = "bw"[len(moves) % 2]
            if len(moves) < RANDOM_MOVES:
                moves.append(dice.choice([point for point in points if point not in moves]))
                gnugo.ask(f"play {color} {moves[-1]}")
            else:
                moves.append(gnugo.ask(f"genmove {color}"))
        return {
            "size": size,
            "seed": seed,
            "level": level,
            "komi": 7.5,
            "moves": moves,
            "score": gnugo.ask("final_score"),
            "dead": gnugo.ask("final_status_list dead").split(),
            "seki": gnugo.ask("final_status_list seki").split(),
        }


def main() -> None:
    """Print the games, a JSON object a line."""
    for size, seeds, level in ((9, range(1, 41), 0), (13, range(1, 9), 0), (9, range(41, 61), 1)):
        for seed in seeds:
            print(json.dumps(finished_game(size, seed, level)))


if __name__ == "__main__":
    main()
