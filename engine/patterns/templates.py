"""The 14 nested pattern templates of Stern, Herbrich & Graepel (2006), Figure 1.

A template is a set of offsets from the move. It is symmetric under the eight rotations and
mirrorings of the square, and T_1 < T_2 < ... < T_14. Each offset therefore has one
number, its ring: the first template that contains it. T_i is the union of the rings 1..i. T_1 is
the move's own point alone. T_14 is the whole board of any size (offsets up to REACH, including
those beyond the edge).
"""

import numpy as np
import numpy.typing as npt

from engine.go.geometry import MAX_SIZE

TEMPLATES = 14
REACH = MAX_SIZE - 1
SPAN = 2 * REACH + 1
OFFSETS = SPAN * SPAN
SYMMETRIES = 8

# One octant of Figure 1, right: the ring of (dx, dy), 0 <= dy <= dx. Unlisted offsets are in 14.
_OCTANT = (
    (1,),
    (2, 3),
    (4, 5, 7),
    (6, 8, 10, 11),
    (9, 11, 11, 12, 13),
    (11, 12, 12, 13),
    (12, 13, 13),
    (13, 13),
)
NEAR_REACH = len(_OCTANT) - 1
"""Offsets farther away in either direction are in the last ring."""


def offset_index(dx: int, dy: int) -> int:
    """Return the index of an offset in the tables over all offsets, |dx|, |dy| <= REACH."""
    return (dy + REACH) * SPAN + dx + REACH


def ring_of(dx: int, dy: int) -> int:
    """Return the ring of an offset: its smallest template (Stern et al. 2006, Fig. 1)."""
    far, near = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    if far < len(_OCTANT) and near < len(_OCTANT[far]):
        return _OCTANT[far][near]
    return TEMPLATES


def transform_offset(dx: int, dy: int, symmetry: int) -> tuple[int, int]:
    """Return the image of an offset under one of the eight symmetries.

    symmetry  0..7; bit 0 mirrors dx, bit 1 dy, bit 2 swaps them afterwards (as in go.symmetry).
    """
    if symmetry & 1:
        dx = -dx
    if symmetry & 2:
        dy = -dy
    return (dy, dx) if symmetry & 4 else (dx, dy)


def ring_table() -> npt.NDArray[np.uint8]:
    """Return uint8[OFFSETS], rings by offset_index (Stern et al. 2006, Fig. 1)."""
    span = range(-REACH, REACH + 1)
    return np.array([ring_of(dx, dy) for dy in span for dx in span], np.uint8)
