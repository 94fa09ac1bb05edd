r"""Compare shown win rates and scores of positions with the results of the games.

    python -m scripts.check.outcome --games test-4400.tar.gz --max-games 400 --out FILE
    python -m scripts.check.outcome --own-games 40 --size 13 --playouts 48 400 \
        --moves 30 60 90 --out FILE

At some moves of every game, a search gives the probability that Black wins, and the margin. Both
are compared with the results. With several numbers of playouts, each search is looked at after each
of them, and ``make_tables calibration`` also learns from the longest look.

The script prints log loss and Brier score with standard errors. It prints the expected calibration
error (in ten bins), and the part that chance alone makes. It also prints how often the side that is
ahead won, and a reliability table. The last figure is how many of the counted games ended within
the score's interval.

Games are real ones with a result, or the engine's own, played for this with the first number of
playouts. Own games are played on to the count.

The searches' beliefs are kept. Shown values follow from them and from a calibration, so
--calibration FILE compares other tables on the same searches.
"""

import argparse
import math
import sys
import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from engine import (
    BLACK,
    RULESETS,
    Game,
    Knowledge,
    Player,
    PlayerOptions,
    SearchReport,
    YomiError,
)
from engine.arrays import Floats
from engine.belief.calibration import Calibration
from engine.belief.open_points import KINDS
from engine.belief.posterior import Evidence, posterior_of
from patterns_db.records.games import DecodedGame, GameReader
from patterns_db.records.replay import replay_moves
from patterns_db.search_tables.calibration_table import read_calibration
from patterns_db.search_tables.posterior_training import (
    rank_difference,
)
from patterns_db.shipped import CALIBRATION_TABLE, load_knowledge
from scripts.check.other_win_rates import OtherEngine
from scripts.kept_rows import KeptRows, Row
from scripts.reliability import HEADER, figures_of, print_reliability
from scripts.tables import TableRow, print_table

MOVES = (60, 120, 180)
KOMI = 7.5  # used where a record has none, and for own games
LONGEST = 3  # own games, in moves for every point


def searched(game: Game, report: SearchReport) -> Row | None:
    """Return a search's findings about a position, Black's; None: the position was counted."""
    if report.evidence is None:
        return None
    sign = 1 if game.to_play == BLACK else -1
    total = max(sum(move.playouts for move in report.moves), 1)
    won = sum(move.won * move.playouts for move in report.moves) / total
    evidence = report.evidence._asdict()
    evidence["kinds"] = [round(x, 4) for x in report.evidence.kinds]
    return {
        "moves": len(game.moves),
        "share": won if sign == 1 else 1.0 - won,
        "evidence": {k: round(v, 5) if isinstance(v, float) else v for k, v in evidence.items()},
    }


def evidence_of(row: Row) -> Evidence:
    """Return the evidence that was kept of a position."""
    kept = row["evidence"]
    return Evidence(**{**kept, "kinds": tuple(kept["kinds"])})


def new_player(playouts: int, seed: int, knowledge: Knowledge) -> Player:
    """Return a player that shows its beliefs, and never resigns: a margin needs a count."""
    options = PlayerOptions(playouts=playouts, threads=1, seed=seed, resign_percent=None)
    return Player(options, knowledge._replace(calibration=None))


def looks_at(game: Game, playouts: Sequence[int], seed: int, knowledge: Knowledge) -> Iterator[Row]:
    """Search a position as an analysis does; yield the findings after each number of playouts."""
    player, done = new_player(playouts[-1], seed, knowledge), 0
    for count in playouts:
        more = player.analyze(
            game, game.to_play, math.inf, threading.Event(), playouts=count - done
        )
        *_, report = more
        done = count
        if (found := searched(game, report)) is not None:
            yield {**found, "weight": 1.0 / len(playouts)}


