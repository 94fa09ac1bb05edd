"""``yomi solve``: solve capture problems, and life-and-death problems with ``--life``."""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from engine import BadSetup, format_vertex
from engine.captures.reader import CaptureReader, compile_solver
from engine.captures.records import proof_record
from engine.life.reader import Aim, LifeReader, LifeReading, compile_life
from engine.life.records import life_proof_record
from engine.player.staged_fights import FightJudge
from gtp.cli.command_line import duration, in_words, number_reader, say
from patterns_db.outputs import check_outputs
from patterns_db.printing import printable
from patterns_db.records.problems import (
    LifeProblem,
    Malformed,
    Problem,
    read_life_problems,
    read_problems,
    read_sgf_life_problem,
    read_sgf_problem,
)
from patterns_db.shipped import LIFE_TABLE, SOLVER_TABLE, load_knowledge
from patterns_db.solvers.solver_priors import read_priors
from patterns_db.solvers.solver_tables import read_life_weights
from patterns_db.store.whole_files import write_whole

One = TypeVar("One", Problem, LifeProblem)

_VALUES = ("captured", "safe", "ko", "unknown")
_STATUSES = ("alive", "dead", "seki", "ko", "unknown")
# The possible proofs, as pairs: the group's aim and the resulting status.
_CLAIMS: dict[str, list[tuple[Aim, str]]] = {
    "alive": [("life", "alive")],
    "dead": [("life", "dead")],
    "seki": [("life", "alive"), ("eyes", "dead")],
}


