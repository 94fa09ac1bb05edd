r"""Compare answers about problems: the solvers', those of GNU Go, and the search's move.

    python -m scripts.check.problems captures --problems test.jsonl --max-liberties 5 --out FILE
    yomi solve --life --problems FILE.jsonl --seconds 5 --json |
        python -m scripts.check.problems life --problems FILE.jsonl
    python -m scripts.check.problems moves --problems test.jsonl --playouts 200 --max-problems 60
    python -m scripts.check.problems priors --problems tsumego-test.jsonl --nodes 60000 --out FILE
    python -m scripts.check.problems fights --count 220 --seed 7171 --out FIGHTS

"captures": the solver and GNU Go's ``attack`` and ``defend``. An answer is right when it equals the
problem's: captured or safe. A ko, no answer, or too much processor time is wrong, for both. GNU Go
has no time limit for reading, so its own node limits end it.

"life": first moves of ``yomi solve --life --json``, and of GNU Go about the same group. It is asked
``owl_attack`` or ``owl_defend`` on each chain, the largest first, until one has a move.

"moves": how often the move that the engine would play is right, with and without tactics. It does
not know the problem's chain. Only problems with a complete list of right moves count.

"priors": the worth of learned weights in problems of life and death, in nodes and in processor
time. The first group in question is read by proof numbers and by probabilities, with the learned
weights (``life.table``) and without any. All four ways answer the same question, so two decided
answers must agree. Proof numbers without weights are the base of all comparisons.

"fights": write random fights as problems of life and death, material for proofs without a book.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Literal

import numpy as np
from tqdm import tqdm

from engine import BLACK, WHITE, Game, Player, PlayerOptions, YomiError
from engine.captures.reader import CaptureReader, compile_solver
from engine.go.board import COLOR, SIZE, Board, colors_of
from engine.go.geometry import board_points, format_vertex, parse_vertex
from engine.life.goal import find_questions
from engine.life.reader import LifeReader, compile_life
from engine.picture.picture import picture_of
from patterns_db.records.problems import (
    LifeProblem,
    Problem,
    parse_life_problem,
    parse_problem,
    read_life_problems,
)
from patterns_db.shipped import LIFE_TABLE, SOLVER_TABLE, load_knowledge
from patterns_db.solvers.life_training import random_fight
from patterns_db.solvers.solver_priors import read_priors
from patterns_db.solvers.solver_tables import read_life_weights
from patterns_db.store.whole_files import write_whole
from scripts.controller import GNU_GO, Controller, ProgramFailed
from scripts.kept_rows import KeptRows, Row
from scripts.play.gtp_side import show_game
from scripts.significance import wilson_interval
from scripts.tables import TableRow, print_table

MOST_NODES = 2_000_000
HARD = 1_000  # nodes that the first way needs; easier problems say little
WAYS: dict[str, tuple[Literal["pns", "pp"], bool]] = {
    "proof numbers, none": ("pns", False),
    "proof numbers, learned": ("pns", True),
    "probabilities, none": ("pp", False),
    "probabilities, learned": ("pp", True),
}
PRIORS = ("", "decided", "new", "lost", "fewer", "hard: fewer", "seconds", "otherwise")


def game_at(board: Board, to_play: int) -> Game:
    """Return a game that begins at a position; komi 7.5."""
    game = Game(int(board[SIZE]))
    points = board_points(game.size)
    black, white = ([p for p in points if board[COLOR + p] == c] for c in (BLACK, WHITE))
    game.setup(black, white, to_play)
    return game


def read_problems(path: Path) -> list[Row]:
    """Return the records of a file. Raises OSError, ValueError."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def share(right: int, count: int) -> str:
    """Return a share in words, with its interval."""
    low, high = wilson_interval(right, count)
    return f"{right} of {count} right ({low:.1%} to {high:.1%})"


def open_gnugo(options: argparse.Namespace, stack: ExitStack) -> Controller | None:
    """Start GNU Go, if there is one."""
    if options.gnugo is None:
        print("GNU Go is not installed, and is not asked", file=sys.stderr)
        return None
    return stack.enter_context(Controller(f"{options.gnugo} --mode gtp --chinese-rules"))


# -- captures -------------------------------------------------------------------------------------


def attack_by_gnugo(gnugo: Controller, record: Row, game: Game) -> tuple[str, float]:
    """Return GNU Go's answer to a capture problem, and its seconds. Raises ProgramFailed."""
    show_game(gnugo, game)
    # Its memory of the previous problem would shorten the time of this one.
    gnugo.send("clear_cache")
    start = float(gnugo.send("cputime"))
    answer = gnugo.send(f"{record['task']} {record['goal']}").split(" ")[0]
    seconds = float(gnugo.send("cputime")) - start
    succeeds, fails = ("captured", "safe") if record["task"] == "attack" else ("safe", "captured")
    return {"0": fails, "1": succeeds, "2": "ko", "3": "ko"}.get(answer, "unknown"), seconds


