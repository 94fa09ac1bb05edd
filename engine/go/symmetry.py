"""The symmetries (of eight) that leave a position unchanged: moves that they swap are equal."""

from collections.abc import Mapping, Sequence

import numpy as np

from engine.go.board import KO, colors_of
from engine.go.geometry import PASS, to_column_row, to_point
from engine.go.history import Game

SYMMETRIES = 8


def transformed(point: int, size: int, symmetry: int) -> int:
    """Return the image of a point under a symmetry; PASS stays PASS.

    symmetry  0..7; bit 0 mirrors the columns, bit 1 the rows, bit 2 swaps them afterwards
    """
    if point == PASS:
        return PASS
    column, row = to_column_row(point)
    if symmetry & 1:
        column = size + 1 - column
    if symmetry & 2:
        row = size + 1 - row
    return to_point(row, column) if symmetry & 4 else to_point(column, row)


def symmetries_of(game: Game) -> list[int]:
    """Return the symmetries that map every stone, and a ko, to an equal one; 0 first."""
    ko, colors, symmetries = int(game.board[KO]), colors_of(game.board), []
    for symmetry in range(SYMMETRIES):
        image = colors.T if symmetry & 4 else colors
        image = image[:: -1 if symmetry & 2 else 1, :: -1 if symmetry & 1 else 1]
        # PASS is 0, and the slot is 0 when there is no ko.
        if transformed(ko, game.size, symmetry) == ko and np.array_equal(image, colors):
            symmetries.append(symmetry)
    return symmetries


def images(point: int, size: int, symmetries: Sequence[int]) -> list[int]:
    """Return all images of a point under some symmetries, sorted; itself is one of them."""
    return sorted({transformed(point, size, symmetry) for symmetry in symmetries})


def orbit(point: int, size: int, symmetries: Sequence[int]) -> int:
    """Return one representative of all images of a point under some symmetries."""
    return images(point, size, symmetries)[0]


def equal_groups(points: Sequence[int], size: int, symmetries: Sequence[int]) -> list[list[int]]:
    """Return the places, in order, of the points that some symmetries swap, group by group."""
    groups: dict[int, list[int]] = {}
    for place, point in enumerate(points):
        groups.setdefault(orbit(point, size, symmetries), []).append(place)
    return list(groups.values())


def pooled_chances(game: Game, chances: Mapping[int, float]) -> list[tuple[int, float]]:
    """Return moves with their probabilities, the largest first; equal moves are one, the lowest."""
    symmetries = symmetries_of(game)
    sums: dict[int, float] = {}
    for point, chance in chances.items():
        first = orbit(point, game.size, symmetries)
        sums[first] = sums.get(first, 0.0) + chance
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def equal_moves(game: Game, one: int, other: int) -> bool:
    """Return whether two moves are the same one, or a symmetry of the position swaps them."""
    if one == other or PASS in (one, other):
        return one == other
    symmetries = symmetries_of(game)
    return orbit(one, game.size, symmetries) == orbit(other, game.size, symmetries)
