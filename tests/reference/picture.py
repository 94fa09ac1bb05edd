"""The slow twin of the picture: eyes of a dict of stones."""

from tests.reference import board
from tests.reference.board import BLACK, WHITE, Point, Stones


def is_eye(stones: Stones, size: int, point: Point, color: int) -> bool:
    """Return whether a point is a real eye by its neighbors and diagonals."""
    if point in stones or any(stones.get(n) != color for n in board.neighbors(size, point)):
        return False
    column, row = point
    corners = [(column + a, row + b) for a in (-1, 1) for b in (-1, 1)]
    hostile = sum(stones.get(corner) == BLACK + WHITE - color for corner in corners)
    at_edge = any(corner not in board.all_points(size) for corner in corners)
    return hostile == 0 if at_edge else hostile <= 1
