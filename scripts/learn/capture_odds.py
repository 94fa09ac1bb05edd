r"""Learn the odds of captures that the solver leaves open, and print them.

    python -m scripts.learn.capture_odds --games train-01.tar.gz train-9x9-mixed.tar.gz

``engine.captures.odds`` holds what this command printed.
"""

import sys
from collections.abc import Sequence
from itertools import islice

import numpy as np
from tqdm import tqdm

from engine import BadSetup
from patterns_db.records.games import GameReader
from patterns_db.shipped import SOLVER_TABLE
from patterns_db.solvers.odds_training import OddsLessons, OddsObserver, collect_lessons, fit_odds
from patterns_db.solvers.solver_priors import read_prior_table
from scripts.failures import reported
from scripts.game_options import sampling_parser


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Read chains of games, and print the weights."""
    parser = sampling_parser(__doc__)
    parser.add_argument("--max-games", type=int, default=120, help="of each path (120)")
    parser.add_argument("--positions", type=int, default=1, help="of each game (1)")
    parser.add_argument("--nodes", type=int, default=30_000, help="of a reading that decides")
    options = parser.parse_args(arguments)
    observer = OddsObserver(read_prior_table(SOLVER_TABLE), options.nodes)
    pairs = []
    for path in options.games:
        games = tqdm(islice(GameReader([path]), options.max_games), unit=" games", file=sys.stderr)
        pairs += collect_lessons(games, observer, options.positions, options.seed)
    if not pairs:
        raise BadSetup("no reading of a chain in these games ends without a proof")
    features, captured = zip(*pairs, strict=True)
    weights = fit_odds(OddsLessons(np.array(features), np.array(captured)))
    print(f"{len(captured)} open readings, {sum(captured)} captured")
    print(", ".join(f"{weight:.4f}" for weight in weights))
    return 0


if __name__ == "__main__":
    sys.exit(main())
