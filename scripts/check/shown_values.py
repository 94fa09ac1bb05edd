r"""Compare the shown values of a short search's moves with a search 16 times as long.

    python -m scripts.check.shown_values --games train-9x9.tar.gz --positions 200 \
        --playouts 100 400 1600 --out FILE

With several numbers of roll-outs, one search a position is looked at after each of them.

The script prints P(best): how often the long search chose a move of a given chance, for the best
move and for all. The searches' beliefs are kept: ``make_tables calibration`` learns from them.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from math import hypot
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from engine import RULESETS, Game, Player, PlayerOptions
from engine.arrays import Floats
from engine.belief.best_move import chances_to_be_best, choice_features, exponents_of
from engine.belief.calibration import Calibration, features_of
from engine.belief.root_moves import occupied_share
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.replay import replay_moves
from patterns_db.search_tables.calibrating import JudgedChoice, JudgedGap, Situation
from patterns_db.search_tables.calibration_table import read_calibration
from patterns_db.shipped import CALIBRATION_TABLE, load_knowledge
from scripts.failures import reported
from scripts.game_options import games_parser
from scripts.kept_rows import KeptRows, Row
from scripts.reliability import HEADER, figures_of, print_reliability
from scripts.tables import TableRow, print_table

SHARES = (0.15, 0.3, 0.45, 0.6, 0.8)  # shares of a game's moves before its position, in turn
LONGER = 16
JUDGED = 150  # least roll-outs of the long search by which it judges a move


def position_of(record: DecodedGame, share: float) -> Game:
    """Return a game's position after a share of its moves."""
    games = replay_moves(record, RULESETS["chinese"], 7.5)
    *_, game = islice(games, int(len(record.moves) * share) + 1)
    return game


class MoveLook(NamedTuple):
    """A search's belief about a move, as in ``MoveBelief``."""

    point: int
    playouts: int
    won: float
    won_by: float
    win_rate: float
    value: float
    deviation: float
    margin: float
    margin_deviation: float
    prior: float


def looks_at(game: Game, numbers: Sequence[int]) -> Row | None:
    """Search a position and look at its beliefs; None where no search is needed.

    numbers  of roll-outs; looked at after each, and after LONGER times as many
    """
    options = PlayerOptions(threads=1, seed=1, tactics=False, sums=False)
    player = Player(options, load_knowledge()._replace(calibration=None))
    looks: dict[str, list[list[float]]] = {}
    done = 0
    for number in sorted({*numbers, *(LONGER * number for number in numbers)}):
        # The same tree: the question is the search's later opinion if it goes on.
        player.options = replace(options, playouts=number - done)
        done = number
        *_, report = player.deliberate(game, game.to_play)
        if len(report.moves) < 2:
            return None
        looks[str(number)] = [
            [getattr(move, name) for name in MoveLook._fields] for move in report.moves
        ]
    return {
        "size": game.size,
        "moves": len(game.moves),
        "occupied": round(occupied_share(game.board), 4),
        "looks": looks,
    }


class Looks(NamedTuple):
    """One position, looked at twice; both looks begin with the move that would be played."""

    situation: Situation
    short: list[MoveLook]
    long: dict[int, MoveLook]
    chosen: int

    @property
    def features(self) -> Floats:
        """Return the evidence for P(best)."""
        values, deviations, visits, priors = (
            np.array([getattr(move, name) for move in self.short])
            for name in ("value", "deviation", "playouts", "prior")
        )
        return choice_features(values, deviations, visits, priors)


def read_looks(kept: Sequence[Row]) -> list[Looks]:
    """Return the positions of a file, once for each number of roll-outs that is judged."""
    found = []
    for row in kept:
        for number, short in row["looks"].items():
            if judge := row["looks"].get(str(LONGER * int(number))):
                long = [MoveLook(*look) for look in judge]
                found.append(
                    Looks(
                        Situation(row["size"], row["occupied"], int(number)),
                        [MoveLook(*look) for look in short],
                        {look.point: look for look in long},
                        long[0].point,
                    )
                )
    return found


def choices_of(found: Sequence[Looks]) -> list[JudgedChoice]:
    """Return the long searches' choices, by their place in the short ones."""
    choices = []
    for looks in found:
        points = [move.point for move in looks.short]
        if looks.chosen in points:
            chosen = points.index(looks.chosen)
            choices.append(JudgedChoice(looks.situation, looks.features, chosen))
    return choices


def gaps_of(found: Sequence[Looks]) -> list[JudgedGap]:
    """Return the differences between the best move and others that the long search judges."""
    gaps = []
    for looks in found:
        best, *others = looks.short
        for move in others:
            judges = [looks.long.get(point) for point in (best.point, move.point)]
            if all(judge is not None and judge.playouts >= JUDGED for judge in judges):
                one, two = (judge for judge in judges if judge is not None)
                deviation = hypot(best.margin_deviation, move.margin_deviation)
                # As shown, no move is better than the best one, see none_above_the_best.
                difference = max(best.margin - move.margin, 0.0)
                judged = one.won_by - two.won_by
                gaps.append(JudgedGap(looks.situation, difference, deviation, judged))
    return gaps


def print_best(found: Sequence[Looks], calibration: Calibration) -> None:
    """Print how often moves were the best, beside P(best)."""
    first, first_true, said, true, groups = [], [], [], [], []
    for number, looks in enumerate(found):
        exponents = exponents_of(calibration.choice, features_of(*looks.situation))
        chances = chances_to_be_best(looks.features, exponents)
        first.append(chances[0])
        first_true.append(looks.short[0].point == looks.chosen)
        said += chances.tolist()
        true += [move.point == looks.chosen for move in looks.short]
        groups += [str(number)] * len(chances)
    names = [str(number) for number in range(len(found))]
    chance, result = np.array(said), np.array(true, np.float64)
    rows: list[TableRow] = [
        ["best", *figures_of(np.array(first), np.array(first_true, np.float64), names)],
        ["all", *figures_of(chance, result, groups)],
    ]
    print_table(("P(best) of", *HEADER), rows)
    print_reliability(chance, result)


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Search the positions that are still missing, then print the tables."""
    parser = games_parser(__doc__)
    parser.add_argument("--positions", type=int, default=60, help="most positions, one a game")
    parser.add_argument("--skip", type=int, default=0, help="games to skip first")
    parser.add_argument(
        "--playouts", nargs="+", type=int, default=[150], metavar="N", help="of the short searches"
    )
    parser.add_argument("--out", type=Path, help="the positions, a line each")
    options = parser.parse_args(arguments)
    calibration = read_calibration(CALIBRATION_TABLE)
    names = [Path(path).name for path in options.games]
    setting = {"playouts": options.playouts, "games": names, "skip": options.skip}
    kept = KeptRows(options.out, setting, "positions")
    done = {row["game"] for row in kept.rows}
    records = islice(GameReader(options.games), options.skip, options.skip + options.positions)
    bar = tqdm(records, total=options.positions, unit="position", file=sys.stderr)
    for number, record in enumerate(bar):
        if record.source not in done:
            game = position_of(record, SHARES[number % len(SHARES)])
            looks = looks_at(game, options.playouts)
            if looks is not None:
                kept.add({"game": record.source, **looks})
    every = read_looks(kept.rows)
    for playouts in options.playouts:
        found = [looks for looks in every if looks.situation.playouts == playouts]
        if found:
            print(f"{playouts} roll-outs, judged by {LONGER * playouts}:")
            print_best(found, calibration)
    return 0


if __name__ == "__main__":
    sys.exit(main())
