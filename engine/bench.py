"""What the kernels of this machine do a second, and a signature that shows whether they changed.

The signature is a number computed from fixed seeds: two checkouts with the same signature play
the same games.
"""

import time
import zlib
from collections.abc import Callable

import numpy as np

from engine.go.board import BLACK, BOARD_CELLS, Board, Mask, copy_into, empty_board
from engine.go.geometry import AREA
from engine.jit import kernel, warm_up
from engine.rollout.uniform import RandomState, area_margin, roll_out

SIGNATURE_ROLLOUTS = 200


@kernel
def roll_out_often(board: Board, rollouts: int, rng: RandomState, first: Mask, work: Board) -> int:
    """Play uniform roll-outs from one position; return a checksum of lengths and margins.

    board     uint16[BOARD_CELLS], the position, Black to move
    rollouts  int64, how many
    rng       uint64[1], changes in place
    first     uint8[AREA], scratch space
    work      uint16[BOARD_CELLS], scratch space
    """
    checksum = 0
    for _ in range(rollouts):
        copy_into(board, work)
        length = roll_out(work, BLACK, rng, first, 2000)
        checksum = (checksum * 31 + length * 1000 + area_margin(work)) % 1_000_000_007
    return checksum


def _uniform_rollouts(size: int, rollouts: int) -> int:
    board = empty_board(size)
    rng = np.array([20061], np.uint64)
    return int(
        roll_out_often(
            board, rollouts, rng, np.zeros(AREA, np.uint8), np.zeros(BOARD_CELLS, np.uint16)
        )
    )


def signature() -> str:
    """Return eight hexadecimal digits that change when the behavior of the kernels changes."""
    sums = [_uniform_rollouts(size, SIGNATURE_ROLLOUTS) for size in (5, 9, 13, 19)]
    return f"{zlib.crc32(repr(sums).encode()):08x}"


def _per_second(run: Callable[[int], object], seconds: float) -> float:
    """Return how many units a second ``run(units)`` does, timed over about ``seconds``."""
    units = 1
    while True:
        start = time.perf_counter()
        run(units)
        taken = time.perf_counter() - start
        if taken > seconds / 3:
            return units / taken
        units = max(2 * units, int(units * seconds / max(taken, 1e-4) / 2))


def playouts_per_second(size: int, seconds: float = 1.0) -> float:
    """Return uniform roll-outs a second from the empty board, on one thread."""
    return _per_second(lambda count: _uniform_rollouts(size, count), seconds)


@warm_up("bench")
def _warm_up() -> None:
    _uniform_rollouts(9, 1)
