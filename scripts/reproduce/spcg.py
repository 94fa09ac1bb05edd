"""Solve sums of simple probabilistic games (Zhao & Mueller).

    python -m scripts.reproduce.spcg solve FILE

FILE is JSON, a list of sums, Left to move first in each:

    [{"subgames": [{"left": [[0.6, 5], [0.4, -1]], "right": [[0.5, 2], [0.5, -4]]}, ...]}, ...]

A pair is [probability, value for Left]; Left wins a sum greater than 0. With --json the answer is
a list of {"value": P(Left wins), "best": zero-based index of the best first subgame, the lowest
on ties, "seconds": time of the solve, kernels warm}.
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.errors import BadSum, YomiError
from engine.pcg.exact import SOLVER, compile_sums, solve
from engine.pcg.game import OutcomeDistribution, SimpleGame, Sum


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status (0, 1 failed; argparse exits with 2)."""
    parser = argparse.ArgumentParser(prog="spcg", description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    solver = commands.add_parser("solve", help="exact win probability and best first subgame")
    solver.add_argument("file", type=Path, metavar="FILE", help="JSON list of sums")
    solver.add_argument("--json", action="store_true", help="answer in JSON")
    solver.add_argument(
        "--memory",
        type=int,
        default=SOLVER.default_memory >> 20,
        metavar="MIB",
        help="most memory for positions (default %(default)s MiB, enough for 20 subgames)",
    )
    options = parser.parse_args(arguments)
    try:
        answers = solve_all(read_sums(options.file), options.memory << 20)
    # Memory too: --memory may allow more than there is.
    except (YomiError, OSError, MemoryError) as error:
        reason = "not enough memory" if isinstance(error, MemoryError) else error
        print(f"spcg: {reason}", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps(answers))
    else:
        for number, answer in enumerate(answers):
            print(
                f"game {number}: Left wins with probability {answer['value']:.6f}, "
                f"best first subgame {answer['best']} ({answer['seconds']:.4f} s)"
            )
    return 0


def read_sums(path: Path) -> list[Sum]:
    """Return the sums of a JSON file; raises BadSum (saying which game) or OSError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    # Deeply nested JSON can exceed the parser's recursion limit.
    except (ValueError, RecursionError) as error:
        raise BadSum(f"{path}: not JSON: {error}") from None
    if not isinstance(data, list):
        raise BadSum(f"{path}: not a list of games")
    games = []
    for number, game in enumerate(data):
        try:
            games.append(parse_sum(game))
        except BadSum as error:
            raise BadSum(f"{path}: game {number}: {error}") from None
    return games


def parse_sum(data: Any) -> Sum:
    """Return the sum that decoded JSON describes.

    data  {"subgames": [{"left": [[probability, value], ...], "right": [...]}, ...]}
    Raises BadSum with the place in its text when the data are different.
    """
    subgames = _member(data, "subgames")
    if not isinstance(subgames, list):
        raise BadSum('"subgames" is not a list')
    parsed = []
    for i, subgame in enumerate(subgames):
        try:
            parsed.append(SimpleGame(_parse_side(subgame, "left"), _parse_side(subgame, "right")))
        except BadSum as error:
            raise BadSum(f"subgame {i}: {error}") from None
    return Sum(tuple(parsed))


def _parse_side(subgame: Any, side: str) -> OutcomeDistribution:
    """Return one side's distribution of a decoded subgame; raises BadSum."""
    points = _member(subgame, side)
    if not isinstance(points, list) or not points:
        raise BadSum(f'"{side}" is not a list of [probability, value] pairs')
    for point in points:
        if not isinstance(point, list) or len(point) != 2:
            raise BadSum(f'"{side}" has an entry that is not a [probability, value] pair')
    try:
        return OutcomeDistribution.of(*[(prob, value) for prob, value in points])
    except BadSum as error:
        raise BadSum(f'"{side}": {error}') from None


def _member(data: Any, name: str) -> Any:
    """Return a member of a decoded JSON object; raises BadSum when there is none."""
    if not isinstance(data, Mapping):
        raise BadSum(f'an object with "{name}" was expected')
    if name not in data:
        raise BadSum(f'"{name}" is missing')
    return data[name]


def solve_all(games: list[Sum], memory: int) -> list[dict[str, Any]]:
    """Return the answers for all sums; raises BadSum (saying which game) for one too large."""
    # Before any clock runs.
    compile_sums()
    answers = []
    for number, game in enumerate(games):
        begun = time.perf_counter()
        try:
            solution = solve(game, memory)
        except BadSum as error:
            raise BadSum(f"game {number}: {error}") from None
        seconds = time.perf_counter() - begun
        answers.append({"value": solution.value, "best": solution.best, "seconds": seconds})
    return answers


if __name__ == "__main__":
    sys.exit(main())
