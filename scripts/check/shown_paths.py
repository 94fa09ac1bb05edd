"""Compare what clients are shown along whole games: how far do two seeds differ?

    python -m scripts.check.shown_paths --games test-4400.tar.gz --skip 3600 --max-games 6 \
        --visits 100 --out FILE

A client of ``yomi analysis`` asks for all turns of a game in one query ("together"), or for one
turn after the other ("in turn"). Positions of one game inform each other there. With
``--independent`` each one stands alone. Every game is asked with two seeds in each of these ways.

The script prints root mean square differences between the seeds, of the lead and of the win rate.
It also prints the mean absolute change from turn to turn. The same command continues a run that was
stopped.
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
from scripts.check.outcome import KOMI, games_of
from scripts.check.shown_leads import SEEDS, positions_parser
from scripts.kept_rows import KeptRows, Row
from scripts.tables import TableRow, print_table

TOGETHER, IN_TURN, ALONE = "together", "in turn", "alone"
HEADER = ("asked", "positions", "seeds lead", "seeds win rate", "change of lead", "of win rate")


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


def rows_of(record: DecodedGame, options: argparse.Namespace) -> Iterator[Row]:
    """Yield what is shown of a game, asked in each way."""
    turns = range(options.first, min(options.last, len(record.moves)))
    for way in options.ways:
        lines = queries_of(record, turns, options.visits, way)
        shown = [answers_to(options.program, lines, seed, way) for seed in SEEDS]
        yield {"game": record.source, "way": way, "shown": shown}


def print_paths(rows: Sequence[Row]) -> None:
    """Print the differences for each way of asking."""
    table: list[TableRow] = []
    for way in dict.fromkeys(row["way"] for row in rows):
        games = [np.array(row["shown"]) for row in rows if row["way"] == way]
        apart = np.concatenate([game[0] - game[1] for game in games])
        changes = np.concatenate([np.diff(game[0], axis=0) for game in games])
        seeds, change = np.sqrt(np.mean(apart**2, axis=0)), np.mean(np.abs(changes), axis=0)
        table.append([way, len(apart), *map(float, seeds), *map(float, change)])
    print_table(HEADER, table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask for the games that are missing, then print the figures."""
    parser = positions_parser(__doc__)
    parser.add_argument("--max-games", type=int, default=6)
    parser.add_argument("--visits", type=int, default=100)
    parser.add_argument("--program", default="yomi analysis", metavar="COMMAND")
    parser.add_argument(
        "--ways", nargs="+", default=[TOGETHER, IN_TURN, ALONE], choices=(TOGETHER, IN_TURN, ALONE)
    )
    parser.add_argument("--out", type=Path, required=True, help="what was shown, a line each")
    options = parser.parse_args(arguments)
    named = ("games", "skip", "first", "last", "visits", "program", "ways")
    try:
        kept = KeptRows(options.out, {name: getattr(options, name) for name in named})
        done = {row["game"] for row in kept.rows}
        records = islice(games_of(options.games, False), options.skip, None)
        todo = islice(records, options.max_games)
        for record in tqdm(todo, total=options.max_games, unit="game", file=sys.stderr):
            if record.source not in done:
                for row in rows_of(record, options):
                    kept.add(row)
    except (YomiError, OSError) as error:
        print(f"shown_paths: {error}", file=sys.stderr)
        return 2
    if kept.rows:
        print_paths(kept.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
