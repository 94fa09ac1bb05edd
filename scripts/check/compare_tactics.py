"""Capture problems: yomi's solver beside GNU Go's ``attack`` and ``defend``.

    python -m scripts.check.compare_tactics --problems test.jsonl --max-liberties 5 --json OUT

An answer is right when it is the problem's: captured or safe. A ko, no answer, or one that took
more processor time than allowed is wrong, for both. GNU Go (3.8, level 10) has no time limit for
reading; its own node limits end it. Skips, with a reason, where GNU Go is not installed.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from engine.errors import YomiError
from engine.tactics.solver import Reader, compile_solver
from patterns_db.problems import parse_problem
from patterns_db.shipped import SOLVER_TABLE
from patterns_db.solver_priors import read_priors

PROGRAM = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")


class Answer(NamedTuple):
    """What a program says: "captured", "safe", "ko" or "unknown", and its processor seconds."""

    value: str
    seconds: float


class GnuGo:
    """One GNU Go process that speaks GTP."""

    def __init__(self, program: str) -> None:
        self._process = subprocess.Popen(
            [program, "--mode", "gtp", "--chinese-rules"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, command: str) -> str:
        """Return the answer to a command. Raises OSError when it fails or the process ended."""
        source, sink = self._process.stdout, self._process.stdin
        assert source is not None
        assert sink is not None
        sink.write(command + "\n")
        sink.flush()
        lines = []
        while line := source.readline().strip():
            lines.append(line)
        answer = " ".join(lines)
        if not answer.startswith("="):
            raise OSError(f"GNU Go answers {command!r}: {answer!r}")
        return answer[1:].strip()

    def close(self) -> None:
        """End the process."""
        self._process.communicate("quit\n", timeout=10)

    def read(self, record: dict[str, Any], folder: Path) -> Answer:
        """Return what GNU Go says of a problem."""
        path = folder / "problem.sgf"
        path.write_text(sgf_of(record), "ascii")
        self.ask(f"loadsgf {path}")
        self.ask("clear_cache")
        start = float(self.ask("cputime"))
        attacking = record["task"] == "attack"
        answer = self.ask(f"{record['task']} {record['goal']}")
        seconds = float(self.ask("cputime")) - start
        succeeds, fails = ("captured", "safe") if attacking else ("safe", "captured")
        values = {"0": fails, "1": succeeds, "2": "ko", "3": "ko"}
        return Answer(values.get(answer.split(" ")[0], "unknown"), seconds)


def sgf_of(record: dict[str, Any]) -> str:
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
    """Compare, and print what each program got right."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--problems", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=1.0, help="of the processor, a problem")
    parser.add_argument("--solver", choices=("pns", "pp"), default="pns")
    parser.add_argument("--priors", type=Path, default=SOLVER_TABLE, help="learned priors")
    parser.add_argument("--max-liberties", type=int, default=6, help="as yomi solve has it")
    parser.add_argument("--max-problems", type=int, default=100_000, help="a random sample")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write every answer here")
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


def compare(records: list[dict[str, Any]], options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return both programs' answers to each problem, with the right one."""
    assert PROGRAM is not None
    compile_solver()
    reader = Reader(options.solver, 2_000_000, read_priors(options.priors), clock=time.process_time)
    gnugo = GnuGo(PROGRAM)
    answers = []
    with tempfile.TemporaryDirectory() as folder:
        for record in tqdm(records, file=sys.stderr):
            problem = parse_problem(record)
            reading = reader.read_chain(
                problem.board,
                problem.goal,
                problem.attacker_to_move,
                options.max_liberties,
                seconds=options.seconds,
            )
            ours = Answer(reading.value, reading.seconds)
            theirs = gnugo.read(record, Path(folder))
            if theirs.seconds > options.seconds:
                theirs = theirs._replace(value="unknown")
            entry = {
                "id": record["id"],
                "answer": record["answer"],
                "yomi": ours._asdict(),
                "gnugo": theirs._asdict(),
            }
            answers.append(entry)
            if options.json is not None:
                with options.json.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(entry) + "\n")
    gnugo.close()
    return answers


def summarize(answers: list[dict[str, Any]]) -> None:
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