def games_of(paths: Sequence[str], counted: bool, handicap: bool = False) -> Iterator[DecodedGame]:
    """Yield even games with a winner, or with a margin; or those with handicap stones instead."""
    for record in GameReader(paths):
        known = record.margin is not None if counted else record.winner != 0
        if known and (len(record.black) + len(record.white) > 0) == handicap:
            yield record


def judge_game(
    record: DecodedGame,
    options: argparse.Namespace,
    knowledge: Knowledge,
    other: OtherEngine | None,
) -> Iterator[Row]:
    """Yield the beliefs at some moves of a real game, and its result."""
    komi = KOMI if record.komi is None else record.komi
    for game in replay_moves(record, RULESETS["chinese"], komi):
        if len(game.moves) in options.moves:
            about: Row = {"game": record.source, "stronger": rank_difference(record.ranks)}
            if other is not None:
                about["other"] = other.black_win_rate(game)
                if about["other"] is None:
                    continue  # compared on the same positions only
            result = {"result": float(record.winner == BLACK), "counted": record.margin}
            for found in looks_at(game, options.playouts, 1, knowledge):
                yield {**about, **found, **result}


def play_game(seed: int, options: argparse.Namespace, knowledge: Knowledge) -> Iterator[Row]:
    """Play a game; yield the beliefs at some moves, and its result; nothing for a jigo."""
    player = new_player(options.playouts[0], seed, knowledge)
    game = Game(options.size, RULESETS["chinese"], KOMI)
    rows: list[Row] = []
    while game.passes < 2 and len(game.moves) < LONGEST * game.size**2:
        if len(game.moves) in options.moves:
            looks = looks_at(game, options.playouts, seed, knowledge)
            rows += [{"game": f"own {seed}", **found} for found in looks]
        game.play(game.to_play, player.choose(game, game.to_play).point)
    margin = player.final_score(game)
    if margin != 0.0:
        result = {"result": float(margin > 0.0), "counted": margin}
        yield from ({**row, **result} for row in rows)


class ShownValues(NamedTuple):
    """The shown values of some positions, from Black's side.

    win_rate  float64[n]
    end       float64[n], the middle of the interval of the final margin [points]
    likely    float64[n], half the interval's width
    """

    win_rate: Floats
    end: Floats
    likely: Floats


def shown(rows: Sequence[Row], calibration: Calibration) -> ShownValues:
    """Return the shown values for some findings."""
    found = [posterior_of(evidence_of(row), calibration) for row in rows]
    return ShownValues(
        np.array([posterior.chance() for posterior in found]),
        np.array([posterior.mean for posterior in found]),
        np.array([posterior.reach for posterior in found]),
    )


def print_win_rates(rows: Sequence[Row], found: ShownValues) -> None:
    """Print figures by number of moves and by source of the chances, then the reliability."""
    result = np.array([row["result"] for row in rows])
    moves, games = np.array([row["moves"] for row in rows]), np.array([row["game"] for row in rows])
    sources = {"roll-outs won": np.array([row["share"] for row in rows]), "shown": found.win_rate}
    if all("other" in row for row in rows):
        sources["other engine"] = np.array([row["other"] for row in rows])
    table: list[TableRow] = []
    even = np.array([row.get("stronger", 0.0) == 0.0 for row in rows])
    black = found.win_rate > 0.5
    groups = [(str(n), moves == n) for n in sorted(set(moves))]
    groups += [("all", np.ones(len(rows), bool)), ("Black ahead", black), ("White ahead", ~black)]
    groups += [("even ranks", even), ("even, Black", even & black), ("even, White", even & ~black)]
    for name, some in ((name, some) for name, some in groups if some.any()):
        for source, chance in sources.items():
            table.append([name, source, *figures_of(chance[some], result[some], games[some])])
    # Seen from the side that is ahead, the colors' luck in these games cancels out.
    ahead = found.win_rate > 0.5
    said = np.where(ahead, found.win_rate, 1.0 - found.win_rate)
    came = np.where(ahead, result, 1.0 - result)
    table.append(["all", "favorite", *figures_of(said, came, games)])
    print_table(("moves", "chances", *HEADER), table)
    print()
    print_reliability(found.win_rate, result)