def compare_captures(options: argparse.Namespace) -> None:
    """Compare the answers about captures."""
    records = read_problems(options.problems)
    random.Random(options.seed).shuffle(records)
    setting = {name: getattr(options, name) for name in ("seconds", "max_liberties", "seed")}
    kept = KeptRows(options.out, setting, "answers", "another comparison")
    done = {row["id"] for row in kept.rows}
    compile_solver()
    # Processor time, as GNU Go's cputime: other work on the machine counts for neither.
    reader = CaptureReader("pns", MOST_NODES, read_priors(SOLVER_TABLE), clock=time.process_time)
    with ExitStack() as stack:
        gnugo = open_gnugo(options, stack)
        todo = [r for r in records[: options.max_problems] if r["id"] not in done]
        for record in tqdm(todo, file=sys.stderr):
            problem = parse_problem(record)
            how = problem.board, problem.goal, problem.attacker_to_move, options.max_liberties
            answers = {"yomi": reader.read_chain(*how, seconds=options.seconds).value}
            if gnugo is not None:
                game = game_at(problem.board, mover_of(problem))
                value, seconds = attack_by_gnugo(gnugo, record, game)
                # GNU Go cannot be stopped by time, so a late answer does not count.
                answers["GNU Go"] = value if seconds <= options.seconds else "unknown"
            kept.add({"id": record["id"], "answer": record["answer"], "answers": answers})
    for name in kept.rows[0]["answers"]:
        found = Counter(row["answers"][name] for row in kept.rows)
        right = sum(row["answers"][name] == row["answer"] for row in kept.rows)
        wrong = len(kept.rows) - right - found["ko"] - found["unknown"]
        print(f"{name}: {share(right, len(kept.rows))}, {wrong} contradict the answer", end="")
        print(f", {found['ko']} ko, {found['unknown']} unknown")


def mover_of(problem: Problem) -> int:
    """Return the color to move of a capture problem."""
    color = int(problem.board[COLOR + problem.goal])
    return 3 - color if problem.attacker_to_move else color


# -- life -----------------------------------------------------------------------------------------


def owl_by_gnugo(gnugo: Controller, game: Game, group: Sequence[str]) -> str | None:
    """Return GNU Go's move for a group, None if it has none."""
    show_game(gnugo, game)
    for vertex in group:
        own = game.color_at(parse_vertex(vertex, game.size)) == game.to_play
        try:
            answer = gnugo.send(f"{'owl_defend' if own else 'owl_attack'} {vertex}").split()
        except ProgramFailed:
            continue
        if len(answer) > 1 and answer[0] != "0" and answer[1] != "PASS":
            return answer[1]
    return None


def compare_life(options: argparse.Namespace) -> None:
    """Compare the first moves in problems of life and death."""
    problems = {problem["id"]: problem for problem in read_problems(options.problems)}
    right: Counter[tuple[str, str]] = Counter()
    count: Counter[str] = Counter()
    with ExitStack() as stack:
        gnugo = open_gnugo(options, stack)
        for answer in map(json.loads, filter(str.strip, options.answers)):
            if "id" not in answer:  # the summary
                continue
            problem = problems[answer["id"]]
            moves = {"yomi": answer["move"]}
            if gnugo is not None:
                life = parse_life_problem(problem)
                game = game_at(life.board, life.to_move)
                moves["GNU Go"] = owl_by_gnugo(gnugo, game, answer["group"])
            for level in ("all", str(problem.get("level", ""))):
                count[level] += 1
                for player, move in moves.items():
                    right[player, level] += move in problem["correct_moves"]
    for (player, level), number in sorted(right.items()):
        print(f"{player}, {level}: {share(number, count[level])}")


# -- moves ----------------------------------------------------------------------------------------


def compare_moves(options: argparse.Namespace) -> None:
    """Count how often the engine's move solves a capture problem, with and without tactics."""
    fitting = [
        record
        for record in read_problems(options.problems)
        if record.get("moves_complete") and record.get("correct_moves")
    ]
    random.Random(options.seed).shuffle(fitting)
    knowledge, right = load_knowledge(), Counter[bool]()
    for record in tqdm(fitting[: options.max_problems], file=sys.stderr):
        problem = parse_problem(record)
        mover = mover_of(problem)
        for tactics in (True, False):
            settings = PlayerOptions(
                options.playouts, threads=1, seed=options.seed, tactics=tactics
            )
            decision = Player(settings, knowledge).choose(game_at(problem.board, mover), mover)
            right[tactics] += format_vertex(decision.point) in record["correct_moves"]
    count = len(fitting[: options.max_problems])
    for tactics, name in ((True, "with tactics"), (False, "without")):
        print(f"{name}: {share(right[tactics], count)}")


# -- priors ---------------------------------------------------------------------------------------


