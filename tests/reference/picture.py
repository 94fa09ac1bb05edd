"""The slow twin of the picture: regions and eyes of a dict of stones, by flooding."""

from tests.reference import board
from tests.reference.board import BLACK, EMPTY, WHITE, Point, Stones
from tests.reference.components import components, touch

NEUTRAL = 3


def regions(stones: Stones, size: int) -> dict[frozenset[Point], int]:
    """Return the empty regions with the only color around them, else NEUTRAL."""
    empty = [point for point in board.all_points(size) if point not in stones]
    found = {}
    for region in components(empty, touch):
        around = {stones.get(near, EMPTY) for p in region for near in board.neighbors(size, p)}
        colors = around - {EMPTY}
        found[region] = colors.pop() if len(colors) == 1 else NEUTRAL
    return found


def is_eye(stones: Stones, size: int, point: Point, color: int) -> bool:
    """Return whether a point is a real eye by its neighbors and diagonals."""
    if point in stones or any(stones.get(n) != color for n in board.neighbors(size, point)):
        return False
    column, row = point
    corners = [(column + a, row + b) for a in (-1, 1) for b in (-1, 1)]
    hostile = sum(stones.get(corner) == BLACK + WHITE - color for corner in corners)
    at_edge = any(corner not in board.all_points(size) for corner in corners)
    return hostile == 0 if at_edge else hostile <= 1
