r"""Compare shown leads and chances to win with results of games, and with a strong judge.

    python -m scripts.check.leads --games test-4400.tar.gz --skip 2600 --positions 300 \
        --playouts 100 400 --seeds 1 2 --judge "katago gtp -model NET -config CONFIG" --out FILE
    python -m scripts.check.leads --own-games 40 --size 13 --moves 30 60 90 --out FILE

A position of each game, at a random move or at some ``--moves``, is searched as in an analysis,
once with each seed. Each search is looked at after each number of playouts. Own games are played
for this, with the first number of playouts, to the count.

For results the script prints log loss, Brier score and calibration error with the part that chance
alone makes, and a reliability table. With a judge it prints, by phase, the root mean square error
of the lead beside that of saying 0, how often the shown interval held the judge's lead, and its
mean half width. Then come how often lead and chance are on the judge's side, and the difference
between two seeds. The log loss of the judge's own lead, seen through the best slope, is a bound.

The searches' findings are kept. ``--calibration FILE`` compares other tables with them, and
``make_tables calibration`` and ``make_tables reach`` learn from them. The same command continues a
run that was stopped.
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

from engine import BLACK, RULESETS, Game, Knowledge, Player, PlayerOptions
from engine.arrays import Floats
from engine.belief.calibration import Calibration
from engine.belief.open_points import KINDS
from engine.belief.posterior import NORMAL, Evidence, Posterior, posterior_of
from patterns_db.search_tables.calibration_table import read_calibration
from patterns_db.search_tables.posterior_training import rank_difference
from patterns_db.shipped import CALIBRATION_TABLE, load_knowledge
from scripts.check.judge import KOMI, KataGoJudge, add_judge, even_games, open_judge, positions_of
from scripts.failures import reported
from scripts.kept_rows import KeptRows, Row
from scripts.reliability import HEADER, figures_of, log_losses, print_reliability, rms
from scripts.tables import TableRow, print_table

# Shares of the board's points in moves: on 19x19 moves 54, 90 and 130, on 9x9 moves 12, 20 and 29.
PHASES = {"all": (0.0, 9.0), "to 0.15": (0.0, 0.15), "to 0.25": (0.15, 0.25),
          "to 0.36": (0.25, 0.36), "later": (0.36, 9.0)}  # fmt: skip
LONGEST = 3  # own games, in moves for every point
PARTS = 10  # of the positions: each one gets the slope that suits the others best
SLOPES = np.geomspace(0.01, 3.0, 60).tolist()
SETTING = ("games", "own_games", "size", "skip", "counted", "handicap", "moves", "between",
           "playouts", "seeds", "judge", "positions_seed")  # fmt: skip

SampledPosition = tuple[Row, Game]
"""What is known of a position: game, moves, stronger, result, counted; and the position."""


def evidence_of(row: Row) -> Evidence:
    """Return the evidence that was kept of a position."""
    kept = row["evidence"]
    return Evidence(**{**kept, "kinds": tuple(kept["kinds"])})


def sampled(options: argparse.Namespace) -> Iterator[SampledPosition]:
    """Yield the positions of real games."""
    # Under these rules, as in most of the records, White gets no points for handicap stones.
    rules = "new-zealand" if options.handicap else "chinese"
    random = np.random.default_rng(options.positions_seed)
    records = even_games(options.games, options.counted, options.handicap)
    for record in islice(records, options.skip, None):
        wanted = options.moves or [int(random.integers(*options.between))]
        about = {"game": record.source, "stronger": rank_difference(record.ranks)}
        result = {"result": float(record.winner == BLACK), "counted": record.margin}
        for game in positions_of(record, rules):
            if len(game.moves) in wanted and len(game.moves) < len(record.moves):
                yield {**about, "moves": len(game.moves), **result}, game.copy()


def played(options: argparse.Namespace, knowledge: Knowledge) -> Iterator[SampledPosition]:
    """Yield the positions of own games, each game's when it has ended; none of a jigo."""
    for seed in range(options.own_games):
        player = new_player(options.playouts[0], seed, knowledge)
        game = Game(options.size, RULESETS["chinese"], KOMI)
        found = []
        while game.passes < 2 and len(game.moves) < LONGEST * game.size**2:
            found += [game.copy()] if len(game.moves) in options.moves else []
            game.play(game.to_play, player.choose(game, game.to_play).point)
        margin = player.final_score(game)
        result = {"stronger": 0.0, "result": float(margin > 0.0), "counted": margin}
        for position in found if margin else ():
            yield {"game": f"own {seed}", "moves": len(position.moves), **result}, position


def new_player(playouts: int, seed: int, knowledge: Knowledge) -> Player:
    """Return a player that shows its beliefs, and never resigns: a margin needs a count."""
    options = PlayerOptions(playouts=playouts, threads=1, seed=seed, resign_percent=None)
    return Player(options, knowledge._replace(calibration=None))


def looks_at(game: Game, playouts: Sequence[int], seed: int, knowledge: Knowledge) -> Iterator[Row]:
    """Search a position; yield the evidence after each number of playouts, if it is searched."""
    player, done = new_player(playouts[-1], seed, knowledge), 0
    for count in playouts:
        never = threading.Event()
        more = player.analyze(game, game.to_play, math.inf, never, playouts=count - done)
        *_, report = more
        done = count
        if report.evidence is None:  # the position was counted
            continue
        evidence = {
            name: round(value, 5) if isinstance(value, float) else value
            for name, value in report.evidence._asdict().items()
        }
        evidence["kinds"] = [round(x, 4) for x in report.evidence.kinds]
        yield {"seed": seed, "weight": 1.0 / len(playouts), "evidence": evidence}