def read_by_all(problem: LifeProblem, readers: dict[str, LifeReader]) -> Row:
    """Return the results of all ways on a problem, none where no group is found."""
    row: Row = {"id": problem.id}
    question = next(find_questions(picture_of(problem.board)), None)
    for name, reader in readers.items() if question is not None else ():
        reading = reader.read_group(problem.board, question, problem.to_move)
        row[name] = [reading.status, reading.nodes, round(reading.seconds, 4)]
    return row


def compared(rows: list[Row], base: str, other: str) -> TableRow:
    """Return a row of PRIORS. Medians are of ratios where both decide, HARD problems apart."""
    both = [(row[base], row[other]) for row in rows]
    decided = [(a, b) for a, b in both if a[0] != "unknown" and b[0] != "unknown"]
    hard = [(a, b) for a, b in decided if a[1] > HARD]

    def ratio(pairs: list[tuple[list[float], list[float]]], column: int) -> float:
        return median(a[column] / max(b[column], 1e-4) for a, b in pairs) if pairs else 0.0

    return [
        other,
        sum(b[0] != "unknown" for _, b in both),
        sum(a[0] == "unknown" != b[0] for a, b in both),
        sum(b[0] == "unknown" != a[0] for a, b in both),
        ratio(decided, 1),
        ratio(hard, 1),
        ratio(hard, 2),
        sum(a[0] != b[0] for a, b in decided),
    ]


def compare_priors(options: argparse.Namespace) -> None:
    """Measure the worth of learned weights in problems of life and death."""
    setting = {"problems": options.problems.name, "nodes": options.nodes}
    kept = KeptRows(options.out, setting)
    problems = list(read_life_problems(options.problems))
    compile_life()
    weights = read_life_weights(LIFE_TABLE)
    readers = {
        # Processor time, because the machine may have other work.
        name: LifeReader(way, options.nodes, weights if learned else None, time.process_time)
        for name, (way, learned) in WAYS.items()
    }
    # A problem without a group keeps an empty row, so that rows and problems stay aligned.
    for problem in tqdm(problems[len(kept.rows) :], unit=" problems", file=sys.stderr):
        kept.add(read_by_all(problem, readers))
    rows, base = [row for row in kept.rows if len(row) > 1], next(iter(WAYS))
    hard = sum(row[base][0] != "unknown" and row[base][1] > HARD for row in rows)
    print(f"{len(rows)} of {len(kept.rows)} problems with a group, {hard} of them hard")
    print_table(PRIORS, [compared(rows, base, name) for name in WAYS])


# -- fights ---------------------------------------------------------------------------------------


def write_fights(options: argparse.Namespace) -> None:
    """Write random fights as problems; Black and White move first in turn."""
    rng, lines = np.random.default_rng(options.seed), list[str]()
    while len(lines) < options.count:
        board = random_fight(rng)
        if board is not None:
            rows = ("".join(".XO"[color] for color in row) for row in colors_of(board)[::-1])
            fight = {
                "id": f"fight{len(lines):04d}",
                "size": int(board[SIZE]),
                "to_move": "black" if len(lines) % 2 else "white",
                "board": "/".join(rows),
            }
            lines.append(json.dumps(fight))
    write_whole(options.out, "".join(f"{line}\n" for line in lines).encode())


def build_parser() -> argparse.ArgumentParser:
    """Return the command line: a subcommand a comparison."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    kinds = parser.add_subparsers(dest="kind", required=True)

    def add(name: str, run: Callable[[argparse.Namespace], None]) -> argparse.ArgumentParser:
        kind = kinds.add_parser(name, help=(run.__doc__ or "").splitlines()[0])
        kind.set_defaults(run=run)
        if run is not write_fights:
            kind.add_argument("--problems", type=Path, required=True)
        kind.add_argument("--seed", type=int, default=1)
        return kind

    captures, life = add("captures", compare_captures), add("life", compare_life)
    captures.add_argument("--seconds", type=float, default=1.0, help="of the processor, a problem")
    captures.add_argument("--max-liberties", type=int, default=6, help="as in yomi solve")
    captures.add_argument("--out", type=Path, help="so that a stopped run goes on")
    life.set_defaults(answers=sys.stdin)
    for kind in (captures, life):
        kind.add_argument("--gnugo", metavar="PROGRAM", default=GNU_GO, help="(if installed)")
    moves = add("moves", compare_moves)
    moves.add_argument("--playouts", type=int, default=200)
    for kind in (captures, moves):
        kind.add_argument("--max-problems", type=int, default=100_000, help="a random sample")
    priors, fights = add("priors", compare_priors), add("fights", write_fights)
    priors.add_argument("--nodes", type=int, default=100_000, help="of one search")
    priors.add_argument("--out", type=Path, help="so that a stopped run goes on")
    fights.add_argument("--count", type=int, default=320)
    fights.add_argument("--out", type=Path, required=True)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and print the numbers of right answers."""
    options = build_parser().parse_args(arguments)
    try:
        options.run(options)
    except (OSError, ValueError, YomiError) as error:
        print(f"problems: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
