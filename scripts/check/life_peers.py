r"""Compare first moves of yomi and of GNU Go with the books', in life-and-death problems.

    yomi solve --life --problems FILE.jsonl --seconds 5 --json > yomi.jsonl
    python -m scripts.check.life_peers --problems FILE.jsonl --yomi yomi.jsonl --gnugo gnugo

GNU Go is asked about the same group: ``owl_attack`` or ``owl_defend`` on each of its chains, the
largest first, until one answers with a move.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.significance import wilson_interval

_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def gtp_setup(problem: dict[str, Any]) -> list[str]:
    """Return the GTP commands that put a problem on the board."""
    size = problem["size"]
    commands = [f"boardsize {size}", "clear_board"]
    for row, line in enumerate(problem["board"].split("/")):
        for column, stone in enumerate(line):
            if stone != ".":
                color = "black" if stone == "X" else "white"
                commands.append(f"play {color} {_COLUMNS[column]}{size - row}")
    return commands


def color_at(problem: dict[str, Any], vertex: str) -> str:
    """Return the color of the stone on a vertex."""
    row = problem["board"].split("/")[problem["size"] - int(vertex[1:])]
    return "black" if row[_COLUMNS.index(vertex[0])] == "X" else "white"


def ask_gnugo(program: str, problem: dict[str, Any], group: list[str]) -> str | None:
    """Return GNU Go's move for a group, None if it has none."""
    if not group:
        return None
    defends = color_at(problem, group[0]) == problem["to_move"]
    command = "owl_defend" if defends else "owl_attack"
    commands = gtp_setup(problem) + [f"{command} {vertex}" for vertex in group] + ["quit"]
    done = subprocess.run(
        [program, "--mode", "gtp", "--level", "10"],
        input="\n".join(commands) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [reply[1:].split() for reply in done.stdout.split("\n\n") if reply.startswith("=")]
    for answer in answers[len(gtp_setup(problem)) : -1]:
        if len(answer) > 1 and answer[0] != "0" and answer[1] != "PASS":
            return answer[1]
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Count right first moves and print them, by level and with intervals."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--problems", type=Path, required=True, help="with correct_moves")
    parser.add_argument("--yomi", type=Path, required=True, help="the output of yomi solve --life")
    parser.add_argument("--gnugo", metavar="PROGRAM", help="ask this GNU Go as well")
    options = parser.parse_args(arguments)
    lines = options.problems.read_text(encoding="utf-8").splitlines()
    problems = {problem["id"]: problem for problem in map(json.loads, filter(None, lines))}
    right: Counter[tuple[str, str]] = Counter()
    asked: Counter[str] = Counter()
    statuses: Counter[tuple[str, bool]] = Counter()
    for line in options.yomi.read_text(encoding="utf-8").splitlines():
        answer = json.loads(line)
        if "id" not in answer:
            continue
        problem = problems[answer["id"]]
        moves = {"yomi": answer["move"]}
        if options.gnugo:
            moves["GNU Go"] = ask_gnugo(options.gnugo, problem, answer["group"])
        for level in ("all", str(problem.get("level", ""))):
            asked[level] += 1
            for player, move in moves.items():
                right[player, level] += move in problem["correct_moves"]
        statuses[answer["status"], answer["move"] in problem["correct_moves"]] += 1
    for (player, level), count in sorted(right.items()):
        low, high = wilson_interval(count, asked[level])
        print(f"{player}, {level}: {count} of {asked[level]} right ({low:.0%} to {high:.0%})")
    for status in sorted({status for status, _ in statuses}):
        print(f"{status}: {statuses[status, True]} right, {statuses[status, False]} wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
