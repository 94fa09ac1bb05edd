"""Measure how often the engine's move solves a capture problem, with and without tactics.

    python -m scripts.play.tactical_moves --problems test.jsonl --playouts 200 --max-problems 60

Only problems with a complete list of right moves count, if it is not empty. The engine does not
know the problem's chain: it plays the whole board for the side to move, and the best move may be
elsewhere. The shares therefore mean little by themselves. Their difference shows the worth of
tactics.
"""

import argparse
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from engine import BLACK, EMPTY, WHITE, Game, Knowledge, Player, PlayerOptions, YomiError
from engine.go.board import COLOR, Board
from engine.go.geometry import board_points, format_vertex
from patterns_db.records.problems import parse_problem
from patterns_db.shipped import load_knowledge
from scripts.significance import wilson_interval


def read_fitting(path: Path, most: int, seed: int) -> list[dict[str, object]]:
    """Return a random sample of the problems with complete lists of right moves.

    Raises OSError or ValueError when the file cannot be read.
    """
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    fitting = [r for r in records if r.get("moves_complete") and r.get("correct_moves")]
    random.Random(seed).shuffle(fitting)
    return fitting[:most]


def game_at(board: Board, size: int, to_play: int) -> Game:
    """Return a game that begins at a position; komi 7.5."""
    game = Game(size)
    stones = {c: [p for p in board_points(size) if board[COLOR + p] == c] for c in (BLACK, WHITE)}
    game.setup(stones[BLACK], stones[WHITE], to_play)
    return game


def is_right(record: dict[str, object], options: PlayerOptions, knowledge: Knowledge) -> bool:
    """Return whether a player's move solves a problem."""
    problem = parse_problem(record)
    color = int(problem.board[COLOR + problem.goal])
    assert color != EMPTY
    mover = 3 - color if problem.attacker_to_move else color
    game = game_at(problem.board, int(problem.board[0]), mover)
    decision = Player(options, knowledge).choose(game, mover)
    return format_vertex(decision.point) in record["correct_moves"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Count and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--problems", type=Path, required=True)
    parser.add_argument("--playouts", type=int, default=200)
    parser.add_argument("--max-problems", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    try:
        records = read_fitting(options.problems, options.max_problems, options.seed)
        knowledge = load_knowledge()
    except (OSError, ValueError, YomiError) as error:
        print(f"tactical_moves: {error}", file=sys.stderr)
        return 1
    right = {False: 0, True: 0}
    gained = lost = 0
    for record in tqdm(records, file=sys.stderr):
        found = {}
        for tactics in (False, True):
            player = PlayerOptions(options.playouts, threads=1, seed=options.seed, tactics=tactics)
            found[tactics] = is_right(record, player, knowledge)
            right[tactics] += found[tactics]
        gained += found[True] and not found[False]
        lost += found[False] and not found[True]
    count = len(records)
    for tactics, number in right.items():
        low, high = wilson_interval(number, count)
        name = "with tactics" if tactics else "without"
        print(f"{name}: {number}/{count} right ({low:.1%} to {high:.1%})")
    print(f"right only with tactics: {gained}, only without: {lost}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
