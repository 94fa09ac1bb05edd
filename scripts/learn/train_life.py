"""Learn the promise of moves in fights over life (``patterns_db.solvers.life_training``).

python -m scripts.learn.train_life --out life.table
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from patterns_db.solvers.life_training import LifeTrainingSettings, train_life


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, write the table and print a summary."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--positions", type=int, default=1000, help="random fights")
    parser.add_argument("--nodes", type=int, default=6000, help="positions a search")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    settings = LifeTrainingSettings(options.positions, options.nodes, seed=options.seed)
    train_life(settings, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
