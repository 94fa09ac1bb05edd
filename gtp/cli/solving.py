"""Common parts of solving problems from the command line."""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from gtp.cli.command_line import in_words, say
from patterns_db.outputs import check_outputs
from patterns_db.printing import printable
from patterns_db.records.problems import Malformed
from patterns_db.store.whole_files import write_whole

Problem = TypeVar("Problem")


class Solved(NamedTuple):
    """The result of a problem.

    value   counted in the summary
    record  the JSON object that is printed
    proofs  the proofs, to be written to a file
    """

    value: str
    nodes: int
    seconds: float
    record: dict[str, Any]
    proofs: Sequence[dict[str, Any]] = ()


def check_proof(options: argparse.Namespace) -> None:
    """Check that the proofs can be written, before solving starts. Raises BadSetup."""
    if options.proof is not None:
        inputs = (options.problems, options.sgf, options.priors)
        check_outputs([Path(options.proof)], [path for path in inputs if path is not None])


def solve_all(
    problems: Iterable[Problem | Malformed],
    solve: Callable[[Problem], Solved],
    values: Sequence[str],
    options: argparse.Namespace,
) -> int:
    """Solve and print. Return the exit status: 1 when a problem was malformed, else 0.

    values   all possible ones, in the order of the summary
    options  json, proof
    Raises OSError when there is no room for the proofs.
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
