r"""Print how often people beat weaker people, by rank and by the difference of the ranks.

    python -m scripts.check.rank_results --counted-up --games train-9x9-ranks.tar.gz

For each band the slope of the Elo scale is fitted by a logistic regression through the origin. A
ladder of levels that are as far apart as people would have that slope.
"""

import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from engine import rank_name
from engine.go.board import WHITE
from engine.patterns.choice import Floats, Ints
from patterns_db.people.evaluation import BANDS
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.ranks import kyu_of
from scripts.game_options import games_parser
from scripts.tables import TableRow, print_table

ELO = 400.0 / np.log(10.0)  # Elo of one unit of log odds
APART = (1, 2, 4, 6, 8)
FARTHEST = 8  # ranks
HEADER = ("mean rank", "games", "Elo a rank", "±", "two ranks win, %",
          *(f"{apart} apart, %" for apart in APART))  # fmt: skip


class Results(NamedTuple):
    """Games of two players of different known ranks.

    middles  float64[n], mean rank as a number of kyu
    apart    int64[n], difference of the ranks, 1..FARTHEST
    won      float64[n], whether the stronger player won
    """

    middles: Floats
    apart: Ints
    won: Floats


def results_of(games: Iterable[DecodedGame], counted_up: bool) -> Results:
    """Return the results of the games that tell something."""
    rows: list[tuple[float, int, float]] = []
    for game in games:
        black, white = (kyu_of(rank, counted_up) for rank in game.ranks)
        if black is None or white is None or not game.winner:
            continue
        if 1 <= abs(black - white) <= FARTHEST:
            stronger_won = (game.winner == WHITE) == (black > white)
            rows.append(((black + white) / 2, abs(black - white), float(stronger_won)))
    middles, apart, won = np.array(rows, np.float64).reshape(-1, 3).T
    return Results(middles, apart.astype(np.int64), won)


def elo_slope(apart: Ints, won: Floats) -> tuple[float, float]:
    """Return Elo for one rank, and its standard error: logistic regression through the origin."""
    slope, information = 0.0, 1.0
    for _ in range(20):
        chances = 1.0 / (1.0 + np.exp(-slope * apart))
        information = float((chances * (1.0 - chances) * apart**2).sum())
        slope += float(((won - chances) * apart).sum()) / information
    return ELO * slope, ELO * information**-0.5


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the games and print the table."""
    parser = games_parser(__doc__)
    parser.add_argument("--counted-up", action="store_true", help="28k in the records is 2 kyu")
    options = parser.parse_args(arguments)
    found = results_of(GameReader(options.games), options.counted_up)
    rows: list[TableRow] = []
    for strongest, weakest in BANDS:
        inside = (found.middles >= strongest) & (found.middles < weakest + 1)
        apart, won = found.apart[inside], found.won[inside]
        if not 0.0 < won.sum() < len(won):
            continue
        slope, error = elo_slope(apart, won)
        two = 100.0 / (1.0 + 10.0 ** (-2.0 * slope / 400.0))
        shares = [round(100.0 * won[apart == n].mean(), 1) if n in apart else "" for n in APART]
        name = f"{rank_name(weakest)} to {rank_name(strongest)}"
        rows.append([name, len(won), round(slope, 1), round(error, 1), round(two, 1), *shares])
    print_table(HEADER, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
