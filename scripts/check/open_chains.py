"""Check the probability of a capture where the solver ends without a proof, on chains of games.

    python -m scripts.check.open_chains --games test-4400.tar.gz --max-games 40

Positions are drawn as in training (``patterns_db.solvers.odds_training``), and a long reading
decides what is right.
"""

import sys
from collections.abc import Sequence
from itertools import islice

import numpy as np
from tqdm import tqdm

from engine import YomiError
from engine.captures.odds import no_odds
from patterns_db.records.games import GameReader
from patterns_db.shipped import ODDS_TABLE, SOLVER_TABLE
from patterns_db.solvers.odds_table import read_odds
from patterns_db.solvers.odds_training import OddsObserver, OddsTrainingSettings, positions_of
from patterns_db.solvers.solver_priors import read_prior_table
from scripts.game_options import games_parser
from scripts.reliability import HEADER, figures_of, print_reliability
from scripts.tables import TableRow, print_table


def main(arguments: Sequence[str] | None = None) -> int:
    """Read, and print the figures."""
    settings = OddsTrainingSettings()
    parser = games_parser(__doc__)
    parser.add_argument("--max-games", type=int, default=settings.max_games)
    parser.add_argument("--positions", type=int, default=settings.positions, help="of each game")
    parser.add_argument(
        "--nodes", type=int, default=settings.nodes, help="of a reading that decides"
    )
    parser.add_argument("--seed", type=int, default=settings.seed)
    options = parser.parse_args(arguments)
    observer = OddsObserver(read_prior_table(SOLVER_TABLE), options.nodes)
    rng = np.random.default_rng(options.seed)
    found = []  # features, whether the chain is captured, game
    try:
        games = islice(GameReader(options.games), options.max_games)
        for record in tqdm(games, unit=" games", file=sys.stderr):
            for board in positions_of(record, options.positions, rng):
                found += [(*reading, record.source) for reading in observer.observe(board)]
    except (YomiError, OSError) as error:
        print(f"open_chains: {error}", file=sys.stderr)
        return 1
    if not found:
        print("no reading ended without a proof")
        return 0
    features, captured, sources = zip(*found, strict=True)
    results = np.array(captured, np.float64)
    rows: list[TableRow] = []
    for name, odds in (("propagated", no_odds()), ("learned odds", read_odds(ODDS_TABLE))):
        chances = np.asarray(0.5 * (1.0 + np.tanh(0.5 * np.array(features) @ odds)))
        rows.append([name, *figures_of(chances, results, sources)])
    print_table(("probability of capture", *HEADER), rows)
    print_reliability(chances, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
