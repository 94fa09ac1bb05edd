"""``yomi solve``: capture problems from the command line."""

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.errors import BadSetup
from engine.go.geometry import format_vertex
from engine.tactics.priors import SolverPriors
from engine.tactics.proofs import proof_record
from engine.tactics.solver import Reader, Reading, compile_solver
from patterns_db.problems import Malformed, Problem, read_problems, read_sgf_problem
from patterns_db.shipped import SOLVER_TABLE
from patterns_db.solver_priors import read_priors


def run(options: argparse.Namespace) -> int:
    """Solve and print; return the exit status: 1 when a problem was malformed, else 0.

    Raises YomiError when there is no problem to read, or no room for the proofs.
    """
    if (options.problems is None) == (options.sgf is None):
        raise BadSetup("solve takes either FILE.sgf with --goal, or --problems FILE")
    if (options.sgf is None) != (options.goal is None):
        raise BadSetup("--goal VERTEX goes with FILE.sgf, and FILE.sgf with --goal")
    try:
        if options.problems is not None:
            problems: Iterable[Problem | Malformed] = read_problems(Path(options.problems))
        else:
            problems = [read_sgf_problem(Path(options.sgf), options.goal)]
        compile_solver()
        reader = Reader(
            options.solver, options.max_nodes, _priors(options), clock=time.process_time
        )
        return _solve_all(problems, reader, options)
    except OSError as error:
        raise BadSetup(f"{error.filename or 'output'}: {error.strerror}") from error


def _priors(options: argparse.Namespace) -> SolverPriors | None:
    """Return the learned priors to search with; ModelFormatError when they cannot be read."""
    if options.priors == "none":
        return None
    return read_priors(SOLVER_TABLE if options.priors is None else Path(options.priors))


def _solve_all(
    problems: Iterable[Problem | Malformed], reader: Reader, options: argparse.Namespace
) -> int:
    values: Counter[str] = Counter()
    nodes = 0
    seconds = 0.0
    proofs = []
    for problem in problems:
        if isinstance(problem, Malformed):
            print(f"yomi: {problem.id}: {problem.reason}", file=sys.stderr)
            values["malformed"] += 1
            continue
        reading = reader.read_chain(
            problem.board,
            problem.goal,
            problem.attacker_to_move,
            options.max_liberties,
            options.max_nodes,
            options.seconds,
        )
        values[reading.value] += 1
        nodes += reading.nodes
        seconds += reading.seconds
        record = reading_record(problem, reading)
        print(json.dumps(record) if options.json else _in_words(record), flush=True)
        if options.proof is not None and reading.value == "captured":
            proofs.append(json.dumps({"id": problem.id} | proof_record(reader)))
    if options.proof is not None:
        write_whole(Path(options.proof), proofs)
    summary = {
        "problems": sum(values.values()),
        **{value: values[value] for value in ("captured", "safe", "ko", "unknown", "malformed")},
        "nodes": nodes,
        "seconds": round(seconds, 3),
        "nodes_per_second": round(nodes / seconds) if seconds > 0 else 0,
    }
    print(json.dumps({"summary": summary}) if options.json else _in_words(summary))
    return 1 if values["malformed"] else 0


def reading_record(problem: Problem, reading: Reading) -> dict[str, Any]:
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


def _in_words(record: dict[str, Any]) -> str:
    return "  ".join(
        f"{key} {' '.join(value) if isinstance(value, list) else value}"
        for key, value in record.items()
        if value is not None
    )


def write_whole(path: Path, lines: Iterable[str]) -> None:
    """Write a text file under a temporary name and rename it, so that it is never half there."""
    temporary = path.with_name(path.name + ".part")
    with temporary.open("w", encoding="utf-8") as out:
        out.writelines(line + "\n" for line in lines)
        out.flush()
        os.fsync(out.fileno())
    temporary.replace(path)
