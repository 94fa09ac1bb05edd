r"""Estimate ranks from single games of players whose ranks are known.

    python -m scripts.check.rank_estimates --each 11 --games train-01.tar.gz train-handicap.tar.gz

Every rank counts equally. ``--each`` players of a rank are taken, in the order of the records.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from engine import BadSetup, Knowledge, YomiError, rank_name
from engine.go.board import BLACK, WHITE
from engine.people.posterior import RankPosterior, rank_posterior
from patterns_db.people.choices import collect_choices
from patterns_db.people.levels import logs_on
from patterns_db.people.training import rank_logs
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.ranks import kyu_of
from patterns_db.shipped import load_knowledge
from scripts.game_options import games_parser
from scripts.tables import TableRow, print_table

WEAKEST, STRONGEST = 20, -8
FEWEST_MOVES = 30  # of a player, for a game to count
HEADER = ("rank", "players", "median", "mean error", "inside the 80 % interval")


def estimates(
    games: Iterator[DecodedGame], knowledge: Knowledge, each: int, counted_up: bool
) -> Iterator[tuple[int, RankPosterior]]:
    """Yield a rank and what is believed of it after one game, ``each`` times for every rank.

    Raises BadSetup without knowledge of patterns and of people.
    """
    if knowledge.patterns is None or knowledge.people is None:
        raise BadSetup("ranks need a table of patterns and one of people's choices")
    wanted = Counter(dict.fromkeys(range(STRONGEST, WEAKEST + 1), each))
    for game in games:
        if not +wanted:
            return
        known = zip((BLACK, WHITE), (kyu_of(rank, counted_up) for rank in game.ranks), strict=True)
        sides = [(color, kyu) for color, kyu in known if kyu is not None and wanted[kyu] > 0]
        if not sides:
            continue
        choices = collect_choices([game], knowledge.patterns)
        for color, kyu in sides:
            chosen = np.flatnonzero(choices.color == color)
            if len(chosen) >= FEWEST_MOVES and wanted[kyu] > 0:
                wanted[kyu] -= 1
                logs = rank_logs(choices, knowledge.people, chosen)
                yield kyu, rank_posterior(logs_on(game.size, logs))


def rows_of(found: Sequence[tuple[int, RankPosterior]]) -> list[TableRow]:
    """Return what HEADER says, by rank, and at last over all ranks."""
    rows: list[TableRow] = []
    for kyu in sorted({kyu for kyu, _ in found}, reverse=True):
        own = [posterior for rank, posterior in found if rank == kyu]
        medians = np.array([posterior.median for posterior in own])
        inside = [strong <= kyu <= weak for strong, weak in (one.interval for one in own)]
        error = float(np.abs(medians - kyu).mean())
        middle = rank_name(round(float(np.median(medians))))
        rows.append(
            [rank_name(kyu), len(own), middle, round(error, 2), round(float(np.mean(inside)), 3)]
        )
    if rows:
        errors, shares = zip(*(row[3:] for row in rows), strict=True)
        means = (round(float(np.mean(errors)), 2), round(float(np.mean(shares)), 3))
        rows.append(["all", len(found), "", *means])
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the games and print the table."""
    parser = games_parser(__doc__)
    parser.add_argument("--each", type=int, default=11, metavar="N", help="players of a rank (11)")
    parser.add_argument("--counted-up", action="store_true", help="28k in the records is 2 kyu")
    options = parser.parse_args(arguments)
    try:
        games = iter(GameReader(options.games))
        found = list(estimates(games, load_knowledge(), options.each, options.counted_up))
    except (YomiError, OSError) as error:
        print(f"rank_estimates: {error}", file=sys.stderr)
        return 2
    print_table(HEADER, rows_of(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
