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
import numpy.typing as npt

from engine.arrays import Floats, Ints
from engine.belief.knowledge import Knowledge
from engine.captures.priors import PriorTable, learned_priors
from engine.captures.reader import CaptureReader
from engine.go.board import BLACK, BOARD_CELLS, WHITE, Board, Mask, copy_into, empty_board, place
from engine.go.geometry import AREA, MAX_SIZE, PASS, parse_vertex
from engine.go.history import Game
from engine.jit import kernel
from engine.patterns.choice import group_candidates, new_choice
from engine.patterns.contender_facts import rank_moves
from engine.patterns.matching import Candidates, Matcher, new_candidates, new_matcher
from engine.patterns.position import Position, position_of
from engine.patterns.predictor import Predictor
from engine.patterns.ranking import learn_from_move
from engine.patterns.trees import no_trees
from engine.patterns.valuing import PatternKnowledge, beliefs_of
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
    ep_tolerance: float = 1e-3  # as in training
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


def _per_second(run: Callable[[int], object], seconds: float) -> float:
    """Return the units per second of ``run(units)``, timed for about ``seconds``."""
    run(1)  # compiles or loads its kernels
    units = 1
    while True:
        start = time.perf_counter()
        run(units)
        taken = time.perf_counter() - start
        # A very short run would measure the call and the clock.
        if taken > seconds / 3:
            return units / taken
        units = max(2 * units, int(units * seconds / max(taken, 1e-4) / 2))


def playouts_per_second(size: int, seconds: float = 1.0) -> float:
    """Return uniform roll-outs per second from the empty board, on one thread."""
    return _per_second(lambda count: _uniform_rollouts(size, count), seconds)


def guided_playouts_per_second(size: int, policy: GuidedPolicy, seconds: float = 1.0) -> float:
    """Return guided roll-outs per second from the empty board, without a tree, on one thread."""
    scratch = np.zeros(AREA, np.uint8), np.zeros(BOARD_CELLS, np.uint16), new_guided_scratch()
    start = empty_board(size), np.array([20061], np.uint64)
    return _per_second(
        lambda count: guide_often(start[0], count, start[1], policy, *scratch), seconds
    )


class RankingSample(NamedTuple):
    """A position of a middle game and the move played there."""

    board: Board
    memory: Ints
    color: int
    summands: Ints  # int64[candidates, n], see valuing.summands_into
    played: int


def middle_game(
    patterns: PatternKnowledge, first: int = 60, last: int = 160
) -> list[RankingSample]:
    """Return positions of a 19x19 game in which the ranking model plays itself."""
    predictor, game, lessons = Predictor(patterns), Game(19), []
    for number in range(last):
        position = position_of(game, game.to_play)
        board, memory, color = position.board, position.memory, position.color
        chances = predictor.probabilities(position)
        points = list(chances)
        point = max(points, key=lambda p: chances[p])
        if number >= first:
            rows = predictor.work.summands[: len(points)].copy()
            lessons.append(RankingSample(board, memory, color, rows, points.index(point)))
        game.play(color, point)
    return lessons


@kernel
def rank_often(
    patterns: PatternKnowledge,
    matcher: Matcher,
    boards: npt.NDArray[np.uint16],
    memories: Ints,
    colors: Ints,
    rankings: int,
    candidates: Candidates,
    behind: Floats,
) -> float:
    """Value all moves of a game's positions, uint16[n, BOARD_CELLS] etc.; return a checksum."""
    total = 0.0
    for i in range(rankings):
        at = i % len(boards)
        position = Position(
            board=boards[at], memory=memories[at], color=colors[at], passes=0, komi=0.0, stands=True
        )
        rank_moves(patterns, patterns.quick_trees, matcher, position, candidates, behind)
        total += behind[0]
    return total


def rankings_per_second(patterns: PatternKnowledge, seconds: float = 1.0, last: int = 160) -> float:
    """Return how often per second all moves of a 19x19 middle game are valued, move by move."""
    lessons = middle_game(patterns, 3 * last // 8, last)
    matcher, candidates = new_matcher(19), new_candidates()
    behind = np.zeros(MAX_SIZE * MAX_SIZE)
    # Stacked for a loop in compiled code: passing the arrays once took half of the measured time.
    boards = np.stack([lesson.board for lesson in lessons])
    memories = np.stack([lesson.memory for lesson in lessons])
    colors = np.array([lesson.color for lesson in lessons], np.int64)

    def run(count: int) -> None:
        rank_often(patterns, matcher, boards, memories, colors, count, candidates, behind)

    return _per_second(run, seconds)


def ep_moves_per_second(patterns: PatternKnowledge, seconds: float = 1.0, last: int = 160) -> float:
    """Return the moves per second that the ranking model learns, once matched, without trees."""
    patterns = patterns._replace(trees=no_trees())
    lessons = middle_game(patterns, 3 * last // 8, last)
    rows, places = np.unique(np.concatenate([x.summands for x in lessons]), return_inverse=True)
    slots = rows[rows >= 0]
    start = beliefs_of(patterns, slots)
    beliefs = start.copy()
    # Rows of the few beliefs used here; NO_SUMMAND, if present, was the smallest row.
    places = places.reshape(-1, patterns.summands) - (len(rows) - len(slots))
    cuts = np.cumsum([len(x.summands) for x in lessons])[:-1]
    positions = [np.ascontiguousarray(part) for part in np.split(places, cuts)]
    choice = new_choice(MAX_SIZE * MAX_SIZE, patterns.summands)

    def run(count: int) -> None:
        for i in range(count):
            if i % len(lessons) == 0:
                beliefs[:] = start
            position = positions[i % len(lessons)]
            group_candidates(choice, position, len(position))
            played = np.int64(lessons[i % len(lessons)].played)
            learn_from_move(choice, beliefs, played, patterns.beta_squared, BENCH.ep_tolerance)

    return _per_second(run, seconds)


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
    if knowledge.patterns is not None:
        speeds["rankings_per_second"] = round(rankings_per_second(knowledge.patterns))
    speeds["descents_per_second"] = {
        str(n): round(descents_per_second(n, knowledge)) for n in sizes
    }
    if knowledge.patterns is not None:
        speeds["ep_moves_per_second"] = round(ep_moves_per_second(knowledge.patterns))
    speeds["solver_nodes_per_second"] = round(solver_nodes_per_second(knowledge.solver))
    speeds["spcg_n14_seconds"] = round(spcg_seconds(), 4)
    speeds["startup_seconds"] = round(startup_seconds(), 2)
    return speeds
