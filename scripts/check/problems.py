r"""Compare answers about problems: the solvers', those of GNU Go, and the search's move.

    python -m scripts.check.problems captures --problems test.jsonl --max-liberties 5 --out FILE
    yomi solve --life --problems FILE.jsonl --seconds 5 --json |
        python -m scripts.check.problems life --problems FILE.jsonl
    python -m scripts.check.problems moves --problems test.jsonl --playouts 200 --max-problems 60

"captures": the solver and GNU Go's ``attack`` and ``defend``. An answer is right when it equals the
problem's: captured or safe. A ko, no answer, or too much processor time is wrong, for both. GNU Go
has no time limit for reading, so its own node limits end it.

"life": first moves of ``yomi solve --life --json``, and of GNU Go about the same group. It is asked
``owl_attack`` or ``owl_defend`` on each chain, the largest first, until one has a move.

"moves": how often the move that the engine would play is right, with and without tactics. It does
not know the problem's chain. Only problems with a complete list of right moves count.
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

from tqdm import tqdm

from engine import BLACK, EMPTY, WHITE, Game, Player, PlayerOptions, YomiError
from engine.captures.reader import CaptureReader, compile_solver
from engine.go.board import COLOR, SIZE, Board
from engine.go.geometry import board_points, format_vertex, parse_vertex
from patterns_db.records.problems import parse_life_problem, parse_problem
from patterns_db.shipped import SOLVER_TABLE, load_knowledge
from patterns_db.solvers.solver_priors import read_priors
from scripts.controller import GNU_GO, Controller, ProgramFailed
from scripts.kept_rows import KeptRows, Row
from scripts.play.gtp_side import show_game
from scripts.significance import wilson_interval

MOST_NODES = 2_000_000


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
            attacks = problem.attacker_to_move
            how = problem.board, problem.goal, attacks, options.max_liberties
            answers = {"yomi": reader.read_chain(*how, seconds=options.seconds).value}
            if gnugo is not None:
                game = game_at(problem.board, mover_of(problem.board, problem.goal, attacks))
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


def mover_of(board: Board, goal: int, attacks: bool) -> int:
    """Return the color to move of a capture problem."""
    color = int(board[COLOR + goal])
    assert color != EMPTY
    return 3 - color if attacks else color


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
        mover = mover_of(problem.board, problem.goal, problem.attacker_to_move)
        for tactics in (True, False):
            settings = PlayerOptions(
                options.playouts, threads=1, seed=options.seed, tactics=tactics
            )
            decision = Player(settings, knowledge).choose(game_at(problem.board, mover), mover)
            right[tactics] += format_vertex(decision.point) in record["correct_moves"]
    count = len(fitting[: options.max_problems])
    for tactics, name in ((True, "with tactics"), (False, "without")):
        print(f"{name}: {share(right[tactics], count)}")


def build_parser() -> argparse.ArgumentParser:
    """Return the command line: a subcommand a comparison."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    kinds = parser.add_subparsers(dest="kind", required=True)

    def add(name: str, run: Callable[[argparse.Namespace], None]) -> argparse.ArgumentParser:
        kind = kinds.add_parser(name, help=(run.__doc__ or "").splitlines()[0])
        kind.set_defaults(run=run)
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
