"""``yomi solve --life``: problems of life and death from the command line."""

import argparse
import time
from pathlib import Path
from typing import Any

from engine import BadSetup, LifeReader, LifeReading, compile_life, format_vertex, life_proof_record
from gtp.cli.solving import Solved, solve_all
from patterns_db import LifeProblem, read_life_problems, read_priors

_STATUSES = ("alive", "dead", "ko", "unknown")
_MOST_NODES = 2_000_000  # a node takes 650 bytes with its edges, touched only when used


def run_life(options: argparse.Namespace) -> int:
    """Solve and print; return the exit status: 1 when a problem was malformed, else 0.

    Raises YomiError when there is no problem to read, or no room for the proofs.
    """
    if options.problems is None or options.sgf is not None:
        raise BadSetup("solve --life takes --problems FILE")
    try:
        problems = read_life_problems(Path(options.problems))
        # Before any clock starts, or the first problem would pay for it.
        compile_life()
        # None come along: what was learned so far weighs megabytes and solves no more.
        without = options.priors in (None, "none")
        priors = None if without else read_priors(Path(options.priors), life=True)
        nodes = min(options.max_nodes, _MOST_NODES)
        # Processor time: what else the machine does must not decide what is solved.
        reader = LifeReader(options.solver or "pp", nodes, priors, clock=time.process_time)
        return solve_all(problems, lambda one: _solved(one, reader, options), _STATUSES, options)
    except OSError as error:
        raise BadSetup(f"{error.filename or 'output'}: {error.strerror}") from error


def _solved(problem: LifeProblem, reader: LifeReader, options: argparse.Namespace) -> Solved:
    reading = reader.read_position(problem.board, problem.to_move, options.seconds)
    proof = None
    if options.proof is not None and reading.status in ("alive", "dead"):
        proof = {"id": problem.id} | life_proof_record(reader)
    record = life_record(problem, reading)
    return Solved(reading.status, reading.nodes, reading.seconds, record, proof)


def life_record(problem: LifeProblem, reading: LifeReading) -> dict[str, Any]:
    """Return a reading as the JSON object that ``yomi solve --life --json`` prints."""
    return {
        "id": problem.id,
        "status": reading.status,
        "move": None if reading.move is None else format_vertex(reading.move),
        "nodes": reading.nodes,
        "seconds": round(reading.seconds, 4),
        "group": [format_vertex(point) for point in reading.goal],
    }
