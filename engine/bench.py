"""The speed of the kernels on this machine, and a signature that shows changes of behavior.

The signature is a number computed by roll-outs with fixed seeds: if it differs, games differ.
"""

import os
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from engine.belief.knowledge import Knowledge
from engine.captures.priors import PriorTable, learned_priors
from engine.captures.reader import CaptureReader
from engine.go.board import BLACK, BOARD_CELLS, WHITE, Board, Mask, copy_into, empty_board, place
from engine.go.geometry import AREA, PASS, parse_vertex
from engine.go.history import Game
from engine.jit import kernel
from engine.pcg.exact import solve
from engine.pcg.game import random_sum
from engine.player.clock import Allotment
from engine.player.options import PlayerOptions
from engine.player.player import Player
from engine.randomness import RandomState
from engine.rollout.guided import GuidedPolicy, GuidedScratch, guided_roll_out, new_guided_scratch
from engine.rollout.uniform import area_margin, roll_out


class BenchSettings(NamedTuple):
    """The work of the benchmarks."""

    signature_rollouts: int = 200
    solver_nodes: int = 100_000


BENCH = BenchSettings()

SOLVER_STONES = {"E5": WHITE, "E6": BLACK, "D5": BLACK}
SOLVER_GOAL = parse_vertex("E5", 9)


@kernel
def roll_out_often(board: Board, rollouts: int, rng: RandomState, first: Mask, work: Board) -> int:
    """Play uniform roll-outs of Black to move; return a checksum of lengths and margins."""
    checksum = 0
    for _ in range(rollouts):
        copy_into(board, work)
        length = roll_out(work, BLACK, rng, first, 2000)
        # A polynomial, not a sum: it also changes when roll-outs exchange places.
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
    local: GuidedScratch,
) -> None:
    """Play guided roll-outs from one position; arguments as in ``roll_out_often``."""
    for _ in range(rollouts):
        copy_into(board, work)
        guided_roll_out(work, BLACK, PASS, rng, first, 2000, policy, local)


def _uniform_rollouts(size: int, rollouts: int) -> int:
    first, work = np.zeros(AREA, np.uint8), np.zeros(BOARD_CELLS, np.uint16)
    rng = np.array([20061], np.uint64)
    return int(roll_out_often(empty_board(size), rollouts, rng, first, work))


def signature() -> str:
    """Return eight hexadecimal digits that change when the behavior of the kernels changes."""
    sums = [_uniform_rollouts(size, BENCH.signature_rollouts) for size in (5, 9, 13, 19)]
    return f"{zlib.crc32(repr(sums).encode()):08x}"


def _per_second(run: Callable[[int], object]) -> float:
    """Return the units per second of ``run(units)``, timed for about a second."""
    run(1)  # compiles or loads its kernels
    units = 1
    while True:
        start = time.perf_counter()
        run(units)
        taken = time.perf_counter() - start
        # A very short run would measure the call and the clock.
        if taken > 1 / 3:
            return units / taken
        units = max(2 * units, int(units / max(taken, 1e-4) / 2))


def playouts_per_second(size: int) -> float:
    """Return uniform roll-outs per second from the empty board, on one thread."""
    return _per_second(lambda count: _uniform_rollouts(size, count))


def guided_playouts_per_second(size: int, policy: GuidedPolicy) -> float:
    """Return guided roll-outs per second from the empty board, without a tree, on one thread."""
    scratch = np.zeros(AREA, np.uint8), np.zeros(BOARD_CELLS, np.uint16), new_guided_scratch()
    start = empty_board(size), np.array([20061], np.uint64)
    return _per_second(lambda count: guide_often(start[0], count, start[1], policy, *scratch))


def solver_problem() -> Board:
    """Return a 9x9 board with a chain whose capture takes long to read."""
    board = empty_board(9)
    for vertex, color in SOLVER_STONES.items():
        place(board, parse_vertex(vertex, 9), color)
    return board


def solver_nodes_per_second(priors: PriorTable | None, seconds: float = 1.0) -> float:
    """Return the nodes per second of proof-number search on a chain in the open, 9x9."""
    learned = None if priors is None else learned_priors(priors)
    board, reader = solver_problem(), CaptureReader("pns", BENCH.solver_nodes, learned)
    reader.read_chain(board, SOLVER_GOAL, True, max_nodes=1)  # compiles or loads its kernels
    nodes, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        nodes += reader.read_chain(board, SOLVER_GOAL, True).nodes
    return nodes / (time.perf_counter() - start)


def descents_per_second(
    size: int, knowledge: Knowledge, seconds: float = 2.0, threads: int = 1
) -> float:
    """Return the search's descents per second from the empty board."""
    options = PlayerOptions(playouts=None, seconds=seconds, threads=threads, seed=1)
    player = Player(options, knowledge)
    player.choose(Game(size), BLACK, Allotment(0.01, 0.01))  # the first use of the memory
    decision = player.choose(Game(size), BLACK)
    return decision.playouts / seconds


def spcg_seconds(subgames: int = 14) -> float:
    """Return the warm time in seconds for the exact solution of a random sum of fights."""
    game = random_sum(subgames, np.random.default_rng(20061))
    taken = []
    for _ in range(4):
        start = time.perf_counter()
        solve(game)
        taken.append(time.perf_counter() - start)
    # The smallest, not the mean: other programs can only add time.
    return min(taken[1:])


def startup_seconds() -> float:
    """Return the seconds from starting yomi to its first answer, with a warm cache."""
    start = time.perf_counter()
    # A separate process with our sys.path; -P: modules of the current folder cannot come first.
    subprocess.run(
        [sys.executable, "-P", "-m", "gtp"], input=b"name\nquit\n", stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    return time.perf_counter() - start


def measure(knowledge: Knowledge) -> dict[str, Any]:
    """Return all values that ``yomi bench`` prints; sizes are keys."""
    sizes = (9, 13, 19)
    policy = knowledge.policy
    speeds: dict[str, Any] = {
        "signature": signature(),
        "playouts_per_second": {str(n): round(playouts_per_second(n)) for n in sizes},
    }
    if policy is not None:
        speeds["guided_playouts_per_second"] = {
            str(n): round(guided_playouts_per_second(n, policy)) for n in sizes
        }
    speeds["descents_per_second"] = {
        str(n): round(descents_per_second(n, knowledge)) for n in sizes
    }
    speeds["solver_nodes_per_second"] = round(solver_nodes_per_second(knowledge.solver))
    speeds["spcg_n14_seconds"] = round(spcg_seconds(), 4)
    speeds["startup_seconds"] = round(startup_seconds(), 2)
    return speeds
