"""The eight symmetries of the square board, for tests that turn a position around.

Separate from ``engine.go.symmetry`` on purpose: a twin for its tests and for all that turn
positions.
"""

from engine.go.geometry import PASS, to_column_row, to_point


def transform(point: int, size: int, symmetry: int) -> int:
    """Return the image of a point under one of the eight symmetries of the board; PASS stays.

    symmetry  0..7; bit 0 mirrors the columns, bit 1 the rows, bit 2 swaps them afterwards.
              0 is the identity; 5 and 6 are each other's inverse, all others their own.
    """
    if point == PASS:
        return PASS
    column, row = to_column_row(point)
    if symmetry & 1:
        column = size + 1 - column
    if symmetry & 2:
        row = size + 1 - row
    if symmetry & 4:
        column, row = row, column
    return to_point(column, row)
