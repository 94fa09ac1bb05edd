"""Learn how the search's opinions change when it goes on; write the shipped table.

    python -m scripts.train_opinions --games 9=12 13=4 --out patterns_db/tables/opinions.table

Games against itself, from a fixed seed; see patterns_db.opinion_training.
"""

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from engine import Knowledge
from patterns_db.opinion_training import FIRST_LOOK, new_changes, self_play, to_table
from patterns_db.rollout_training import SCALE, to_policy
from patterns_db.shipped import (
    PATTERN_TABLE,
    ROLLOUT_TABLE,
    read_pattern_knowledge,
    read_rollout_beliefs,
    write_opinions,
)
from scripts.tables import print_table


def main() -> int:
    """Play, learn, write; print each bin's mean and deviation."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", nargs="+", default=["9=12"], metavar="SIZE=COUNT")
    parser.add_argument("--looks", type=int, default=7, help="opinions noted a position")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    policy = to_policy(read_rollout_beliefs(ROLLOUT_TABLE), SCALE)
    knowledge = Knowledge(policy, read_pattern_knowledge(PATTERN_TABLE))
    changes = new_changes()
    positions = 0
    for entry in options.games:
        size, _, count = entry.partition("=")
        for game in range(int(count)):
            moves = self_play(changes, knowledge, int(size), options.looks, options.seed + game)
            for _ in tqdm(moves, desc=f"{size}x{size}, game {game + 1}", file=sys.stderr):
                positions += 1
    table = to_table(changes)
    manifest = {
        "games": options.games,
        "positions": positions,
        "changes": int(changes.counts.sum()),
        "descents": FIRST_LOOK << (options.looks - 1),
        "seed": options.seed,
    }
    write_opinions(options.out, table, manifest)
    rows = []
    for number, masses in enumerate(table.masses):
        mean = float(masses @ changes.changes)
        deviation = float(masses @ (changes.changes - mean) ** 2) ** 0.5
        rows.append(
            [number, int(changes.counts[number].sum()), round(mean, 3), round(deviation, 3)]
        )
    print_table(["bin", "changes", "mean", "deviation"], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
