"""Learn how the search's opinions change when it goes on; write the shipped table.

    python -m scripts.train_opinions --games 9=12 13=4 --out patterns_db/tables/opinions.table

Games against itself, from a fixed seed; see patterns_db.opinion_training.
"""

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from engine import Knowledge
from engine.search.utility import CHANGES
from patterns_db.opinion_training import FIRST_LOOK, OpinionLesson, new_lesson, self_play, to_table
from patterns_db.rollout_training import SCALE, to_policy
from patterns_db.shipped import (
    PATTERN_TABLE,
    ROLLOUT_TABLE,
    read_pattern_knowledge,
    read_rollout_beliefs,
    write_opinions,
)
from scripts.tables import Row, print_table


def learn(knowledge: Knowledge, options: argparse.Namespace, seed: int) -> OpinionLesson:
    """Play the games and return what they taught."""
    lesson = new_lesson()
    for entry in options.games:
        size, _, count = entry.partition("=")
        for game in range(int(count)):
            moves = self_play(lesson, knowledge, int(size), options.looks, seed + game)
            for _ in tqdm(moves, desc=f"{size}x{size}, game {game + 1}", file=sys.stderr):
                pass
    return lesson


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
    first = learn(knowledge, options, options.seed)
    # How far U comes true can only be seen once there is a U.
    table = to_table(first)
    second = learn(knowledge._replace(opinions=table), options, options.seed + 1000)
    table = table._replace(earned=to_table(second).earned)
    counts = first.changes.counts.sum(axis=1)
    manifest = {
        "games": options.games,
        "changes": int(counts.sum()),
        "descents": FIRST_LOOK << (options.looks - 1),
        "seed": options.seed,
    }
    write_opinions(options.out, table, manifest)
    rows: list[Row] = []
    for number, masses in enumerate(table.masses):
        mean = float(masses @ CHANGES)
        deviation = float(masses @ (CHANGES - mean) ** 2) ** 0.5
        rows.append([number, int(counts[number]), mean, deviation])
    print_table(["bin", "changes", "mean", "deviation"], rows)
    gains = zip(second.hopes, second.gains, table.earned, strict=True)
    print_table(
        ["phase", "U", "earned", "ratio"],
        [[phase, *map(float, numbers)] for phase, numbers in enumerate(gains)],
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
