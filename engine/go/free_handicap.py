"""The stones of a free handicap."""

import math

from engine.errors import BadSetup
from engine.go.geometry import fixed_handicap, max_fixed_handicap, to_column_row, to_point


def free_handicap(size: int, stones: int) -> list[int]:
    """Return points for a free handicap; fewer than ``stones`` only if there is no room.

    The customary points come first. Every further point is as far from the others as possible,
    and not below the third line. OGS expects all stones of a large handicap.
    Raises BadSetup when the size has no handicap or fewer than two stones are requested.
    """
    most = max_fixed_handicap(size)
    if stones < 2 or most == 0:
        raise BadSetup("invalid number of stones")
    points = fixed_handicap(size, min(stones, most))
    inner = range(3, size - 1)
    places = [(column, row) for column in inner for row in inner]
    while len(points) < min(stones, len(places)):
        placed = [to_column_row(point) for point in points]
        farthest = max(places, key=lambda place: min(math.dist(place, p) for p in placed))
        points.append(to_point(*farthest))
    return points
