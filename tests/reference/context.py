"""Slow twin of engine.patterns.context, on sgfmill boards. Points are (column, row) from 1."""

from typing import NamedTuple

from sgfmill.boards import Board

from tests.reference import patterns
from tests.reference.patterns import OTHER, SYMMETRIES, Point, chain_of, color_at, liberties_of

FEW = 5  # liberties are counted up to this number
COARSE = (0, 0, 1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 7, 8, 8, 8, 8, 9)  # by class of distance
FOOTPRINT = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class Moves(NamedTuple):
    """The last three moves, the newest first."""

    last: Point | None
    before: Point | None
    third: Point | None


def near(point: Point | None, other: Point | None) -> int:
    """Return the class of a distance, 0..9."""
    return COARSE[patterns.distance_class(point, other)] if point and other else 0


def fewest(board: Board, stones: list[Point], most: int) -> int:
    """Return the fewest liberties of the chains of some stones, counted up to ``most``."""
    counts = [min(len(liberties_of(board, chain_of(board, stone))), most) for stone in stones]
    return min(counts, default=FEW)


def fight(board: Board, player: str, last: Point | None) -> tuple[int, int]:
    """Return the liberties of the last move's chain, and of the player's weakest beside it."""
    if last is None or color_at(board, last) != OTHER[player]:
        return 0, FEW
    beside = [p for p in patterns.neighbors(last) if color_at(board, p) == player]
    return fewest(board, [last], FEW - 1), fewest(board, beside, FEW)


def nearby(board: Board, point: Point, player: str) -> tuple[int, int]:
    """Return the fewest liberties of either side's chains up to two steps away."""
    around = [
        (point[0] + dx, point[1] + dy)
        for dx in range(-2, 3)
        for dy in range(-2, 3)
        if abs(dx) + abs(dy) <= 2
    ]
    own, other = (
        fewest(board, [p for p in around if color_at(board, p) == color], FEW - 1)
        for color in (player, OTHER[player])
    )
    return own, other


def offset(point: Point, other: Point | None) -> int:
    """Return the class of the offset between two points, up to symmetry."""
    if other is None:
        return 0
    sides = sorted((abs(point[0] - other[0]), abs(point[1] - other[1])))
    pairs = [(near, far) for far in range(8) for near in range(far + 1)]
    pair = sides[0], sides[1]
    return pairs.index(pair) + 1 if pair in pairs else 0


def answer(board: Board, point: Point, player: str, move: Point | None, reach: int) -> object:
    """Return the neighborhood of a move and the offset from it, up to symmetry; None: too far."""
    if move is None or max(abs(point[0] - move[0]), abs(point[1] - move[1])) > reach:
        return None
    stones = {d: color_at(board, (move[0] + d[0], move[1] + d[1])) for d in FOOTPRINT}
    if player == "w":
        stones = {d: OTHER.get(color, color) for d, color in stones.items()}
    away = point[0] - move[0], point[1] - move[1]
    return min(
        (sorted((turn(*d), color) for d, color in stones.items()), turn(*away))
        for turn in SYMMETRIES
    )


def context(
    board: Board, point: Point, player: str, moves: Moves, template: int, evidence: dict[str, int]
) -> dict[str, tuple[int, ...]]:
    """Return what tells the classes of every group but the hashed ones apart, as tuples."""
    last, before, third = moves
    away = near(point, last)
    captures, ataris = evidence["capture"], evidence["atari"]
    return {
        "pair": (away, near(point, before)),
        "gap": (away, near(last, before)),
        "third": (offset(point, third),),
        "contact": (evidence["contact"], *fight(board, player, last)),
        "line": (min(patterns.line_of(board, point), 5), away),
        "capture": (captures, away) if captures else (),
        "atari": (ataris, away) if ataris else (),
        "nearby": nearby(board, point, player),
        "template": (template, away),
    }
