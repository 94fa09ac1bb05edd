"""The pattern classes of one move at a time, from the stones on the board.

Harvesting needs this for every expert move. ``engine.patterns.matching`` updates the hashes of all
vertices instead, which is faster when all candidates are needed.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import Ints
from engine.go.board import COLOR, EMPTY, SIZE, Board, empty_board
from engine.go.geometry import STRIDE
from engine.jit import kernel
from engine.patterns.evidence import new_memory
from engine.patterns.features import (
    FACTS,
    ChainLiberties,
    feature_bits,
    forget_liberties,
    new_liberties,
    study_move,
)
from engine.patterns.hashing import (
    LINE_KEYS,
    PLAYER_KEYS,
    VERTEX_KEYS,
    Keys,
    RingHashes,
    new_hashes,
)
from engine.patterns.templates import OFFSETS, REACH, SPAN, TEMPLATES


class Walker(NamedTuple):
    """Scratch for replaying games and computing the keys of one move at a time."""

    board: Board
    memory: Ints
    hashes: RingHashes  # of the empty board; never changed
    chains: ChainLiberties
    facts: Ints
    sums: Keys  # uint64[14 * 8], the rings around one move
    keys: Keys  # uint64[14], the classes of one move


def new_walker(size: int) -> Walker:
    """Return scratch for boards of a size."""
    return Walker(
        board=empty_board(size), memory=new_memory(), hashes=new_hashes(size),
        chains=new_liberties(), facts=np.zeros(FACTS, np.int64),
        sums=np.zeros(TEMPLATES * LINE_KEYS, np.uint64), keys=np.zeros(TEMPLATES, np.uint64),
    )  # fmt: skip


@kernel
def take_keys(walker: Walker, point: int, color: int) -> None:
    """Compute the classes of all templates around one move, from the stones on the board.

    A single vertex is cheaper to compute from scratch than by updating all vertices' hashes, as
    ``matching`` does.
    walker  Walker; keys and scratch are overwritten
    point   int64, a legal move of ``color``
    """
    board, hashes, sums = walker.board, walker.hashes, walker.sums
    start = (color - 1) * PLAYER_KEYS + point * VERTEX_KEYS
    for i in range(TEMPLATES * LINE_KEYS):
        sums[i] = hashes.lines[start + i]
    size = np.int64(board[SIZE])
    # Offsets are relative to the move, in a square that extends beyond any board's edge.
    center = (REACH - point // STRIDE) * SPAN + REACH - point % STRIDE
    for row in range(1, size + 1):
        for column in range(1, size + 1):
            stone = np.int64(board[COLOR + row * STRIDE + column])
            if stone != EMPTY:
                offset = center + row * SPAN + column
                line = (np.int64(hashes.ring[offset]) - 1) * LINE_KEYS
                code = (offset + (0 if stone == color else OFFSETS)) * LINE_KEYS
                for symmetry in range(LINE_KEYS):
                    sums[line + symmetry] ^= hashes.codes[code + symmetry]
    forget_liberties(walker.chains)
    study_move(board, walker.chains, point, color, walker.facts)
    feature_code = hashes.feature_codes[feature_bits(board, color, walker.facts)]
    for template in range(TEMPLATES):
        least = sums[template * LINE_KEYS]
        for symmetry in range(LINE_KEYS):
            if template > 0:
                sums[template * LINE_KEYS + symmetry] ^= sums[(template - 1) * LINE_KEYS + symmetry]
            if symmetry == 0:
                least = sums[template * LINE_KEYS]
            least = min(least, sums[template * LINE_KEYS + symmetry])
        walker.keys[template] = least ^ feature_code
