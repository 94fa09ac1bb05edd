"""Finished games of GNU Go against itself, with its own judgment of them.

    python -m tests.gnugo > tests/golden/finished_games.jsonl

writes the games that tests/player/test_player.py compares with: 60 on 9x9 and 8 on 13x13.
"""

import json
import random
from typing import Any

from engine.go.geometry import COLUMN_LETTERS
from scripts.controller import GNU_GO, Controller

PROGRAM = GNU_GO
RANDOM_MOVES = 6  # the first moves, for variety


def finished_game(size: int, seed: int, level: int = 0, most_moves: int = 400) -> dict[str, Any]:
    """Let GNU Go play a game against itself; return its moves and its judgment of the end."""
    dice = random.Random(seed)
    points = [f"{c}{r}" for c in COLUMN_LETTERS[:size] for r in range(1, size + 1)]
    moves: list[str] = []
    options = f"--level {level} --seed {seed} --boardsize {size} --chinese-rules --never-resign"
    with Controller(f"{PROGRAM} --mode gtp {options}") as gnugo:
        gnugo.send("komi 7.5")
        while moves[-2:] != ["PASS", "PASS"] and len(moves) < most_moves:
            color = "bw"[len(moves) % 2]
            if len(moves) < RANDOM_MOVES:
                moves.append(dice.choice([point for point in points if point not in moves]))
                gnugo.send(f"play {color} {moves[-1]}")
            else:
                moves.append(gnugo.send(f"genmove {color}"))
        return {
            "size": size,
            "seed": seed,
            "level": level,
            "komi": 7.5,
            "moves": moves,
            "score": gnugo.send("final_score"),
            "dead": gnugo.send("final_status_list dead").split(),
            "seki": gnugo.send("final_status_list seki").split(),
        }


def main() -> None:
    """Print the games, a JSON object a line."""
    for size, seeds, level in ((9, range(1, 41), 0), (13, range(1, 9), 0), (9, range(41, 61), 1)):
        for seed in seeds:
            print(json.dumps(finished_game(size, seed, level)))


if __name__ == "__main__":
    main()
