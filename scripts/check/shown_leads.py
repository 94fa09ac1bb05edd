r"""Compare shown leads and win probabilities with a strong judge and with each other.

    python -m scripts.check.shown_leads --games test-4400.tar.gz --skip 1500 --positions 300 \
        --playouts 100 400 1000 --judge "katago gtp -model NET -config CONFIG" --out FILE

One position of each game, at a random move, is searched with each number of playouts and with two
seeds, as in an analysis. A program that knows KataGo's ``kata-search_analyze`` gives the lead.

The script prints figures for each number of playouts. They are the root mean square error of the
lead beside that of saying 0, by phase. Then it prints how often the lead and the chance to win are
on the judge's side, and how often they contradict each other. Last come the difference between two
seeds, and the chances against the results, for each color apart. The log loss of the judge's own
lead, seen through the best slope, is a bound. The judge only measures: yomi learns nothing from it.

The searches' findings are kept. --calibration FILE compares other tables with them. The same
command continues a run that was stopped.
"""

import argparse
import math
import sys
import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from tqdm import tqdm

from engine import BLACK, RULESETS, Game, Knowledge, Player, PlayerOptions, YomiError
from engine.arrays import Floats
from engine.belief.posterior import NORMAL, Posterior, posterior_of
from patterns_db.records.games import DecodedGame
from patterns_db.records.replay import replay_moves
from patterns_db.search_tables.calibration_table import read_calibration
from patterns_db.search_tables.posterior_training import (
    rank_difference,
)
from patterns_db.shipped import CALIBRATION_TABLE, load_knowledge
from scripts.check.outcome import KOMI, evidence_of, games_of, searched
from scripts.check.points_lost import KataGoJudge
from scripts.game_options import games_parser
from scripts.kept_rows import KeptRows, Row
from scripts.reliability import calibration_error, log_losses
from scripts.tables import TableRow, print_table

SEEDS = (1, 2)
PARTS = 10  # of the positions: each one gets the slope that suits the others best
SLOPES = np.geomspace(0.01, 3.0, 60).tolist()
PHASES = (
    ("all", 0, 999),
    ("to 59", 0, 60),
    ("to 89", 0, 90),
    ("90-129", 90, 130),
    ("130-", 130, 999),
)


def positions_of(options: argparse.Namespace) -> Iterator[tuple[DecodedGame, Game]]:
    """Yield one position of each game that is long enough, with the game's record."""
    records = games_of(options.games, counted=False, handicap=options.handicap)
    # Under these rules, as in most of the records, White gets no points for handicap stones.
    rules = RULESETS["new-zealand" if options.handicap else "chinese"]
    random = np.random.default_rng(options.seed)
    for record in islice(records, options.skip, None):
        wanted = int(random.integers(options.first, options.last))
        komi = KOMI if record.komi is None else record.komi
        for game in replay_moves(record, rules, komi):
            if len(game.moves) == wanted < len(record.moves):
                yield record, game.copy()


def look_at(
    record: DecodedGame,
    game: Game,
    playouts: Sequence[int],
    knowledge: Knowledge,
    judge: KataGoJudge,
) -> Row:
    """Return the saved row of a position: the searches' findings and the judge's lead, Black's."""
    looks = []
    for count in playouts:
        for seed in SEEDS:
            player = Player(PlayerOptions(playouts=count, threads=1, seed=seed), knowledge)
            never = threading.Event()
            *_, report = player.analyze(game, game.to_play, math.inf, never, playouts=count)
            if (found := searched(game, report)) is not None:
                looks.append({"playouts": count, "seed": seed, "evidence": found["evidence"]})
    lead, _ = judge.leads(game, ())
    return {
        "game": record.source,
        "moves": len(game.moves),
        "lead": lead if game.to_play == BLACK else -lead,
        "result": float(record.winner == BLACK),
        "stronger": rank_difference(record.ranks),
        "looks": looks,
    }


def found_with(rows: Sequence[Row], playouts: int, seed: int, calibration: Path) -> list[Posterior]:
    """Return the posterior of each position, after a number of playouts."""
    table = read_calibration(calibration)
    return [
        posterior_of(evidence_of(look), table)
        for row in rows
        for look in row["looks"]
        if (look["playouts"], look["seed"]) == (playouts, seed)
    ]


def rms(values: Floats) -> float:
    """Return the root mean square."""
    return float(np.sqrt(np.mean(values**2))) if len(values) else 0.0


