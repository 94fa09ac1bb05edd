"""Problems from JSON lines, the format of the problem sets, or from a position of a game record.

Only ``id, size, to_move, attacker, goal, task, board`` of a capture problem are read, and ``id,
size, to_move, board`` of a problem of life and death. Answers are never read.
"""

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from engine.errors import BadSetup, BadVertex, SgfError, YomiError
from engine.go.board import BLACK, COLOR, EMPTY, WHITE, Board, empty_board
from engine.go.geometry import format_vertex, parse_vertex, to_point
from engine.go.history import Game
from engine.go.setup import set_up_stones
from engine.picture.picture import picture_of
from patterns_db.records import record_values
from patterns_db.records.members import record_bytes
from patterns_db.records.replay import replay_record, terms_of
from patterns_db.records.sgf import MainLine, Play, read_main_line

_Parsed = TypeVar("_Parsed", "Problem", "LifeProblem")
_COLORS = {"black": BLACK, "white": WHITE}
_MARKS = ("TR", "MA", "CR", "SQ", "SL")  # properties by which players mark a stone


@dataclass(frozen=True)
class Problem:
    """One chain and the side that moves first. ``goal`` is a point of the padded board."""

    id: str
    board: Board
    goal: int
    attacker_to_move: bool


@dataclass(frozen=True)
class LifeProblem:
    """A position with a group whose life is in question, and the color that moves first."""

    id: str
    board: Board
    to_move: int


@dataclass(frozen=True)
class Malformed:
    """A problem that cannot be solved, with the reason."""

    id: str
    reason: str


def _require(record: dict[str, Any], *keys: str) -> None:
    """Raise BadSetup when a problem lacks a field."""
    missing = [key for key in keys if key not in record]
    if missing:
        raise BadSetup(f"without {missing[0]}")


def _id(record: dict[str, Any]) -> str:
    """Return the name of a problem; "" if it has none. Numbers and others are written as JSON."""
    name = record.get("id", "")
    return name if isinstance(name, str) else json.dumps(name)


def _parse_board(record: dict[str, Any]) -> Board:
    """Return the board of a problem. Raises BadSetup."""
    size = record["size"]
    if type(size) is not int:  # in Python, true is an int too
        raise BadSetup("size must be a whole number")
    empty_board(size)  # raises for an impossible size
    rows = str(record["board"]).split("/")
    if len(rows) != size or any(len(row) != size for row in rows):
        raise BadSetup(f"board is not {size} rows of {size} points, joined by /")
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
    """Return the problem of life and death in a JSON object. Raises BadSetup."""
    _require(record, "size", "to_move", "board")
    board = _parse_board(record)
    if str(record["to_move"]) not in _COLORS:
        raise BadSetup("to_move must be black or white")
    return LifeProblem(_id(record), board, _COLORS[record["to_move"]])


def parse_problem(record: dict[str, Any]) -> Problem:
    """Return the capture problem in a JSON object. Raises BadSetup or BadVertex."""
    _require(record, "size", "to_move", "attacker", "goal", "board")
    board = _parse_board(record)
    if not isinstance(record["goal"], str):
        raise BadSetup("goal must be a point such as C3")
    goal = parse_vertex(record["goal"], record["size"])
    if not {str(record["to_move"]), str(record["attacker"])} <= _COLORS.keys():
        raise BadSetup("to_move and attacker must be black or white")
    attacker = _COLORS[record["attacker"]]
    if goal == 0 or board[COLOR + goal] == EMPTY:
        raise BadSetup(f"no stone on the goal {record['goal']}")
    if board[COLOR + goal] == attacker:
        raise BadSetup(f"the goal {record['goal']} belongs to the attacker")
    # Both fields state the same. The task, if given, is a third statement and must agree.
    attacker_to_move = record["to_move"] == record["attacker"]
    if record.get("task") not in (None, "attack" if attacker_to_move else "defend"):
        raise BadSetup("task must be attack if the attacker is to move, else defend")
    return Problem(_id(record), board, goal, attacker_to_move)


