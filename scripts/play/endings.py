"""Measure how often late endings are begun right, with and without solving sums of fights.

    python -m scripts.play.endings --playouts 300 --out FILE

scripts.play.ending_positions makes the positions, the same for the same seed; komi makes the right
moves the only winning ones. The file holds every position with both answers. Two sets have fights
for chains that are too large to be played out.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from engine import Player, PlayerOptions, YomiError
from patterns_db.shipped import load_knowledge
from scripts.kept_rows import KeptRows, Row
from scripts.play.ending_positions import (
    EndingProblem,
    chain_problems,
    searched_problems,
    switch_problems,
)
from scripts.significance import wilson_interval
from scripts.tables import print_table

NAMES = ("with", "without")
SETS = {"searched 9x9": (searched_problems, 9), "searched 13x13": (searched_problems, 13),
        "switches 19x19": (switch_problems, 19),
        "chains 9x9": (chain_problems, 9), "chains 13x13": (chain_problems, 13)}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the positions, ask both players, write and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--playouts", type=int, default=300, help="new roll-outs a move")
    parser.add_argument(
        "--counts", type=int, nargs="+", default=[160, 25, 15, 30, 30], metavar="N",
        help=f"positions of each set: {', '.join(SETS)}; none of those not named",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="the results, JSON")
    options = parser.parse_args(arguments)
    if len(options.counts) > len(SETS):
        parser.error(f"there are {len(SETS)} sets, not {len(options.counts)}")
    setting = {"playouts": options.playouts, "seed": options.seed}
    try:
        kept = KeptRows(options.out, setting, "positions", "other settings", summary)
        ask_all(options, kept)
    except (YomiError, OSError) as error:
        print(f"endings: {error}", file=sys.stderr)
        return 2
    rows = summary(kept.rows)
    keys = list(rows[0])
    print_table(keys, [[row[key] for key in keys] for row in rows])
    return 0


def ask_all(options: argparse.Namespace, kept: KeptRows) -> None:
    """Ask both players about the positions that are missing.

    All positions are made again to find the missing ones. Players go on with new random numbers, so
    a stopped run finds the same positions but not the same roll-outs.
    """
    base = PlayerOptions(playouts=options.playouts, threads=1, seed=options.seed)
    knowledge = load_knowledge()
    players = {name: Player(replace(base, sums=name == "with"), knowledge) for name in NAMES}
    done = Counter(str(row["set"]) for row in kept.rows)
    with tqdm(total=sum(options.counts), initial=len(kept.rows), file=sys.stderr) as bar:
        for (name, (make, size)), count in zip(SETS.items(), options.counts, strict=False):
            for problem in islice(make(size, options.seed), done[name], max(count, done[name])):
                kept.add({"set": name, **asdict(problem), **_ask(players, problem)})
                bar.update()


def summary(answers: list[Row]) -> list[Row]:
    """Return a row a set, and one for all."""
    return [
        _row(name, [a for a in answers if name in ("all", a["set"])]) for name in (*SETS, "all")
    ]


def _ask(players: dict[str, Player], problem: EndingProblem) -> Row:
    """Return for each player whether its move was right, and its seconds."""
    found: Row = {}
    game = problem.game()
    for name, player in players.items():
        # The positions are no game, so each is asked without memory of the one before.
        player.new_game()
        start = time.perf_counter()
        decision = player.choose(game, problem.to_play)
        found[f"{name}_seconds"] = round(time.perf_counter() - start, 4)
        found[f"{name}_right"] = decision.point in problem.right
        found[f"{name}_reason"] = decision.reason
    return found


def _row(name: str, answers: list[Row]) -> Row:
    """Return the summary of a set of answers."""
    count = len(answers)
    row: Row = {"set": name, "positions": count}
    # Only the reason distinguishes a sum's choice from the search's.
    solved = sum(" fight" in str(a["with_reason"]) for a in answers)
    row["solved as sums"] = solved
    for player in NAMES:
        right = sum(bool(a[f"{player}_right"]) for a in answers)
        low, high = wilson_interval(right, count)
        row[f"right {player}"] = right
        row[f"share {player}"] = round(right / max(count, 1), 3)
        row[f"interval {player}"] = f"{low:.3f} to {high:.3f}"
    choices = [len(a["right"]) / a["choices"] for a in answers]
    row["right by chance"] = round(sum(choices) / max(count, 1), 3)
    return row


if __name__ == "__main__":
    sys.exit(main())
