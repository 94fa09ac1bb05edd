"""Points of the padded board, vertices and the handicap points.

    point = row * STRIDE + column        rows and columns counted from 1, row 1 at the bottom

STRIDE is the same for all sizes, so the neighbors of a point are the same four constants, and a
playout is 5 % faster. Column 0, row 0 and the points beyond the board's size are wall. Point 0 is a
corner of the wall that no stone can reach: it doubles as ``PASS``.
"""

import functools
import math

from engine.errors import BadSetup, BadVertex
from engine.jit import kernel

MIN_SIZE = 2
MAX_SIZE = 25
# One column of wall serves as the right edge of a row and the left edge of the next.
STRIDE = MAX_SIZE + 1
AREA = STRIDE * (MAX_SIZE + 2) + 2  # one more for the last corner's diagonal, made even
PASS = 0

COLUMN_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # GTP skips I


def to_point(column: int, row: int) -> int:
    """Return the point at a column and row, both counted from 1 at the lower left corner."""
    return row * STRIDE + column


def to_column_row(point: int) -> tuple[int, int]:
    """Return (column, row) of a point, both counted from 1 at the lower left corner."""
    return point % STRIDE, point // STRIDE


@kernel(inlined=True)
def neighbors(point: int) -> tuple[int, int, int, int]:
    """Return the four points around a point, including walls: east, west, north, south."""
    return point + 1, point - 1, point + STRIDE, point - STRIDE


@kernel(inlined=True)
def diagonals(point: int) -> tuple[int, int, int, int]:
    """Return the four points diagonal to a point, including walls."""
    return point + STRIDE + 1, point + STRIDE - 1, point - STRIDE + 1, point - STRIDE - 1


def lines_apart(one: int, other: int) -> int:
    """Return how many lines two points are apart, by columns or rows, whichever is more."""
    (a, b), (c, d) = to_column_row(one), to_column_row(other)
    return max(abs(a - c), abs(b - d))


def board_points(size: int) -> list[int]:
    """Return all points of a board, row by row from the bottom, columns from the left."""
    return list(_points_of(size))


@functools.cache
def _points_of(size: int) -> tuple[int, ...]:
    lines = range(1, size + 1)
    return tuple(to_point(column, row) for row in lines for column in lines)


def parse_vertex(text: str, size: int) -> int:
    """Return the point that a GTP vertex names ("D4", any case), PASS for "pass".

    Raises BadVertex when the text is not a vertex or lies outside a board of this size.
    """
    word = text.strip().upper()
    if word == "PASS":
        return PASS
    column = COLUMN_LETTERS.find(word[:1]) + 1 if word else 0
    digits = word[1:]
    if column == 0 or not (digits.isascii() and digits.isdigit() and len(digits) <= 3):
        raise BadVertex(f"no such point: {text[:20]}; points look like E5 (no column I)")
    row = int(digits)
    if not (1 <= column <= size and 1 <= row <= size):
        raise BadVertex(f"{word} is outside the {size}x{size} board")
    return to_point(column, row)


def format_vertex(point: int) -> str:
    """Return the GTP vertex of a point, upper case; "pass" for PASS."""
    if point == PASS:
        return "pass"
    column, row = to_column_row(point)
    return f"{COLUMN_LETTERS[column - 1]}{row}"


def max_fixed_handicap(size: int) -> int:
    """Return the most stones in the GTP 2 table of fixed handicaps for a size (0: none)."""
    if size < 7:
        return 0
    # Even sizes have no middle point. The GTP draft gives 7x7 only the corners.
    return 9 if size % 2 == 1 and size >= 9 else 4


def fixed_handicap(size: int, stones: int) -> list[int]:
    """Return the points of a fixed handicap, in the order of the GTP 2 draft, section 4.1.1.

    Raises BadSetup when the table has no such handicap.
    """
    most = max_fixed_handicap(size)
    if not 2 <= stones <= most:
        numbers = f"handicaps of 2 to {most} stones" if most else "no handicap"
        raise BadSetup(f"a {size}x{size} board has {numbers}")
    low = 4 if size >= 13 else 3
    high, middle = size + 1 - low, (size + 1) // 2
    corners = [(low, low), (high, high), (low, high), (high, low)]
    left_right = [(low, middle), (high, middle)]
    low_high = [(middle, low), (middle, high)]
    center = [(middle, middle)]
    places = {
        5: corners + center,
        6: corners + left_right,
        7: corners + left_right + center,
        8: corners + left_right + low_high,
        9: corners + left_right + low_high + center,
    }.get(stones, corners[:stones])
    return [to_point(column, row) for column, row in places]


def free_handicap(size: int, stones: int) -> list[int]:
    """Return points for a free handicap; fewer than ``stones`` only if there is no room.

    The customary points come first. Every further point is as far from the others as possible, and
    not below the third line. OGS expects all stones of a large handicap. Raises BadSetup when the
    size has no handicap or fewer than two stones are requested.
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
