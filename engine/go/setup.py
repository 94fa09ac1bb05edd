"""Stones added without play, and handicap stones among moves."""

from collections.abc import Collection, Sequence

from engine.errors import BadSetup
from engine.go.board import BLACK, WHITE, Board, empty_board, is_legal, place
from engine.go.geometry import PASS, board_points, format_vertex


def set_up_board(size: int, black: Collection[int], white: Collection[int]) -> Board:
    """Return a board with the stones of both colors, see ``set_up_stones``."""
    return set_up_stones(size, [*((p, BLACK) for p in black), *((p, WHITE) for p in white)])


def set_up_stones(size: int, stones: Sequence[tuple[int, int]]) -> Board:
    """Return a board with (point, color) stones.

    Raises BadSetup when a point is named twice or off the board, or a chain would have no liberty.
    """
    require_distinct([point for point, _ in stones], size)
    board = empty_board(size)
    # The stones can have any order. The missing stones of an incomplete chain are liberties, so
    # nothing is captured on the way to a legal position.
    for point, color in stones:
        if not is_legal(board, point, color) or place(board, point, color) > 0:
            raise BadSetup(f"a chain without liberties at or beside {format_vertex(point)}")
    return board


def require_distinct(points: list[int], size: int) -> None:
    """Raise BadSetup when a point is named twice or lies off the board."""
    if len(set(points)) < len(points) or not set(points).issubset(board_points(size)):
        raise BadSetup("bad vertex list: a point twice or off the board")


def opening_stones(moves: Sequence[tuple[int, int]]) -> int:
    """Return the number of stones that Black's (color, point) moves add before White's first.

    0 if White, too, moves twice in a row: the moves set up a position. White's passes do not count.
    Source: KataGo, BoardHistory, computeNumHandicapStones.
    """
    count = 0
    for number, (color, point) in enumerate(moves, start=1):
        if color == BLACK:
            count += point != PASS
            continue
        if number < len(moves) and moves[number][0] == WHITE:
            return 0
        if point != PASS:
            break
    return count
