"""``yomi solve``: solve capture problems, and life-and-death problems with ``--life``."""

import argparse
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine import BadSetup, format_vertex
from engine.captures.reader import CaptureReader, CaptureReading, compile_solver
from engine.captures.records import proof_record
from gtp.cli.command_line import duration, number_reader, say
from gtp.cli.solve_life import run_life
from gtp.cli.solving import Solved, check_proof, solve_all
from patterns_db.records.problems import Malformed, Problem, read_problems, read_sgf_problem
from patterns_db.shipped import SOLVER_TABLE
from patterns_db.solvers.solver_priors import read_priors

_VALUES = ("captured", "safe", "ko", "unknown")


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
    check_proof(options)
    if (options.problems is None) == (options.sgf is None):
        raise BadSetup("solve needs either FILE.sgf or --problems FILE")
    if options.sgf is None and (options.goal is not None or options.move is not None):
        raise BadSetup("--goal and --move need FILE.sgf")
    if options.life:
        return run_life(options)
    try:
        if options.problems is not None:
            problems: Iterable[Problem | Malformed] = read_problems(Path(options.problems))
        else:
            problem = read_sgf_problem(Path(options.sgf), options.goal, options.move)
            say(_in_question(problem))
            problems = [problem]
        # This comes before any clock starts. Otherwise the first problem would pay for it.
        compile_solver()
        table = SOLVER_TABLE if options.priors is None else Path(options.priors)
        priors = None if options.priors == "none" else read_priors(table)
        # Processor time is measured, so that the machine's load does not decide the results.
        reader = CaptureReader(
            options.solver or "pns", options.max_nodes, priors, clock=time.process_time
        )
        return solve_all(problems, lambda one: _solved(one, reader, options), _VALUES, options)
    except OSError as error:
        raise BadSetup(f"{error.filename or 'output'}: {error.strerror}") from error


def _in_question(problem: Problem) -> str:
    """Return the chain that is read and the side to move. The record may have set both."""
    verb = "to be captured" if problem.attacker_to_move else "to be saved"
    return f"{problem.id}: the chain of {format_vertex(problem.goal)}, {verb} by the side to move"


def _solved(problem: Problem, reader: CaptureReader, options: argparse.Namespace) -> Solved:
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
    record = reading_record(problem, reading)
    return Solved(reading.value, reading.nodes, reading.seconds, record, proofs)


def reading_record(problem: Problem, reading: CaptureReading) -> dict[str, Any]:
    """Return a reading as the JSON object that ``yomi solve --json`` prints."""
    return {
        "id": problem.id,
        "value": reading.value,
        "move": None if reading.move is None else format_vertex(reading.move),
        "nodes": reading.nodes,
        "seconds": round(reading.seconds, 4),
        "liberty_limit": reading.liberty_limit,
        "line": [format_vertex(move) for move in reading.line],
    }
