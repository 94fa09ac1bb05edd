"""Learn the weights of the guided roll-outs from game records and write the shipped table.

python -m scripts.learn.train_rollouts --games train-01.tar.gz --out rollout.table
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from patterns_db.games import GameReader
from patterns_db.rollout_training import learn_policy
from patterns_db.shipped import write_rollout_beliefs


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write; print how much was learned from."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", type=Path, required=True)
    parser.add_argument("--max-games", type=int)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    reader = GameReader(options.games)
    games = tqdm(islice(reader, options.max_games), unit=" games", file=sys.stderr)
    beliefs, learned = learn_policy(games)
    manifest = {"games": reader.games, "moves": learned, "sources": [p.name for p in options.games]}
    digest = write_rollout_beliefs(options.out, beliefs, manifest)
    print(f"learned from {learned} moves of {reader.games} games; sha256 {digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
