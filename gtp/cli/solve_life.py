"""``yomi solve --life``: problems of life and death from the command line."""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine import BadSetup, LifeReader, LifeReading, compile_life, format_vertex, life_proof_record
from gtp.cli.command_line import in_words
from patterns_db import (
    LifeProblem,
    Malformed,
    read_life_problems,
    read_priors,
    write_whole,
)

_STATUSES = ("alive", "dead", "ko", "unknown", "malformed")


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
        return _solve_all(problems, reader, options)
    except OSError as error:
        raise BadSetup(f"{error.filename or 'output'}: {error.strerror}") from error


_MOST_NODES = 2_000_000  # a node takes 650 bytes with its edges, touched only when used


def _solve_all(
    problems: Iterator[LifeProblem | Malformed], reader: LifeReader, options: argparse.Namespace
) -> int:
    statuses: Counter[str] = Counter()
    nodes = 0
    seconds = 0.0
    proofs = []
    for problem in problems:
        # Named and left out: one bad line is not to cost the results of all others.
        if isinstance(problem, Malformed):
            print(f"yomi: {problem.id}: {problem.reason}", file=sys.stderr)
            statuses["malformed"] += 1
            continue
        reading = reader.read_position(problem.board, problem.to_move, options.seconds)
        statuses[reading.status] += 1
        nodes += reading.nodes
        seconds += reading.seconds
        record = life_record(problem, reading)
        # Flushed, so that a run that is killed has told what it solved.
        print(json.dumps(record) if options.json else in_words(record), flush=True)
        if options.proof is not None and reading.status in ("alive", "dead"):
            proofs.append(json.dumps({"id": problem.id} | life_proof_record(reader)))
    if options.proof is not None:
        write_whole(Path(options.proof), "".join(f"{proof}\n" for proof in proofs).encode())
    summary = {
        "problems": sum(statuses.values()),
        **{status: statuses[status] for status in _STATUSES},
        "nodes": nodes,
        "seconds": round(seconds, 3),
        # No time at all is possible: problems may be malformed to the last.
        "nodes_per_second": round(nodes / seconds) if seconds > 0 else 0,
    }
    print(json.dumps({"summary": summary}) if options.json else in_words(summary))
    return 1 if statuses["malformed"] else 0


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