def print_margins(rows: Sequence[Row], found: ShownValues) -> None:
    """Print how often the score's interval held the score, for counted games."""
    counted = np.array([row["counted"] is not None for row in rows])
    moves = np.array([row["moves"] for row in rows])
    margin = np.array([row["counted"] or 0.0 for row in rows])
    table: list[TableRow] = []
    for name, some in [*((str(n), moves == n) for n in sorted(set(moves))), ("all", counted)]:
        these = counted & some
        if these.any():
            error = margin[these] - found.end[these]
            held = float(np.mean(np.abs(error) <= found.likely[these]))
            deviation = float(np.sqrt(held * (1.0 - held) / these.sum()))
            width = float(found.likely[these].mean())
            rms = float(np.sqrt(np.mean(error**2)))
            table.append([name, int(these.sum()), held, deviation, width, rms])
    if table:
        print()
        print_table(("moves", "counted", "within 90 %", "+-", "half width", "error"), table)


def judged_rows(options: argparse.Namespace, knowledge: Knowledge, kept: KeptRows) -> None:
    """Search the positions that are still missing."""
    done = {row["game"] for row in kept.rows}
    other = OtherEngine(options.engine) if options.engine else None
    try:
        if options.own_games:
            for seed in tqdm(range(options.own_games), unit="game", file=sys.stderr):
                if f"own {seed}" not in done:
                    for row in play_game(seed, options, knowledge):
                        kept.add(row)
            return
        records = islice(
            games_of(options.games, options.counted), options.skip, options.skip + options.max_games
        )
        for record in tqdm(records, total=options.max_games, unit="game", file=sys.stderr):
            if record.source not in done:
                for row in judge_game(record, options, knowledge, other):
                    kept.add(row)
    finally:
        if other is not None:
            other.close()


def setting_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options that all positions of a file share."""
    setting: dict[str, Any] = {"playouts": options.playouts, "moves": options.moves, "kinds": KINDS}
    if options.own_games:
        return {**setting, "own": options.size}
    games = [Path(path).name for path in options.games]
    setting |= {"games": games, "skip": options.skip, "counted": options.counted}
    return {**setting, "engine": options.engine} if options.engine else setting


def build_parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    games = parser.add_mutually_exclusive_group(required=True)
    games.add_argument("--games", nargs="+", metavar="PATH")
    games.add_argument("--own-games", type=int, metavar="N", help="play own games instead")
    parser.add_argument("--size", type=int, default=9, help="of the board, for own games")
    parser.add_argument("--max-games", type=int, default=60, help="most games with a result")
    parser.add_argument("--skip", type=int, default=0, help="games to skip first")
    parser.add_argument("--counted", action="store_true", help="only games that were counted")
    parser.add_argument("--moves", nargs="+", type=int, default=list(MOVES), metavar="N")
    parser.add_argument(
        "--playouts", nargs="+", type=int, default=[400], help="looks at each search, rising"
    )
    parser.add_argument(
        "--engine", metavar="COMMAND", help="Pachi, for its win rate of the same positions"
    )
    parser.add_argument("--calibration", type=Path, default=CALIBRATION_TABLE, metavar="FILE")
    parser.add_argument("--out", type=Path, required=True, help="the positions, a line each")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Search the positions that are still missing, then print the figures."""
    options = build_parser().parse_args(arguments)
    try:
        calibration = read_calibration(options.calibration)
        kept = KeptRows(options.out, setting_of(options), "positions")
        judged_rows(options, load_knowledge(), kept)
    except YomiError as error:
        print(f"outcome: {error}", file=sys.stderr)
        return 2
    for count in options.playouts:
        rows = [r for r in kept.rows if r["evidence"]["rollouts"] == count]
        if rows:
            print(f"{count} playouts")
            found = shown(rows, calibration)
            print_win_rates(rows, found)
            print_margins(rows, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
