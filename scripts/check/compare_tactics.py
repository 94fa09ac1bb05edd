"""Compare yomi's solver with GNU Go's ``attack`` and ``defend`` on capture problems.

    python -m scripts.check.compare_tactics --problems test.jsonl --max-liberties 5 --out FILE

An answer is right when it equals the problem's: captured or safe. A ko, no answer, or too much
processor time is wrong, for both programs. GNU Go (3.8, level 10) has no time limit for reading;
its own node limits end it. Skips, with a reason, where GNU Go is not installed.
"""

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from engine.captures.reader import CaptureReader, compile_solver
from engine.errors import YomiError
from patterns_db.records.problems import parse_problem
from patterns_db.shipped import SOLVER_TABLE
from patterns_db.solvers.solver_priors import read_priors
from scripts.controller import Controller
from scripts.kept_rows import KeptRows, Row

PROGRAM = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")


class Answer(NamedTuple):
    """A program's answer, "captured", "safe", "ko" or "unknown", and its processor seconds."""

    value: str
    seconds: float


def ask_gnugo(gnugo: Controller, record: Row, folder: Path) -> Answer:
    """Return GNU Go's answer to a problem. Raises ProgramFailed."""
    path = folder / "problem.sgf"
    path.write_text(sgf_of(record), "ascii")
    gnugo.send(f"loadsgf {path}")
    # Its memory of the previous problem would shorten the time of this one.
    gnugo.send("clear_cache")
    start = float(gnugo.send("cputime"))
    attacking = record["task"] == "attack"
    answer = gnugo.send(f"{record['task']} {record['goal']}")
    seconds = float(gnugo.send("cputime")) - start
    succeeds, fails = ("captured", "safe") if attacking else ("safe", "captured")
    values = {"0": fails, "1": succeeds, "2": "ko", "3": "ko"}
    return Answer(values.get(answer.split(" ")[0], "unknown"), seconds)


def sgf_of(record: Row) -> str:
    """Return a problem's position as SGF."""
    size = int(record["size"])
    stones: dict[str, list[str]] = {"X": [], "O": []}
    for row, line in enumerate(record["board"].split("/")):
        for column, character in enumerate(line):
            if character != ".":
                stones[character].append(f"[{chr(97 + column)}{chr(97 + row)}]")
    setup = "".join(
        name + "".join(stones[character])
        for name, character in (("AB", "X"), ("AW", "O"))
        if stones[character]
    )
    return f"(;GM[1]FF[4]SZ[{size}]PL[{record['to_move'][0].upper()}]{setup})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and print the number of right answers of each program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--problems", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=1.0, help="of the processor, a problem")
    parser.add_argument("--solver", choices=("pns", "pp"), default="pns")
    parser.add_argument("--priors", type=Path, default=SOLVER_TABLE, help="learned priors")
    parser.add_argument("--max-liberties", type=int, default=6, help="as in yomi solve")
    parser.add_argument("--max-problems", type=int, default=100_000, help="a random sample")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="the answers, JSON, so that a stopped run goes on")
    options = parser.parse_args(arguments)
    if PROGRAM is None:
        print("skipped: GNU Go is not installed", file=sys.stderr)
        return 0
    try:
        text = options.problems.read_text("utf-8")
        records = [json.loads(line) for line in text.splitlines() if line.strip()]
        random.Random(options.seed).shuffle(records)
        answers = compare(records[: options.max_problems], options)
    except (OSError, ValueError, YomiError) as error:
        print(f"compare_tactics: {error}", file=sys.stderr)
        return 1
    summarize(answers)
    return 0


def compare(records: list[Row], options: argparse.Namespace) -> list[Row]:
    """Return both programs' answers to each problem, with the right one."""
    setting = {
        name: getattr(options, name) for name in ("seconds", "solver", "max_liberties", "seed")
    }
    kept = KeptRows(options.out, setting, "answers", "another comparison")
    known = {row["id"] for row in kept.rows}
    compile_solver()
    # Processor time, as GNU Go's cputime: other work on the machine counts for neither.
    reader = CaptureReader(
        options.solver, 2_000_000, read_priors(options.priors), clock=time.process_time
    )
    command = f"{PROGRAM} --mode gtp --chinese-rules"
    with tempfile.TemporaryDirectory() as folder, Controller(command) as gnugo:
        for record in tqdm([r for r in records if r["id"] not in known], file=sys.stderr):
            problem = parse_problem(record)
            reading = reader.read_chain(
                problem.board,
                problem.goal,
                problem.attacker_to_move,
                options.max_liberties,
                seconds=options.seconds,
            )
            ours = Answer(reading.value, reading.seconds)
            theirs = ask_gnugo(gnugo, record, Path(folder))
            # GNU Go cannot be stopped by time, so an answer that took longer does not count.
            if theirs.seconds > options.seconds:
                theirs = theirs._replace(value="unknown")
            kept.add({
                "id": record["id"], "answer": record["answer"],
                "yomi": ours._asdict(), "gnugo": theirs._asdict(),
            })  # fmt: skip
    return kept.rows


def summarize(answers: list[Row]) -> None:
    """Print the shares of right answers."""
    for name in ("yomi", "gnugo"):
        values = [entry[name]["value"] for entry in answers]
        right = sum(v == e["answer"] for v, e in zip(values, answers, strict=True))
        other = {v: values.count(v) for v in ("ko", "unknown") if v in values}
        wrong = len(answers) - right - sum(other.values())
        seconds = sum(entry[name]["seconds"] for entry in answers)
        print(
            f"{name}: {right}/{len(answers)} right, {wrong} contradict the answer, "
            f"{other.get('ko', 0)} ko, {other.get('unknown', 0)} unknown; {seconds:.0f} s"
        )
    only = {
        name: sum(e[name]["value"] == e["answer"] != e[rival]["value"] for e in answers)
        for name, rival in (("yomi", "gnugo"), ("gnugo", "yomi"))
    }
    print(f"right in one only: yomi {only['yomi']}, gnugo {only['gnugo']}")


if __name__ == "__main__":
    sys.exit(main())
