"""Working space of the solver's search, allocated once for each reader."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.captures.goals import MAX_LIMIT
from engine.go.board import BOARD_CELLS
from engine.go.geometry import AREA
from engine.go.zobrist import zobrist_keys
from engine.proof.descent import MOST_PLIES
from engine.proof.graph import ZONE_BYTES


class Scratch(NamedTuple):
    """Working space of one search; contents mean nothing between calls."""

    boards: npt.NDArray[np.uint16]  # (3, BOARD_CELLS)
    path: npt.NDArray[np.int64]  # (MOST_PLIES,) nodes from a leaf to the root
    moves: npt.NDArray[np.int64]  # (AREA,) candidates
    liberties: npt.NDArray[np.int64]  # (MAX_LIMIT,)
    marks: npt.NDArray[np.uint8]  # (AREA,)
    zone: npt.NDArray[np.uint8]  # (ZONE_BYTES,)
    zobrist: npt.NDArray[np.uint64]  # (3 * AREA,)


def new_scratch() -> Scratch:
    """Return fresh working space."""
    return Scratch(
        np.zeros((3, BOARD_CELLS), np.uint16),
        np.zeros(MOST_PLIES, np.int64),
        np.zeros(AREA, np.int64),
        np.zeros(MAX_LIMIT, np.int64),
        np.zeros(AREA, np.uint8),
        np.zeros(ZONE_BYTES, np.uint8),
        zobrist_keys(),
    )
