r"""Compare players of known ranks: results, estimates of ranks, habits of levels, and noise.

    python -m scripts.check.ranks results --counted-up --games train-9x9-ranks.tar.gz
    python -m scripts.check.ranks estimates --each 11 --games train-01.tar.gz
    python -m scripts.check.ranks habits --matches LADDER.json
    python -m scripts.check.ranks noise --counted-up --games train-9x9-ranks.tar.gz

"results": how often people beat weaker people. The slope of the Elo scale is fitted for each band
of ranks by a logistic regression through the origin. "estimates": ranks from single games; every
rank counts equally. "habits": the moves of levels in matches (``scripts.play.match``), beside the
shares that the rank's model expects in the same positions. "noise": beta of the ranking model by
rank, chosen by the first half of a band's games and judged on the second. Source: Stern, Herbrich
& Graepel (2006), section 5. ``--counted-up`` as in ``scripts.learn.people``.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from engine import BadSetup, Knowledge, rank_name
from engine.arrays import Floats, Ints
from engine.go.board import BLACK, WHITE
from engine.people.posterior import RankPosterior, rank_posterior
from patterns_db.patterns.evaluation import LOG_EVIDENCE, EvaluatedModel, evaluate, open_model
from patterns_db.people.choices import collect_choices
from patterns_db.people.evaluation import BANDS, habits_of_band, score_band
from patterns_db.people.levels import logs_on
from patterns_db.people.training import rank_logs
from patterns_db.records.archive import pack_games
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.ranks import kyu_of
from patterns_db.shipped import CONTEXT_TABLE, PATTERN_TABLE, load_knowledge
from scripts.failures import reported
from scripts.kept_rows import read_kept
from scripts.play.arena import moves_in
from scripts.play.baselines import is_player
from scripts.tables import TableRow, print_table

ELO = 400.0 / np.log(10.0)  # Elo of one unit of log odds
APART = (1, 2, 4, 6, 8)
FARTHEST = 8  # ranks
WEAKEST, STRONGEST = 20, -8
FEWEST_MOVES = 30  # of a player, for a game to count
VARIANCES = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
RESULTS = ("mean rank", "games", "Elo a rank", "±", "two ranks win, %",
           *(f"{apart} apart, %" for apart in APART))  # fmt: skip
ESTIMATES = ("rank", "players", "median", "mean error", "inside the 80 % interval")
HABITS = ("ranks", "moves", "first line", "expected", "missed captures", "expected",
          "missed ataris", "expected", "next to the last move", "expected")  # fmt: skip
NOISE = ("ranks", "moves", "best beta squared", "nats a move", "as shipped", "gain", "+-", "people")

Band = tuple[int, int]


def name_of(band: Band) -> str:
    """Return the ranks of a band, the weakest first."""
    return f"{rank_name(band[1])} to {rank_name(band[0])}"


def known(knowledge: Knowledge) -> Knowledge:
    """Return the knowledge. Raises BadSetup without patterns and without people."""
    if knowledge.patterns is None or knowledge.people is None:
        raise BadSetup("ranks need a table of patterns and one of people's choices")
    return knowledge


# -- results --------------------------------------------------------------------------------------


class Results(NamedTuple):
    """Games of two players of different known ranks."""

    middles: Floats  # float64[n], mean rank as a number of kyu
    apart: Ints  # int64[n], difference of the ranks, 1..FARTHEST
    won: Floats  # float64[n], whether the stronger player won


def results_of(games: Iterable[DecodedGame], counted_up: bool) -> Results:
    """Return the results of the games that count."""
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


def print_results(options: argparse.Namespace) -> None:
    """Print the table RESULTS."""
    found = results_of(GameReader(options.games), options.counted_up)
    rows: list[TableRow] = []
    for band in BANDS:
        inside = (found.middles >= band[0]) & (found.middles < band[1] + 1)
        apart, won = found.apart[inside], found.won[inside]
        if not 0.0 < won.sum() < len(won):
            continue
        slope, error = elo_slope(apart, won)
        two = 100.0 / (1.0 + 10.0 ** (-2.0 * slope / 400.0))
        shares = [round(100.0 * won[apart == n].mean(), 1) if n in apart else "" for n in APART]
        figures = (round(slope, 1), round(error, 1), round(two, 1))
        rows.append([name_of(band), len(won), *figures, *shares])
    print_table(RESULTS, rows)


# -- estimates ------------------------------------------------------------------------------------


def estimates(
    games: Iterable[DecodedGame], knowledge: Knowledge, each: int, counted_up: bool
) -> Iterator[tuple[int, RankPosterior]]:
    """Yield a rank and what is believed of it after one game, ``each`` times for every rank."""
    assert knowledge.patterns is not None
    assert knowledge.people is not None
    wanted = Counter(dict.fromkeys(range(STRONGEST, WEAKEST + 1), each))
    for game in games:
        if not +wanted:
            return
        ranks = zip((BLACK, WHITE), (kyu_of(rank, counted_up) for rank in game.ranks), strict=True)
        sides = [(color, kyu) for color, kyu in ranks if kyu is not None and wanted[kyu] > 0]
        if not sides:
            continue
        choices = collect_choices([game], knowledge.patterns)
        for color, kyu in sides:
            chosen = np.flatnonzero(choices.color == color)
            if len(chosen) >= FEWEST_MOVES and wanted[kyu] > 0:
                wanted[kyu] -= 1
                logs = rank_logs(choices, knowledge.people, chosen)
                yield kyu, rank_posterior(logs_on(game.size, logs))


def rows_of_estimates(found: Sequence[tuple[int, RankPosterior]]) -> list[TableRow]:
    """Return the rows of ESTIMATES, by rank, and at last over all ranks."""
    rows: list[TableRow] = []
    for kyu in sorted({kyu for kyu, _ in found}, reverse=True):
        own = [posterior for rank, posterior in found if rank == kyu]
        medians = np.array([posterior.median for posterior in own])
        inside = [strong <= kyu <= weak for strong, weak in (one.interval for one in own)]
        error, share = float(np.abs(medians - kyu).mean()), float(np.mean(inside))
        middle = rank_name(round(float(np.median(medians))))
        rows.append([rank_name(kyu), len(own), middle, round(error, 2), round(share, 3)])
    if rows:
        errors, shares = zip(*(row[3:] for row in rows), strict=True)
        means = (round(float(np.mean(errors)), 2), round(float(np.mean(shares)), 3))
        rows.append(["all", len(found), "", *means])
    return rows


def print_estimates(options: argparse.Namespace) -> None:
    """Print the table ESTIMATES."""
    how = known(load_knowledge()), options.each, options.counted_up
    print_table(ESTIMATES, rows_of_estimates(list(estimates(GameReader(options.games), *how))))


# -- habits ---------------------------------------------------------------------------------------


def played_games(path: Path) -> Iterator[DecodedGame]:
    """Yield the games of matches between levels. Raises BadSetup for another file."""
    rows, size = read_kept(path, "games", "size")
    nothing = np.zeros(0, np.int64)
    for row in rows:
        if not row["error"] and all(map(is_player, row["sides"])):
            colors, points = np.array(moves_in(row["record"], size), np.int64).reshape(-1, 2).T
            # The levels stand as ranks.
            ranks = row["sides"] if row["first_color"] == "B" else row["sides"][::-1]
            source = f"game {row['game']}"
            yield DecodedGame(size, nothing, nothing, colors, points, source, ranks=tuple(ranks))


def print_habits(options: argparse.Namespace) -> None:
    """Print the table HABITS."""
    games = [game for path in options.matches for game in played_games(path)]
    knowledge = known(load_knowledge())
    assert knowledge.patterns is not None
    assert knowledge.people is not None
    choices = collect_choices(games, knowledge.patterns)
    chosen = np.ones(choices.moves, np.bool_)
    rows: list[TableRow] = []
    for band in BANDS:
        inside = (choices.kyu >= band[0]) & (choices.kyu <= band[1])
        if inside.any():
            found = habits_of_band(choices, knowledge.people, band, chosen)
            pairs = zip(found.people.tolist(), found.model.tolist(), strict=True)
            shares = [round(share, 3) for pair in pairs for share in pair]
            rows.append([name_of(band), int(inside.sum()), *shares])
    print_table(HABITS, rows)


# -- noise ----------------------------------------------------------------------------------------


def band_of(record: DecodedGame, counted_up: bool) -> Band | None:
    """Return the band of both players; None if they are not of one band."""
    ranks = [kyu_of(rank, counted_up) for rank in record.ranks]
    for band in BANDS:
        if all(rank is not None and band[0] <= rank <= band[1] for rank in ranks):
            return band
    return None


def nats_of(records: Iterable[DecodedGame], model: EvaluatedModel, variance: float) -> Floats:
    """Return the log probability of each move, float64[moves]."""
    knowledge = model.knowledge._replace(beta_squared=variance)
    found = evaluate(pack_games(records), model._replace(knowledge=knowledge))
    return found.outcomes[:, LOG_EVIDENCE]


def row_of_noise(
    band: Band, records: list[DecodedGame], model: EvaluatedModel, counted_up: bool
) -> TableRow:
    """Return a row of NOISE."""
    half = len(records) // 2
    first, fresh = records[:half], records[half:]
    best = max(VARIANCES, key=lambda variance: float(nats_of(first, model, variance).mean()))
    nats, usual = nats_of(fresh, model, best), nats_of(fresh, model, model.knowledge.beta_squared)
    gain = nats - usual
    knowledge = known(load_knowledge())
    assert knowledge.patterns is not None
    assert knowledge.people is not None
    choices = collect_choices(fresh, knowledge.patterns, counted_up)
    people = score_band(choices, knowledge.people, band, np.ones(choices.moves, np.bool_))
    error = float(gain.std() / np.sqrt(max(len(gain), 1)))
    means = (float(some.mean()) for some in (nats, usual, gain))
    return [name_of(band), len(nats), best, *means, error, people.log_evidence]


def print_noise(options: argparse.Namespace) -> None:
    """Print the table NOISE."""
    bands: dict[Band, list[DecodedGame]] = {}
    for record in islice(GameReader(options.games), options.max_games):
        band = band_of(record, options.counted_up)
        if band is not None and len(bands.setdefault(band, [])) < options.most:
            bands[band].append(record)
    model = open_model(PATTERN_TABLE, "evidence", CONTEXT_TABLE)
    found = [band for band in sorted(bands, reverse=True) if len(bands[band]) > 1]
    rows = [
        row_of_noise(band, bands[band], model, options.counted_up)
        for band in tqdm(found, unit=" bands", file=sys.stderr)
    ]
    print_table(NOISE, rows)


def build_parser() -> argparse.ArgumentParser:
    """Return the command line: a subcommand a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    tables = parser.add_subparsers(dest="table", required=True)
    for name, run in (("results", print_results), ("estimates", print_estimates),
                      ("habits", print_habits), ("noise", print_noise)):  # fmt: skip
        table = tables.add_parser(name)
        table.set_defaults(run=run)
        if name == "habits":
            table.add_argument("--matches", nargs="+", type=Path, required=True, metavar="FILE")
            continue
        table.add_argument("--games", nargs="+", required=True, metavar="PATH")
        table.add_argument("--counted-up", action="store_true", help="28k in records is 2 kyu")
        if name == "estimates":
            table.add_argument("--each", type=int, default=11, help="players of a rank")
        if name == "noise":
            table.add_argument("--max-games", type=int, help="most games, from the first on")
            table.add_argument("--most", type=int, default=200, help="games of a band")
    return parser


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Read the games and print the table."""
    options = build_parser().parse_args(arguments)
    options.run(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
