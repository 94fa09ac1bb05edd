"""What the kernels of this machine do a second, and a signature that shows whether they changed.

The signature is a number computed from fixed seeds: two checkouts with the same signature play
the same games.
"""

import subprocess
import sys
import time
import zlib
from collections.abc import Callable

import numpy as np

from engine.clock import Allotment
from engine.go.board import BLACK, BOARD_CELLS, Board, Mask, copy_into, empty_board
from engine.go.geometry import AREA, PASS
from engine.go.history import Game
from engine.jit import compile_all, kernel, warm_up
from engine.player import Knowledge, Player, PlayerOptions
from engine.rollout.guided import GuidedPolicy, LocalWork, guided_roll_out, new_local_work
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


@kernel
def guide_often(
    board: Board,
    rollouts: int,
    rng: RandomState,
    policy: GuidedPolicy,
    first: Mask,
    work: Board,
    local: LocalWork,
) -> None:
    """Play guided roll-outs from one position; arguments as in ``roll_out_often``."""
    for _ in range(rollouts):
        copy_into(board, work)
        guided_roll_out(work, BLACK, PASS, rng, first, 2000, policy, local)


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
    run(1)  # compiles or loads what it needs
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


def guided_playouts_per_second(size: int, policy: GuidedPolicy, seconds: float = 1.0) -> float:
    """Return guided roll-outs a second from the empty board, without a tree, on one thread."""
    board = empty_board(size)
    rng = np.array([20061], np.uint64)
    scratch = np.zeros(AREA, np.uint8), np.zeros(BOARD_CELLS, np.uint16), new_local_work()

    def run(count: int) -> None:
        guide_often(board, count, rng, policy, *scratch)

    return _per_second(run, seconds)


def descents_per_second(size: int, knowledge: Knowledge, seconds: float = 2.0) -> float:
    """Return the search's descents a second from the empty board, default settings, one thread."""
    options = PlayerOptions(playouts=None, seconds=seconds, threads=1, seed=1)
    player = Player(options, knowledge)
    player.choose(Game(size), BLACK, Allotment(0.01, 0.01))  # memory is touched for the first time
    decision = player.choose(Game(size), BLACK)
    return decision.playouts / seconds


def startup_seconds() -> float:
    """Return the seconds from starting yomi to its first answer, with a warm cache."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "gtp"], input=b"name\nquit\n", stdout=subprocess.PIPE, check=True,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return time.perf_counter() - start


def measure(knowledge: Knowledge) -> dict[str, str | float | dict[str, float]]:
    """Return everything that ``yomi bench`` prints; sizes are keys."""
    for _ in compile_all():
        pass
    sizes = (9, 13, 19)
    policy = knowledge.policy
    found: dict[str, str | float | dict[str, float]] = {
        "signature": signature(),
        "playouts_per_second": {str(n): round(playouts_per_second(n)) for n in sizes},
    }
    if policy is not None:
        found["guided_playouts_per_second"] = {
            str(n): round(guided_playouts_per_second(n, policy)) for n in sizes
        }
    found["descents_per_second"] = {str(n): round(descents_per_second(n, knowledge)) for n in sizes}
    found["startup_seconds"] = round(startup_seconds(), 2)
    return found


@warm_up("bench")
def _warm_up() -> None:
    _uniform_rollouts(9, 1)
