"""Problems: JSON lines as the problem sets have them, or one SGF file and a goal.

Only ``id, size, to_move, attacker, goal, task, board`` of a capture problem are read, and ``id,
size, to_move, board`` of a problem of life and death; never an answer.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sgfmill import sgf, sgf_moves

from engine.errors import BadSetup, BadVertex, MoveCode, SgfError, YomiError
from engine.go.board import (
    BLACK,
    COLOR,
    EMPTY,
    WHITE,
    Board,
    empty_board,
    legality,
    place,
)
from engine.go.chains import count_liberties
from engine.go.geometry import parse_vertex, to_point

_Parsed = TypeVar("_Parsed", "Problem", "LifeProblem")
_COLORS = {"black": BLACK, "white": WHITE}


@dataclass(frozen=True)
class Problem:
    """One chain and the side that moves first. ``goal`` is a point of the padded board."""

    id: str
    board: Board
    goal: int
    attacker_to_move: bool


@dataclass(frozen=True)
class LifeProblem:
    """A position in which some group lives or dies, and the color that moves first."""

    id: str
    board: Board
    to_move: int


@dataclass(frozen=True)
class Malformed:
    """A problem that cannot be solved, and why."""

    id: str
    reason: str


def set_up_stones(size: int, stones: list[tuple[int, int]]) -> Board:
    """Return a board with the given (point, color) stones.

    Raises BadSetup when a point is taken twice or a chain has no liberty.
    """
    board = empty_board(size)
    final = empty_board(size)  # colors only: who is there in the end
    for point, color in stones:
        if final[COLOR + point] != EMPTY:
            raise BadSetup("two stones on one point")
        # Apart from the real board, which cannot take every stone at once.
        final[COLOR + point] = color
    waiting = list(stones)
    while waiting:  # a stone that could not breathe yet waits for its chain
        left = []
        # Only legal moves keep the board's chains and counts right; their order is free.
        for point, color in waiting:
            if legality(board, point, color, False) == MoveCode.LEGAL:
                if place(board, point, color):
                    raise BadSetup("a chain without liberties")
            else:
                left.append((point, color))
        # No stone more could be put down, so none ever will.
        if len(left) == len(waiting):
            raise BadSetup("a chain without liberties")
        waiting = left
    board[1:3] = 0  # no ko ban: nothing was played here
    for point, _ in stones:
        if count_liberties(board, point, 1) == 0:
            raise BadSetup("a chain without liberties")
    return board


def _require(record: dict[str, Any], *keys: str) -> None:
    """Raise BadSetup when a problem lacks something."""
    missing = [key for key in keys if key not in record]
    if missing:
        raise BadSetup(f"without {missing[0]}")


def _parse_board(record: dict[str, Any]) -> Board:
    """Return the board of a problem. Raises BadSetup."""
    size = record["size"]
    if not isinstance(size, int):
        raise BadSetup(f"size is no number: {size!r}")
    empty_board(size)  # raises for a size that there is not
    rows = str(record["board"]).split("/")
    if len(rows) != size or any(len(row) != size for row in rows):
        raise BadSetup(f"board is not {size}x{size}")
    if any(character not in "XO." for row in rows for character in row):
        raise BadSetup("board with a character other than X, O and .")
    stones = [
        (to_point(column, size - i), BLACK if character == "X" else WHITE)
        for i, row in enumerate(rows)
        for column, character in enumerate(row, start=1)
        if character != "."
    ]
    return set_up_stones(size, stones)


def parse_life_problem(record: dict[str, Any]) -> LifeProblem:
    """Return the problem of life and death that a JSON object states. Raises BadSetup."""
    _require(record, "size", "to_move", "board")
    board = _parse_board(record)
    if str(record["to_move"]) not in _COLORS:
        raise BadSetup("to_move must be black or white")
    return LifeProblem(str(record.get("id", "")), board, _COLORS[record["to_move"]])


def parse_problem(record: dict[str, Any]) -> Problem:
    """Return the capture problem that a JSON object states. Raises BadSetup or BadVertex."""
    _require(record, "size", "to_move", "attacker", "goal", "board")
    board = _parse_board(record)
    goal = parse_vertex(str(record["goal"]), int(record["size"]))
    if not {str(record["to_move"]), str(record["attacker"])} <= _COLORS.keys():
        raise BadSetup("to_move and attacker must be black or white")
    attacker = _COLORS[record["attacker"]]
    if goal == 0 or board[COLOR + goal] == EMPTY:
        raise BadSetup(f"no stone on the goal {record['goal']}")
    if board[COLOR + goal] == attacker:
        raise BadSetup(f"the goal {record['goal']} belongs to the attacker")
    # Two statements of one thing; the task, where it is given, is a third and has to agree.
    attacker_to_move = record["to_move"] == record["attacker"]
    if record.get("task") not in (None, "attack" if attacker_to_move else "defend"):
        raise BadSetup(f"task {record['task']!r} does not fit the side to move")
    return Problem(str(record.get("id", "")), board, goal, attacker_to_move)


def read_problems(path: Path) -> Iterator[Problem | Malformed]:
    """Yield the capture problems of a file of JSON lines; a bad one becomes a Malformed.

    Raises OSError when the file cannot be read.
    """
    return _read_lines(path, parse_problem)


def read_life_problems(path: Path) -> Iterator[LifeProblem | Malformed]:
    """Yield the problems of life and death of a file, as ``read_problems`` does."""
    return _read_lines(path, parse_life_problem)


def _read_lines(
    path: Path, parse: Callable[[dict[str, Any]], _Parsed]
) -> Iterator[_Parsed | Malformed]:
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            name = f"line {number}"
            try:
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise BadSetup("no JSON object")
                name = str(record.get("id", name))
                yield parse(record)
            except (ValueError, RecursionError, YomiError) as error:  # deep JSON recurses
                yield Malformed(name, str(error))


def read_sgf_problem(path: Path, goal: str) -> Problem:
    """Return the position an SGF file sets up in its first node, with a goal; moves are not played.

    The side to move is ``PL``, else Black. Raises SgfError, BadVertex, BadSetup or OSError.
    """
    try:
        game = sgf.Sgf_game.from_bytes(path.read_bytes())
        position, _ = sgf_moves.get_setup_and_moves(game)
        root = game.get_root()
        to_move = root.get("PL") if root.has_property("PL") else "b"
    except ValueError as error:
        raise SgfError(f"{path}: {error}") from error
    size = game.get_size()
    stones = [
        (to_point(column + 1, row + 1), BLACK if color == "b" else WHITE)
        for color, (row, column) in position.list_occupied_points()
    ]
    board = set_up_stones(size, stones)
    point = parse_vertex(goal, size)
    if point == 0 or board[COLOR + point] == EMPTY:
        raise BadVertex(f"no stone on the goal {goal}")
    mover = BLACK if to_move == "b" else WHITE
    return Problem(path.stem, board, point, board[COLOR + point] != mover)