def read_problems(path: Path) -> Iterator[Problem | Malformed]:
    """Yield the capture problems in a file of JSON lines. A bad one becomes a Malformed.

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
                    raise BadSetup("not a JSON object")
                name = _id(record) or name
                yield parse(record)
            except json.JSONDecodeError as error:
                yield Malformed(name, f"not JSON: {error.msg} at character {error.pos + 1}")
            except (ValueError, RecursionError, YomiError) as error:  # deep JSON recurses
                yield Malformed(name, str(error))


def read_sgf_problem(path: Path, goal: str | None = None, move: int | None = None) -> Problem:
    """Return a position of a record's main line, with the chain to read.

    goal  a vertex with a stone; None: the stone that the record marks (TR, MA, CR, SQ or SL)
    move  the position after this many moves; None: the first one, or the first with a mark
    The side to move is that of the record's next move, else ``PL``, else Black at the beginning.
    Raises SgfError, BadVertex, BadSetup or OSError.
    """
    data = record_bytes(path)
    try:
        line = read_main_line(data)
        marks = _marks(line)
        if move is None and goal is None:
            move = next((n for n, points in marks.items() if _stones(_after(line, n), points)), 0)
        game = _after(line, move or 0)
    except SgfError as error:
        raise SgfError(f"{path}: {error}") from error
    _check_reached(path, line, move or 0)
    if goal is None:
        point = _only_chain(game, _stones(game, marks.get(move or 0, set())))
    else:
        point = parse_vertex(goal, game.size)
        if point == 0 or game.color_at(point) == EMPTY:
            raise BadVertex(f"no stone on the goal {goal} after {move or 0} moves")
    return Problem(path.stem, game.board.copy(), point, game.color_at(point) != game.to_play)


def read_sgf_life_problem(path: Path, move: int = 0) -> LifeProblem:
    """Return the position of a record's main line after some moves.

    The side to move is that of ``read_sgf_problem``. Raises SgfError, BadSetup or OSError.
    """
    data = record_bytes(path)
    try:
        line = read_main_line(data)
        game = _after(line, move)
    except SgfError as error:
        raise SgfError(f"{path}: {error}") from error
    _check_reached(path, line, move)
    return LifeProblem(path.stem, game.board.copy(), game.to_play)


def _check_reached(path: Path, line: MainLine, move: int) -> None:
    """Raise BadSetup if a record has fewer moves."""
    if move > len(line.record.moves):
        raise BadSetup(f"{path}: there are {len(line.record.moves)} moves, not {move}")


def _after(line: MainLine, moves: int) -> Game:
    terms = terms_of(line.record)
    return replay_record(line.record, terms.rules, terms.komi, moves)


def _marks(line: MainLine) -> dict[int, set[int]]:
    """Return the marked points of each main-line position, by the number of moves before it."""
    marks: dict[int, set[int]] = {}
    played = 0
    for node, events in zip(line.file.get_main_sequence(), line.nodes, strict=True):
        played += sum(isinstance(event, Play) for event in events)
        for name in filter(node.has_property, _MARKS):
            for value in node.get_raw_list(name):
                # Marks off the board are in many records, and no reader shows them.
                with contextlib.suppress(SgfError):
                    stones = record_values.stones_of([value], line.record.size)
                    marks.setdefault(played, set()).update(stones)
    return marks


def _stones(game: Game, points: set[int]) -> list[int]:
    return sorted(point for point in points if game.color_at(point) != EMPTY)


def _only_chain(game: Game, stones: list[int]) -> int:
    """Return the first of some stones, which must be of one chain. Raises BadSetup."""
    if not stones:
        raise BadSetup("no stone is marked (TR, MA, CR, SQ or SL): name one with --goal VERTEX")
    chains = [min(chain.stones) for chain in picture_of(game.board).chains_of(stones)]
    if len(chains) > 1:
        names = ", ".join(format_vertex(chain) for chain in chains)
        raise BadSetup(f"{len(chains)} chains are marked ({names}): choose one with --goal VERTEX")
    return stones[0]