def search_missing(options: argparse.Namespace, kept: KeptRows, judge: KataGoJudge | None) -> None:
    """Search and judge the positions that are still missing."""
    knowledge = load_knowledge()
    done = {(row["game"], row["moves"]) for row in kept.rows}
    found = played(options, knowledge) if options.own_games else sampled(options)
    todo = tqdm(islice(found, options.positions), unit="position", file=sys.stderr)
    for about, game in todo:
        if (about["game"], about["moves"]) not in done:
            looks = [
                look
                for seed in options.seeds
                for look in looks_at(game, options.playouts, seed, knowledge)
            ]
            if looks and judge is not None:
                about["lead"] = judge.lead(game)
            kept.rows += [{**about, **look} for look in looks]
            kept.save()


def print_winners(rows: Sequence[Row], found: Sequence[Posterior]) -> None:
    """Print figures of the chances to win against the results, by color and ranks."""
    chance = np.array([posterior.chance() for posterior in found])
    result = np.array([row["result"] for row in rows])
    games = np.array([row["game"] for row in rows])
    even = np.array([row["stronger"] == 0.0 for row in rows])
    black, every = chance > 0.5, np.ones(len(rows), bool)
    groups = {"all": every, "Black ahead": black, "White ahead": ~black, "even ranks": even,
              "even, Black": even & black, "even, White": even & ~black}  # fmt: skip
    table: list[TableRow] = [
        [name, *figures_of(chance[some], result[some], games[some])]
        for name, some in groups.items()
        if some.any()
    ]
    print_table(("positions", *HEADER), table)
    print_reliability(chance, result)


def print_leads(rows: Sequence[Row], looks: Sequence[Sequence[Posterior]]) -> None:
    """Print errors of the lead by phase, sides, and the difference of two seeds.

    rows   of the first seed; looks: of each seed, in the same order
    """
    judged = np.array([row["lead"] for row in rows])
    shares = np.array([row["moves"] / row["evidence"]["size"] ** 2 for row in rows])
    reaches = np.array([posterior.reach for posterior in looks[0]])
    means = [np.array([posterior.mean for posterior in found]) for found in looks]
    chance = np.array([posterior.chance() for posterior in looks[0]])
    errors: list[TableRow] = []
    for name, (low, high) in PHASES.items():
        part = (shares >= low) & (shares < high)
        if part.any():
            error, zero = rms((means[0] - judged)[part]), rms(judged[part])
            held = float(np.mean(np.abs(means[0] - judged)[part] <= reaches[part]))
            width = float(reaches[part].mean())
            row = [name, int(part.sum()), error, zero, error / max(zero, 1e-9), held, width]
            errors.append(row)
    header = ("moves a point", "n", "error of lead", "saying 0", "ratio", "held", "half width")
    print_table(header, errors)
    seeds = rms(means[0] - means[1]) if len(means) > 1 else 0.0
    right = [float(np.mean(ours == (judged > 0.0))) for ours in (means[0] > 0.0, chance > 0.5)]
    result = np.array([row["result"] for row in rows])
    bound = mapped_loss(np.sign(judged) * np.sqrt(np.abs(judged)), result)
    header = ("lead right", "chance right", "seeds lead", "judge's log loss, best slope")
    print_table(header, [[*right, seeds, bound]])


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


def print_all(options: argparse.Namespace, rows: Sequence[Row], calibration: Calibration) -> None:
    """Print the tables for each number of playouts."""
    for count in options.playouts:
        some = {
            (row["game"], row["moves"], row["seed"]): row
            for row in rows
            if row["evidence"]["rollouts"] == count
        }
        places = [place for *place, seed in some if seed == options.seeds[0]]
        # A search of one seed may find that all is settled; then there is nothing to compare.
        places = [p for p in places if all((*p, seed) in some for seed in options.seeds)]
        seeds = [[some[*place, seed] for place in places] for seed in options.seeds]
        looks = [[posterior_of(evidence_of(row), calibration) for row in part] for part in seeds]
        if places:
            print(f"{count} playouts")
            print_winners(seeds[0], looks[0])
            if "lead" in seeds[0][0]:
                print_leads(seeds[0], looks)


def build_parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    games = parser.add_mutually_exclusive_group(required=True)
    games.add_argument("--games", nargs="+", metavar="PATH")
    games.add_argument("--own-games", type=int, metavar="N", help="play own games instead")
    parser.add_argument("--size", type=int, default=9, help="of the board, for own games")
    parser.add_argument("--skip", type=int, default=0, help="games with a result to skip first")
    parser.add_argument("--counted", action="store_true", help="only games that were counted")
    parser.add_argument("--handicap", action="store_true", help="games with handicap stones only")
    parser.add_argument("--moves", nargs="+", type=int, default=[], metavar="N")
    parser.add_argument("--between", nargs=2, type=int, default=[30, 181], metavar="N")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--playouts", type=int, nargs="+", default=[400], help="rising")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1], help="of the searches")
    parser.add_argument("--positions-seed", type=int, default=1)
    parser.add_argument("--calibration", type=Path, default=CALIBRATION_TABLE, metavar="FILE")
    parser.add_argument("--out", type=Path, help="the searches, a line each")
    add_judge(parser, required=False)
    return parser


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Search the positions that are still missing, then print the figures."""
    options = build_parser().parse_args(arguments)
    setting = {name: getattr(options, name) for name in SETTING} | {"kinds": KINDS}
    calibration = read_calibration(options.calibration)
    kept = KeptRows(options.out, setting, "positions")
    with open_judge(options.judge) as judge:
        search_missing(options, kept, judge)
    print_all(options, kept.rows, calibration)
    return 0


if __name__ == "__main__":
    sys.exit(main())
