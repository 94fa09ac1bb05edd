"""Zobrist keys: a position's hash is the exclusive or of one key per stone (Zobrist 1970)."""

from functools import cache

import numpy as np

from engine.go.board import BLACK, COLOR, WHITE, Board, ZobristKeys
from engine.go.geometry import AREA
from engine.jit import kernel


@cache
def zobrist_keys() -> ZobristKeys:
    """Return uint64[3 * AREA]: the key of a stone is at [color * AREA + point]."""
    # Keys of EMPTY come first. The solver uses them for ko bans.
    keys = np.random.SeedSequence(1970).generate_state(3 * AREA, np.uint64)
    return np.ascontiguousarray(keys)


@kernel
def hash_position(board: Board, zobrist: ZobristKeys) -> np.uint64:
    """Return the uint64 hash of all stones of a board, computed from scratch."""
    position = np.uint64(0)
    for point in range(AREA):
        color = np.int64(board[COLOR + point])
        if color == BLACK or color == WHITE:
            position ^= zobrist[color * AREA + point]
    return position
