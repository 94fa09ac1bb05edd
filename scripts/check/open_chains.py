"""Check the probability of a capture where the solver ends without a proof, on chains of games.

    python -m scripts.check.open_chains --games test-4400.tar.gz --max-games 40

Positions are drawn as in training (``patterns_db.solvers.odds_training``), and a long reading
decides what is right. Propagated probabilities without learned priors have open readings of their
own, so their figures are those of other chains.
"""

import sys
from collections.abc import Sequence
from itertools import islice

import numpy as np
from tqdm import tqdm

from engine import YomiError
from engine.arrays import Floats
from engine.captures.odds import CaptureOdds, no_odds
from patterns_db.records.games import GameReader
from patterns_db.shipped import ODDS_TABLE, SOLVER_TABLE
from patterns_db.solvers.odds_table import read_odds
from patterns_db.solvers.odds_training import OddsObserver, OddsTrainingSettings, positions_of
from patterns_db.solvers.solver_priors import read_prior_table
from scripts.game_options import games_parser
from scripts.reliability import HEADER, figures_of, print_reliability
from scripts.tables import TableRow, print_table


class OpenReadings:
    """The open readings of a method, with what a longer reading found, and the games."""

    def __init__(self, observer: OddsObserver) -> None:
        self.observer = observer
        self.features: list[Floats] = []
        self.captured: list[bool] = []
        self.games: list[str] = []

    def figures(self, odds: CaptureOdds) -> list[float | int]:
        """Return a row of figures, see ``reliability.figures_of``."""
        return figures_of(self.chances(odds), self.results(), self.games)

    def chances(self, odds: CaptureOdds) -> Floats:
        """Return float64[n], the probabilities of a capture."""
        return np.asarray(0.5 * (1.0 + np.tanh(0.5 * np.array(self.features) @ odds)))

    def results(self) -> Floats:
        """Return float64[n], 1 for a chain that is captured."""
        return np.array(self.captured, np.float64)


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
    priors = read_prior_table(SOLVER_TABLE)
    plain = OpenReadings(OddsObserver(priors, options.nodes, ("pp", False)))
    learned = OpenReadings(OddsObserver(priors, options.nodes))
    rng = np.random.default_rng(options.seed)
    try:
        games = islice(GameReader(options.games), options.max_games)
        for record in tqdm(games, unit=" games", file=sys.stderr):
            for board in positions_of(record, options.positions, rng):
                for found in (plain, learned):
                    for features, captured in found.observer.observe(board):
                        found.features.append(features)
                        found.captured.append(captured)
                        found.games.append(record.source)
    except (YomiError, OSError) as error:
        print(f"open_chains: {error}", file=sys.stderr)
        return 1
    odds = read_odds(ODDS_TABLE)
    rows: list[TableRow] = [
        ["propagated, no priors", *plain.figures(no_odds())],
        ["proof numbers, priors", *learned.figures(no_odds())],
        ["the same, learned odds", *learned.figures(odds)],
    ]
    print_table(("probability of capture", *HEADER), rows)
    print_reliability(learned.chances(odds), learned.results())
    return 0


if __name__ == "__main__":
    sys.exit(main())
