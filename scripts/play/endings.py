"""Measure how often late endings are begun right, with and without solving sums of fights.

    python -m scripts.play.endings --playouts 300 --out FILE

``endings.jsonl`` holds the positions. They were made at random and solved by exhaustive search over
the whole board (commit bea02238, ``scripts/play/ending_positions.py``). Komi makes the right moves
the only winning ones, and at most half of the moves are right. "chains" have fights for chains that
are too large to be played out. "switches" are sums of fights that end with one move each.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from engine import BLACK, RULESETS, WHITE, Game, Player, PlayerOptions, parse_vertex
from engine.go.geometry import to_point
from patterns_db.shipped import load_knowledge
from scripts.failures import reported
from scripts.kept_rows import KeptRows, Row
from scripts.significance import wilson_interval
from scripts.tables import TableRow, print_table

FILE = Path(__file__).with_name("endings.jsonl")
NAMES = ("with", "without")
HEADER = ("set", "positions", "solved as sums", "right with", "95 %", "right without", "95 %",
          "right by chance")  # fmt: skip


class LateEnding(NamedTuple):
    """A late ending with its right first moves."""

    kind: str  # "searched 9x9", "chains 13x13" and so on
    size: int
    board: str
    to_play: int
    komi: float
    choices: int  # number of possible moves, without the pass
    right: frozenset[int]
    rooms: tuple[frozenset[int], ...]  # points of each small open room between chains that live

    def game(self) -> Game:
        """Return the position, under Chinese rules."""
        stones: dict[int, list[int]] = {BLACK: [], WHITE: []}
        for down, line in enumerate(self.board.split("/")):
            for column, mark in enumerate(line, 1):
                if mark != ".":
                    stones[".XO".index(mark)].append(to_point(column, self.size - down))
        game = Game(self.size, RULESETS["chinese"], self.komi)
        game.setup(stones[BLACK], stones[WHITE], self.to_play)
        return game


@cache
def read_endings() -> tuple[LateEnding, ...]:
    """Return all positions of the file."""
    return tuple(map(_read, FILE.read_text("ascii").splitlines()))


def _read(line: str) -> LateEnding:
    row = json.loads(line)

    def points(text: str) -> frozenset[int]:
        return frozenset(parse_vertex(word, row["size"]) for word in text.split())

    return LateEnding(
        row["set"], row["size"], row["board"], BLACK if row["to_move"] == "black" else WHITE,
        row["komi"], row["choices"], points(row["right"]), tuple(map(points, row["rooms"])),
    )  # fmt: skip


def ask(players: dict[str, Player], ending: LateEnding) -> Row:
    """Return for each player whether its move was right, and the reason."""
    found: Row = {"set": ending.kind, "chance": len(ending.right) / ending.choices}
    for name, player in players.items():
        # The positions are no game, so each is asked without memory of the one before.
        player.new_game()
        decision = player.choose(ending.game(), ending.to_play)
        found |= {name: decision.point in ending.right, f"{name}_reason": decision.reason}
    return found


def row_of(name: str, answers: Sequence[Row]) -> TableRow:
    """Return a row of HEADER."""
    count = len(answers)
    # Only the reason distinguishes a sum's choice from the search's.
    row: TableRow = [name, count, sum(" fight" in answer["with_reason"] for answer in answers)]
    for player in NAMES:
        right = sum(answer[player] for answer in answers)
        low, high = wilson_interval(right, count)
        row += [right, f"{low:.1%} to {high:.1%}"]
    return [*row, sum(answer["chance"] for answer in answers) / count]


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Ask both players, write and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--playouts", type=int, default=300, help="new roll-outs a move")
    parser.add_argument("--most", type=int, default=1000, help="positions of each set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="the answers, JSON, so that a stopped run goes on")
    options = parser.parse_args(arguments)
    setting = {name: getattr(options, name) for name in ("playouts", "most", "seed")}
    seen: Counter[str] = Counter()
    endings = []
    for ending in read_endings():
        seen[ending.kind] += 1
        endings += [ending] if seen[ending.kind] <= options.most else []
    kept = KeptRows(options.out, setting, "positions")
    base = PlayerOptions(playouts=options.playouts, threads=1, seed=options.seed)
    knowledge = load_knowledge()
    players = {name: Player(replace(base, sums=name == "with"), knowledge) for name in NAMES}
    for ending in tqdm(endings[len(kept.rows) :], unit="position", file=sys.stderr):
        kept.add(ask(players, ending))
    rows = [row_of(name, [row for row in kept.rows if row["set"] == name]) for name in seen]
    print_table(HEADER, [*rows, row_of("all", kept.rows)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
