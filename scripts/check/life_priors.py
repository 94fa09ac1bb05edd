"""Measure the worth of learned weights in life-and-death problems, in nodes and in time.

    python -m scripts.check.life_priors --problems tsumego-test.jsonl --nodes 100000 --out FILE

The first group that the solver finds in each problem is read with its learned weights
(``life.table``) and without any. Proof numbers and probability propagation both read it, with the
same nodes for each search. All four ways answer the same question, so two decided answers must
agree. Proof numbers without weights are the base of all comparisons. The same command continues a
run that was stopped.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Literal

from tqdm import tqdm

from engine.life.goal import find_questions
from engine.life.reader import LifeReader, compile_life
from engine.picture.picture import picture_of
from patterns_db.records.problems import LifeProblem, read_life_problems
from patterns_db.shipped import LIFE_TABLE
from patterns_db.solvers.life_weights import read_life_weights
from scripts.failures import reported
from scripts.kept_rows import KeptRows, Row
from scripts.tables import print_table

HARD = 1_000  # nodes that the first way needs; easier problems say little
WAYS: tuple[tuple[str, Literal["pns", "pp"], bool], ...] = (
    ("proof numbers, none", "pns", False),
    ("proof numbers, learned", "pns", True),
    ("probabilities, none", "pp", False),
    ("probabilities, learned", "pp", True),
)
HEADER = ("", "decided", "new", "lost", "fewer", "hard: fewer", "seconds", "otherwise")


def read_one(problem: LifeProblem, readers: dict[str, LifeReader]) -> Row | None:
    """Return the results of all ways on a problem; None where no group is found."""
    question = next(find_questions(picture_of(problem.board)), None)
    if question is None:
        return None
    row: Row = {"id": problem.id}
    for name, reader in readers.items():
        reading = reader.read_group(problem.board, question, problem.to_move)
        row[name] = [reading.status, reading.nodes, round(reading.seconds, 4)]
    return row


def compared(rows: list[Row], base: str, other: str) -> list[float | int | str]:
    """Return a row of HEADER. Medians are of ratios where both decide, HARD problems apart."""
    both = [(row[base], row[other]) for row in rows]
    known = [(a, b) for a, b in both if a[0] != "unknown" and b[0] != "unknown"]
    hard = [(a, b) for a, b in known if a[1] > HARD]

    def ratio(pairs: list[tuple[list[float], list[float]]], column: int) -> float:
        return median(a[column] / max(b[column], 1e-4) for a, b in pairs) if pairs else 0.0

    return [
        other,
        sum(b[0] != "unknown" for _, b in both),
        sum(a[0] == "unknown" != b[0] for a, b in both),
        sum(b[0] == "unknown" != a[0] for a, b in both),
        ratio(known, 1),
        ratio(hard, 1),
        ratio(hard, 2),
        sum(a[0] != b[0] for a, b in known),
    ]


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Read what is missing and print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--problems", type=Path, required=True)
    parser.add_argument("--nodes", type=int, default=100_000, help="of one search")
    parser.add_argument("--every", type=int, default=1, help="only every n-th problem")
    parser.add_argument("--out", type=Path, metavar="FILE", help="so that a stopped run goes on")
    options = parser.parse_args(arguments)
    setting = {"problems": options.problems.name, "nodes": options.nodes, "every": options.every}
    kept = KeptRows(options.out, setting)
    problems = list(read_life_problems(options.problems))[:: options.every]
    compile_life()
    weights = read_life_weights(LIFE_TABLE)
    readers = {
        # Processor time, because the machine may have other work.
        name: LifeReader(way, options.nodes, weights if learned else None, time.process_time)
        for name, way, learned in WAYS
    }
    # A problem without a group keeps an empty row, so that rows and problems stay aligned.
    for problem in tqdm(problems[len(kept.rows) :], unit=" problems", file=sys.stderr):
        kept.add(read_one(problem, readers) or {"id": problem.id})
    rows = [row for row in kept.rows if len(row) > 1]
    names = [name for name, _, _ in WAYS]
    hard = sum(row[names[0]][0] != "unknown" and row[names[0]][1] > HARD for row in rows)
    print(f"{len(rows)} of {len(kept.rows)} problems with a group, {hard} of them hard")
    print_table(HEADER, [compared(rows, names[0], name) for name in names])
    return 0


if __name__ == "__main__":
    sys.exit(main())
