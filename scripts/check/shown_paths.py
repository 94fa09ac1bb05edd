"""Compare what clients are shown along whole games: how far do two seeds differ?

    python -m scripts.check.shown_paths --games test-4400.tar.gz --skip 3600 --max-games 6 \
        --visits 100 --out FILE

A client of ``yomi analysis`` asks for all turns of a game in one query ("together"), or for one
turn after the other ("in turn"). Positions of one game inform each other there. With
``--independent`` each one stands alone. Every game is asked with two seeds in each of these ways.

The script prints root mean square differences between the seeds, of the lead and of the win rate.
It also prints the mean absolute change from turn to turn. With --judge "katago gtp -model NET
-config CONFIG" it also prints this change for quiet turns: those where the judge's win rate changes
by less than QUIET. The same command continues a run that was stopped.
"""

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from tqdm import tqdm

from engine import BLACK, YomiError, format_vertex
from engine.errors import BadSetup
from patterns_db.records.games import DecodedGame
from scripts.check.judge import (
    KOMI,
    WIN_RATE,
    KataGoJudge,
    add_judge,
    even_games,
    open_judge,
    positions_of,
)
from scripts.game_options import games_parser
from scripts.kept_rows import KeptRows, Row
from scripts.tables import TableRow, print_table

SEEDS = (1, 2)
TOGETHER, IN_TURN, ALONE = "together", "in turn", "alone"
QUIET = 0.03  # change of the judge's win rate
HEADER = ("asked", "positions", "seeds lead", "seeds win rate", "change of lead", "of win rate")
QUIET_HEADER = ("asked", "quiet turns", "change of lead", "of win rate")


def queries_of(record: DecodedGame, turns: Sequence[int], visits: int, way: str) -> str:
    """Return the lines that ask for some turns of a game."""
    moves = [
        ["B" if color == BLACK else "W", format_vertex(int(point))]
        for color, point in zip(record.colors, record.moves, strict=True)
    ]
    query = {"moves": moves, "rules": "chinese", "boardXSize": record.size, "maxVisits": visits}
    query |= {"boardYSize": record.size, "komi": KOMI if record.komi is None else record.komi}
    asked = [list(turns)] if way == TOGETHER else [[turn] for turn in turns]
    lines = [{**query, "id": str(n), "analyzeTurns": part} for n, part in enumerate(asked)]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def answers_to(program: str, lines: str, seed: int, way: str) -> list[list[float]]:
    """Return Black's lead and win rate in each turn, as a program of ``yomi analysis`` says."""
    command = [*shlex.split(program), "--seed", str(seed), "--concurrency", "1"]
    command += ["--independent"] if way == ALONE else []
    try:
        run = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
        found = [json.loads(line) for line in run.stdout.splitlines()]
        shown = sorted((line["turnNumber"], line["rootInfo"]) for line in found)
    except (OSError, subprocess.CalledProcessError, ValueError, KeyError) as error:
        raise BadSetup(f"{program}: no usable answers ({error})") from error
    return [[info["scoreLead"], info["winrate"]] for _, info in shown]


def judged_win_rates(record: DecodedGame, turns: range, judge: KataGoJudge) -> list[float]:
    """Return Black's chance to win in each turn, as a judge says."""
    games = [game.copy() for game in positions_of(record) if len(game.moves) in turns]
    rates = judge.course(games, WIN_RATE)
    return [
        rate if game.to_play == BLACK else 1.0 - rate
        for game, rate in zip(games, rates, strict=True)
    ]


def rows_of(
    record: DecodedGame, options: argparse.Namespace, judge: KataGoJudge | None, done: list[Row]
) -> Iterator[Row]:
    """Yield what is shown of a game when asked in each way, and the judge's answers.

    done  the game's rows that exist already
    """
    turns = range(options.first, min(options.last, len(record.moves)))
    missing = [way for way in options.ways if all(row["way"] != way for row in done)]
    judged = done[0]["judged"] if done else None
    if missing and judge is not None and judged is None:
        judged = judged_win_rates(record, turns, judge)
    for way in missing:
        lines = queries_of(record, turns, options.visits, way)
        shown = [answers_to(options.program, lines, seed, way) for seed in SEEDS]
        yield {"game": record.source, "way": way, "shown": shown, "judged": judged}


def print_paths(rows: Sequence[Row]) -> None:
    """Print the differences for each way of asking."""
    table: list[TableRow] = []
    quiet_table: list[TableRow] = []
    for way in dict.fromkeys(row["way"] for row in rows):
        some = [row for row in rows if row["way"] == way]
        games = [np.array(row["shown"]) for row in some]  # seeds, turns, (lead, win rate)
        apart = np.concatenate([game[0] - game[1] for game in games])
        steps = [np.abs(np.diff(game, axis=1)) for game in games]
        seeds = np.sqrt(np.mean(apart**2, axis=0))
        change = np.concatenate([of_game[0] for of_game in steps]).mean(axis=0)
        table.append([way, len(apart), *map(float, seeds), *map(float, change)])
        if all(row["judged"] is not None for row in some):
            quiet = [np.abs(np.diff(row["judged"])) < QUIET for row in some]
            parts = [of_game[:, part] for of_game, part in zip(steps, quiet, strict=True)]
            kept = np.concatenate(parts, axis=1)
            quiet_table.append([way, kept.shape[1], *map(float, kept.mean(axis=(0, 1)))])
    print_table(HEADER, table)
    if quiet_table:
        print_table(QUIET_HEADER, quiet_table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask for the games that are missing, then print the figures."""
    parser = games_parser(__doc__)
    parser.add_argument("--skip", type=int, default=0, help="games with a result to skip first")
    parser.add_argument("--first", type=int, default=30, help="earliest turn")
    parser.add_argument("--last", type=int, default=181, help="no turn from here on")
    parser.add_argument("--max-games", type=int, default=6)
    parser.add_argument("--visits", type=int, default=100)
    parser.add_argument("--program", default="yomi analysis", metavar="COMMAND")
    add_judge(parser, required=False)
    parser.add_argument(
        "--ways", nargs="+", default=[TOGETHER, IN_TURN, ALONE], choices=(TOGETHER, IN_TURN, ALONE)
    )
    parser.add_argument("--out", type=Path, required=True, help="what was shown, a line each")
    options = parser.parse_args(arguments)
    named = ("games", "skip", "first", "last", "visits", "program", "judge", "ways")
    try:
        kept = KeptRows(options.out, {name: getattr(options, name) for name in named})
        records = islice(even_games(options.games, False), options.skip, None)
        todo = islice(records, options.max_games)
        with open_judge(options.judge) as judge:
            for record in tqdm(todo, total=options.max_games, unit="game", file=sys.stderr):
                done = [row for row in kept.rows if row["game"] == record.source]
                for row in rows_of(record, options, judge, done):
                    kept.add(row)
    except (YomiError, OSError) as error:
        print(f"shown_paths: {error}", file=sys.stderr)
        return 2
    if kept.rows:
        print_paths(kept.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
