"""Compare what clients are shown along whole games: how far do two seeds differ?

    python -m scripts.check.shown_paths --games test-4400.tar.gz --skip 3600 --max-games 6 \
        --visits 100 --out FILE

A client of ``yomi analysis`` asks for all turns of a game in one query ("together"), or for one
turn after the other ("in turn"). Positions of one game inform each other there. With
``--independent`` each one stands alone. Every game is asked with two seeds in each of these ways.

The script prints root mean square differences between the seeds, of the lead and of the win rate.
It also prints the mean absolute change from turn to turn. Several programs can be compared, such as
two states of yomi. With --judge "katago gtp -model NET -config CONFIG" it also prints this change
for quiet turns: those where the judge's win rate changes by less than QUIET. The same command
continues a run that was stopped.
"""

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from pathlib import Path

import numpy as np
from tqdm import tqdm

from engine import BLACK, RULESETS, YomiError, format_vertex
from engine.errors import BadSetup
from patterns_db.records.games import DecodedGame
from patterns_db.records.replay import replay_moves
from scripts.check.outcome import KOMI, games_of
from scripts.check.points_lost import WIN_RATE, KataGoJudge
from scripts.check.shown_leads import SEEDS, positions_parser
from scripts.kept_rows import KeptRows, Row
from scripts.tables import TableRow, print_table

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
    komi = KOMI if record.komi is None else record.komi
    positions = replay_moves(record, RULESETS["chinese"], komi)
    games = [game.copy() for game in positions if len(game.moves) in turns]
    rates = judge.course(games, WIN_RATE)
    return [
        rate if game.to_play == BLACK else 1.0 - rate
        for game, rate in zip(games, rates, strict=True)
    ]


def rows_of(
    record: DecodedGame,
    options: argparse.Namespace,
    judge: KataGoJudge | None,
    done: Mapping[tuple[str, str], Row],
) -> Iterator[Row]:
    """Yield what is shown of a game by each program, asked in each way, and the judge's answers.

    done  the game's rows that exist already, by program and way
    """
    turns = range(options.first, min(options.last, len(record.moves)))
    missing = [ask for ask in product(options.program, options.ways) if ask not in done]
    judged = next((row["judged"] for row in done.values()), None)
    if missing and judge is not None and judged is None:
        judged = judged_win_rates(record, turns, judge)
    for program, way in missing:
        lines = queries_of(record, turns, options.visits, way)
        shown = [answers_to(program, lines, seed, way) for seed in SEEDS]
        about = {"game": record.source, "program": program, "way": way}
        yield {**about, "shown": shown, "judged": judged}


def print_paths(rows: Sequence[Row]) -> None:
    """Print the differences for each program and way of asking."""
    table: list[TableRow] = []
    quiet_table: list[TableRow] = []
    programs = list(dict.fromkeys(row["program"] for row in rows))
    for asked in dict.fromkeys((row["program"], row["way"]) for row in rows):
        some = [row for row in rows if (row["program"], row["way"]) == asked]
        name = asked[1] if len(programs) == 1 else f"{programs.index(asked[0]) + 1}, {asked[1]}"
        games = [np.array(row["shown"]) for row in some]  # seeds, turns, (lead, win rate)
        apart = np.concatenate([game[0] - game[1] for game in games])
        steps = [np.abs(np.diff(game, axis=1)) for game in games]
        seeds = np.sqrt(np.mean(apart**2, axis=0))
        change = np.concatenate([of_game[0] for of_game in steps]).mean(axis=0)
        table.append([name, len(apart), *map(float, seeds), *map(float, change)])
        if any(row["judged"] is None for row in some):
            continue
        quiet = [np.abs(np.diff(row["judged"])) < QUIET for row in some]
        kept = np.concatenate([s[:, part] for s, part in zip(steps, quiet, strict=True)], axis=1)
        quiet_table.append([name, kept.shape[1], *map(float, kept.mean(axis=(0, 1)))])
    print_table(HEADER, table)
    if quiet_table:
        print()
        print_table(QUIET_HEADER, quiet_table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask for the games that are missing, then print the figures."""
    parser = positions_parser(__doc__)
    parser.add_argument("--max-games", type=int, default=6)
    parser.add_argument("--visits", type=int, default=100)
    parser.add_argument("--program", nargs="+", default=["yomi analysis"], metavar="COMMAND")
    parser.add_argument("--judge", metavar="COMMAND", help="GTP, knows KataGo's")
    parser.add_argument(
        "--ways", nargs="+", default=[TOGETHER, IN_TURN, ALONE], choices=(TOGETHER, IN_TURN, ALONE)
    )
    parser.add_argument("--out", type=Path, required=True, help="what was shown, a line each")
    options = parser.parse_args(arguments)
    named = ("games", "skip", "first", "last", "visits", "program", "judge", "ways")
    judge = None
    try:
        kept = KeptRows(options.out, {name: getattr(options, name) for name in named})
        judge = None if options.judge is None else KataGoJudge(options.judge)
        records = islice(games_of(options.games, False), options.skip, None)
        todo = islice(records, options.max_games)
        for record in tqdm(todo, total=options.max_games, unit="game", file=sys.stderr):
            about = [row for row in kept.rows if row["game"] == record.source]
            done = {(row["program"], row["way"]): row for row in about}
            for row in rows_of(record, options, judge, done):
                kept.add(row)
    except (YomiError, OSError) as error:
        print(f"shown_paths: {error}", file=sys.stderr)
        return 2
    finally:
        if judge is not None:
            judge.close()
    if kept.rows:
        print_paths(kept.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