class Solved(NamedTuple):
    """The result of a problem."""

    value: str  # counted in the summary
    nodes: int
    seconds: float
    record: dict[str, Any]  # the JSON object that is printed
    proofs: Sequence[dict[str, Any]] = ()  # the proofs, to be written to a file


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and the help text."""
    parser.description = (
        "Find out whether a chain can be captured, or with --life whether a group lives, for one"
        " position or a set of problems."
    )
    parser.epilog = (
        "captured: by force, even if the defender wins every ko. safe: it gets L liberties or is"
        " never captured, even if the attacker wins every ko. ko: the ko decides. With --life:"
        " alive or dead whichever side wins the kos, if the side to move starts. As in a book's"
        " problem, empty points around the group count as its opponent's."
    )
    parser.add_argument("sgf", nargs="?", metavar="FILE.sgf", help="a position or a game")
    parser.add_argument(
        "--goal",
        metavar="VERTEX",
        help="a stone of the chain (the stone that the record marks by TR, MA, CR, SQ or SL)",
    )
    parser.add_argument(
        "--move",
        type=number_reader(int, 0, "a number of moves"),
        metavar="N",
        help="the position after N moves (the first, or without --goal the first with a mark)",
    )
    parser.add_argument("--problems", metavar="FILE.jsonl", help="a set of problems")
    parser.add_argument(
        "--life",
        action="store_true",
        help="find out whether a group lives; the group in question is found",
    )
    parser.add_argument(
        "--solver",
        choices=("pp", "pns"),
        help="proof-number search (pns, default) or probability propagation (pp)",
    )
    parser.add_argument(
        "--priors",
        metavar="FILE|none",
        help="learned priors (the included ones); none: equal chances at every leaf",
    )
    _add_limits(parser)
    parser.add_argument("--proof", metavar="FILE", help="write the forced captures")
    parser.add_argument("--json", action="store_true", help="print a JSON line for each problem")


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--max-liberties",
        type=number_reader(int, 2, "a whole number from 2 to 12", 12),
        default=6,
        metavar="L",
        help="a chain with L liberties is safe (6)",
    )
    parser.add_argument(
        "--max-nodes",
        type=number_reader(int, 1, "a whole number from 1 to 10000000", 10**7),
        default=2_000_000,
        metavar="N",
        help="positions per problem (2000000)",
    )
    parser.add_argument(
        "--seconds",
        type=duration,
        default=20.0,
        metavar="S",
        help="processor time per problem (20)",
    )


def run(options: argparse.Namespace) -> int:
    """Solve and print. Return the exit status: 1 when a problem was malformed, else 0.

    Raises YomiError when there is no problem to read or when the proofs cannot be written.
    """
    if options.proof is not None:
        inputs = (options.problems, options.sgf, options.priors)
        check_outputs([Path(options.proof)], [path for path in inputs if path is not None])
    if (options.problems is None) == (options.sgf is None):
        raise BadSetup("solve needs either FILE.sgf or --problems FILE")
    if options.sgf is None and (options.goal is not None or options.move is not None):
        raise BadSetup("--goal and --move need FILE.sgf")
    if options.life and options.goal is not None:
        raise BadSetup("--life finds the group by itself: leave out --goal")
    try:
        return _run_life(options) if options.life else _run_captures(options)
    except OSError as error:
        raise BadSetup(f"{error.filename or 'output'}: {error.strerror}") from error


def _run_captures(options: argparse.Namespace) -> int:
    if options.problems is not None:
        problems: Iterable[Problem | Malformed] = read_problems(Path(options.problems))
    else:
        problem = read_sgf_problem(Path(options.sgf), options.goal, options.move)
        # The record may have set the chain and the side to move.
        verb = "to be captured" if problem.attacker_to_move else "to be saved"
        goal = format_vertex(problem.goal)
        say(f"{problem.id}: the chain of {goal}, {verb} by the side to move")
        problems = [problem]
    # This comes before any clock starts. Otherwise the first problem would pay for it.
    compile_solver()
    table = SOLVER_TABLE if options.priors is None else Path(options.priors)
    priors = None if options.priors == "none" else read_priors(table)
    # Processor time is measured, so that the machine's load does not decide the results.
    reader = CaptureReader(
        options.solver or "pns", options.max_nodes, priors, clock=time.process_time
    )
    return _solve_all(problems, lambda one: _solved(one, reader, options), _VALUES, options)


def _run_life(options: argparse.Namespace) -> int:
    if options.problems is not None:
        problems: Iterable[LifeProblem | Malformed] = read_life_problems(Path(options.problems))
    else:
        problems = [read_sgf_life_problem(Path(options.sgf), options.move or 0)]
    compile_life()
    path = LIFE_TABLE if options.priors is None else Path(options.priors)
    weights = None if options.priors == "none" else read_life_weights(path)
    # A node with its edges takes 650 bytes; unused ones take no memory.
    nodes = min(options.max_nodes, 2_000_000)
    reader = LifeReader(options.solver or "pns", nodes, weights, clock=time.process_time)
    judge = FightJudge(load_knowledge(), time.process_time)
    return _solve_all(
        problems, lambda one: _life_solved(one, reader, judge, options), _STATUSES, options
    )


def _solved(problem: Problem, reader: CaptureReader, options: argparse.Namespace) -> Solved:
    """Return a capture problem as the JSON object that ``yomi solve --json`` prints."""
    reading = reader.read_chain(
        problem.board,
        problem.goal,
        problem.attacker_to_move,
        options.max_liberties,
        options.max_nodes,
        options.seconds,
    )
    proofs = []
    if options.proof is not None and reading.value == "captured":
        proofs.append({"id": problem.id} | proof_record(reader))
    record = {
        "id": problem.id,
        "value": reading.value,
        "move": None if reading.move is None else format_vertex(reading.move),
        "nodes": reading.nodes,
        "seconds": round(reading.seconds, 4),
        "liberty_limit": reading.liberty_limit,
        "line": [format_vertex(move) for move in reader.main_line()],
    }
    return Solved(reading.value, reading.nodes, reading.seconds, record, proofs)


def _life_solved(
    problem: LifeProblem, reader: LifeReader, judge: FightJudge, options: argparse.Namespace
) -> Solved:
    # A quarter of the time is kept for judging the groups that the rest did not decide.
    seconds = options.seconds * 0.75
    reading = reader.read_position(problem.board, problem.to_move, seconds)
    if reading.question is None:
        say(f"{problem.id}: no group is in question")
    if reading.status == "unknown":
        reading = _judged(problem, reading, judge, options.seconds)
    proofs = [] if options.proof is None else _proofs(problem, reading, reader, options.seconds)
    goal = [] if reading.question is None else reading.question.goal
    record = {
        "id": problem.id,
        "status": reading.status,
        "move": None if reading.move is None else format_vertex(reading.move),
        "nodes": reading.nodes,
        "seconds": round(reading.seconds, 4),
        "group": [format_vertex(point) for point in goal],
    }
    return Solved(reading.status, reading.nodes, reading.seconds, record, proofs)


def _judged(
    problem: LifeProblem, reading: LifeReading, judge: FightJudge, seconds: float
) -> LifeReading:
    """Return an undecided reading with the best move that a search finds in the remaining time."""
    if reading.question is None:
        return reading
    start = time.process_time()
    rest = seconds - reading.seconds
    move = judge.best_move(problem.board, reading.question, problem.to_move, rest)
    used = reading.seconds + time.process_time() - start
    return replace(reading, move=reading.move if move is None else move, seconds=used)


def _proofs(
    problem: LifeProblem, reading: LifeReading, reader: LifeReader, seconds: float
) -> list[dict[str, Any]]:
    """Return the proofs of a reading, as far as they can be reproduced in the time."""
    records = []
    if reading.question is not None:
        for aim, status in _CLAIMS.get(reading.status, []):
            # The group is read again, since other groups or regions may have been read after it.
            again = reader.read_group(
                problem.board, reading.question, problem.to_move, seconds, reading.move, aim
            )
            if again.status == status:
                records.append({"id": problem.id} | life_proof_record(reader))
    return records


def _solve_all(
    problems: Iterable[One | Malformed],
    solve: Callable[[One], Solved],
    values: Sequence[str],
    options: argparse.Namespace,
) -> int:
    """Solve and print, as ``run``.

    values   all possible ones, in the order of the summary
    """
    counts: Counter[str] = Counter()
    nodes = 0
    seconds = 0.0
    proofs: list[str] = []
    for problem in problems:
        # A malformed line is named and skipped, so that it does not cost all other results.
        if isinstance(problem, Malformed):
            say(f"{problem.id}: {problem.reason}")
            counts["malformed"] += 1
            continue
        solved = solve(problem)
        counts[solved.value] += 1
        nodes += solved.nodes
        seconds += solved.seconds
        # Results are flushed, so that a killed run has printed what it solved.
        _print(solved.record, options.json)
        proofs += map(json.dumps, solved.proofs)
    if not counts:
        raise BadSetup(f"{options.problems}: no problems here")
    if options.proof is not None:
        # Proofs are written at the end: half of them would look like all of them.
        write_whole(Path(options.proof), "".join(f"{proof}\n" for proof in proofs).encode())
    summary = {
        "problems": sum(counts.values()),
        **{value: counts[value] for value in (*values, "malformed")},
        "nodes": nodes,
        "seconds": round(seconds, 3),
        # The total time may be zero, since all problems may be malformed.
        "nodes_per_second": round(nodes / seconds) if seconds > 0 else 0,
    }
    _print({"summary": summary} if options.json else summary, options.json)
    return 1 if counts["malformed"] else 0


def _print(record: dict[str, Any], as_json: bool) -> None:
    print(json.dumps(record) if as_json else printable(in_words(record)), flush=True)
