"""Slow twin of engine.patterns.responses, on sgfmill boards. Points are (column, row) from 1."""

from sgfmill.boards import Board

from tests.reference.patterns import (
    RING,
    SYMMETRIES,
    Point,
    chain_of,
    color_at,
    liberties_of,
    pattern_at,
)


def stones(board: Board, point: Point, player: str, template: int) -> dict[Point, str]:
    """Return the stones and the edge in a template around a point, by offset."""
    seen = pattern_at(board, point, player)
    return {d: c for d, c in seen.items() if c != "e" and RING[d] <= template}


def response(
    board: Board, point: Point, player: str, move: Point | None, template: int, own: bool
) -> object:
    """Return what tells the classes of one kind apart, up to symmetry; None for no class."""
    if move is None or color_at(board, move) == "e":
        return None
    away = point[0] - move[0], point[1] - move[1]
    if max(map(abs, away)) > 5:
        return None
    there = stones(board, move, player, template)
    here = stones(board, point, player, 3) if own else {}
    turned = min(
        (
            turn(*away),
            sorted((turn(*d), color) for d, color in there.items()),
            sorted((turn(*d), color) for d, color in here.items()),
        )
        for turn in SYMMETRIES
    )
    return min(len(liberties_of(board, chain_of(board, move))), 4), turned