def print_leads(rows: Sequence[Row], playouts: Sequence[int], calibration: Path) -> None:
    """Print errors of the lead by phase, sides, contradictions, and the difference of two seeds."""
    judged = np.array([row["lead"] for row in rows])
    moves = np.array([row["moves"] for row in rows])
    errors: list[TableRow] = []
    sides: list[TableRow] = []
    for count in playouts:
        one, other = (found_with(rows, count, seed, calibration) for seed in SEEDS)
        leads, rates = (np.array([value(p) for p in one]) for value in (_mean, _chance))
        for name, low, high in PHASES:
            part = (moves >= low) & (moves < high)
            error, zero = rms((leads - judged)[part]), rms(judged[part])
            errors.append([count, name, int(part.sum()), error, zero, error / max(zero, 1e-9)])
        contradictions = int(np.sum((leads > 0.0) != (rates > 0.5)))
        sides.append(
            [
                count,
                float(np.mean((leads > 0.0) == (judged > 0.0))),
                float(np.mean((rates > 0.5) == (judged > 0.0))),
                contradictions,
                rms(leads - [_mean(p) for p in other]),
                rms(rates - [_chance(p) for p in other]),
            ]
        )
    print_table(("playouts", "moves", "n", "error", "saying 0", "ratio"), errors)
    print()
    header = ("playouts", "lead right", "chance right", "contradict", "seeds lead", "seeds chance")
    print_table(header, sides)


def print_chances(rows: Sequence[Row], playouts: Sequence[int], calibration: Path) -> None:
    """Print the chances to win against results, of all games and of even ranks."""
    result = np.array([row["result"] for row in rows])
    even = np.array([row["stronger"] == 0.0 for row in rows])
    table: list[TableRow] = []
    for count in playouts:
        chances = np.array([_chance(p) for p in found_with(rows, count, SEEDS[0], calibration)])
        for name, some in (("all", np.ones(len(rows), bool)), ("even ranks", even)):
            ahead = chances > 0.5
            table.append(
                [count, name, int(some.sum()), float(log_losses(chances, result)[some].mean())]
                + [
                    calibration_error(chances[part], result[part])
                    for part in (some, some & ahead, some & ~ahead)
                ]
            )
    print()
    print_table(("playouts", "games", "n", "log loss", "error", "Black ahead", "White"), table)


def mapped_loss(values: Floats, result: Floats) -> float:
    """Return the log loss of Phi(slope * value), with each slope learned from other positions.

    values  float64[n], > 0 where Black is ahead; result: float64[n], 1 Black won, 0 White
    """
    signed = np.where(result > 0.5, values, -values)
    chances = [[NORMAL.cdf(slope * value) for value in signed.tolist()] for slope in SLOPES]
    losses = log_losses(np.array(chances), np.ones(len(values)))
    total, part = 0.0, np.arange(len(values)) % PARTS
    for number in range(PARTS):
        best = losses[:, part != number].sum(axis=1).argmin()
        total += float(losses[best, part == number].sum())
    return total / len(values)


def print_mapped(rows: Sequence[Row], playouts: Sequence[int], calibration: Path) -> None:
    """Print the log losses that the best slope of the judge's lead and of ours would have."""
    result = np.array([row["result"] for row in rows])
    judged = np.array([row["lead"] for row in rows])
    sources = {"judge": np.sign(judged) * np.sqrt(np.abs(judged))}
    for count in playouts:
        found = found_with(rows, count, SEEDS[0], calibration)
        sources[str(count)] = np.array([NORMAL.inv_cdf(_chance(p)) for p in found])
    print()
    table = [[name, mapped_loss(values, result)] for name, values in sources.items()]
    print_table(("source", "log loss, best slope"), table)


def _mean(posterior: Posterior) -> float:
    return posterior.mean


def _chance(posterior: Posterior) -> float:
    return posterior.chance()


def positions_parser(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser of the options that name positions of games.

    doc  docstring of the script; its first line is the description
    """
    parser = games_parser(doc)
    parser.add_argument("--skip", type=int, default=0, help="games with a result to skip first")
    parser.add_argument("--first", type=int, default=30, help="earliest move")
    parser.add_argument("--last", type=int, default=181, help="no move from here on")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Search and judge the missing positions, then print the figures."""
    parser = positions_parser(__doc__)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--playouts", type=int, nargs="+", default=[100, 400, 1000])
    parser.add_argument("--judge", required=True, metavar="COMMAND", help="GTP, knows KataGo's")
    parser.add_argument(
        "--handicap", action="store_true", help="games with handicap stones instead of even ones"
    )
    parser.add_argument("--calibration", type=Path, default=CALIBRATION_TABLE, metavar="FILE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="the positions, a line each")
    options = parser.parse_args(arguments)
    named = ("games", "skip", "first", "last", "playouts", "judge", "seed", "handicap")
    judge = None
    try:
        kept = KeptRows(options.out, {name: getattr(options, name) for name in named}, "positions")
        missing = options.positions - len(kept.rows)
        if missing > 0:
            knowledge, judge = load_knowledge(), KataGoJudge(options.judge)
            todo = islice(positions_of(options), len(kept.rows), len(kept.rows) + missing)
            for record, game in tqdm(todo, total=missing, unit="position", file=sys.stderr):
                kept.add(look_at(record, game, options.playouts, knowledge, judge))
        if kept.rows:
            rows = [r for r in kept.rows if len(r["looks"]) == len(SEEDS) * len(options.playouts)]
            print_leads(rows, options.playouts, options.calibration)
            print_chances(rows, options.playouts, options.calibration)
            print_mapped(rows, options.playouts, options.calibration)
    except (YomiError, OSError) as error:
        print(f"shown_leads: {error}", file=sys.stderr)
        return 2
    finally:
        if judge is not None:
            judge.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
