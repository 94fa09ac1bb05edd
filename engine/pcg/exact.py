"""The exact value of a sum of simple games, computed backwards from the end.

Source: Zhao & Mueller, Section 3 (positions and their numbers). After k moves Left has played
ceil(k/2) subgames and Right floor(k/2). All positions after k moves form a layer. Each layer is
computed from the next one, and the last from ``halves``. There is no hash table, and at most two
layers are in memory at a time.

Within a layer the positions of one Right mask form a block, ordered by Left's mask *within the
subgames that Right has not played*. Left's moves stay inside a block. Right's move removes one
subgame, which is the same rank shift for a whole block. Both steps thus run through small tables
and contiguous memory. A table indexed by base-3 position codes would jump through 3^n entries.

# Deviates: the paper solves by alpha-beta search (here ``alpha_beta``), because evaluating a
# finished sum was expensive. Halves make it cheap, and valuing every position once is faster.

Slow twin: tests/reference/pcg.py; second exact solver: scripts.reproduce.papers.pcg.alpha_beta.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import NamedTuple

import numpy as np

from engine.errors import BadSum
from engine.jit import kernel
from engine.pcg.game import OutcomeDistribution, SimpleGame, Sum, sum_arrays
from engine.pcg.halves import Half, build_halves, win_split


class SolverLimits(NamedTuple):
    """Precision and memory of the exact solver."""

    # Win probabilities closer than this are equal: rounding must not decide between equal moves.
    tie: float = 1e-12
    # Default limit for the layers in bytes; enough for 20 subgames.
    default_memory: int = 3 * 2**30


SOLVER = SolverLimits()


class Masks(NamedTuple):
    """Sizes of all masks, and their ranks among the masks of equal size in numeric order."""

    size: np.ndarray  # int64[2^n]
    rank: np.ndarray  # int64[2^n]


@kernel
def rank_masks(masks: Masks, counters: np.ndarray) -> None:
    """Fill ``masks`` (Masks). ``counters`` is scratch: int64[n + 1] of zeros."""
    for mask in range(masks.size.shape[0]):
        size = masks.size[mask >> 1] + (mask & 1)
        masks.size[mask] = size
        masks.rank[mask] = counters[size]
        counters[size] += 1


@kernel
def end_layer(
    first: Half, second: Half, masks: Masks, n_right: int, low: int, layer: np.ndarray
) -> None:
    """Fill the layer of finished sums: one position per block, Left has all the rest.

    first, second  Half, from ``build_halves``; ``low`` (int64) subgames are in the first
    n_right        int64, subgames that Right has played at the end
    layer          float64[C(n, n_right)], written
    """
    for right in range(masks.size.shape[0]):
        if masks.size[right] == n_right:
            case = right & ((1 << low) - 1)
            layer[masks.rank[right]] = win_split(first, second, case, right >> low)


@kernel
def left_step(
    masks: Masks,
    n_open: int,
    n_left: int,
    children: np.ndarray,
    layer: np.ndarray,
    successors: np.ndarray,
) -> None:
    """Fill a layer in which Left is to move with the best of Left's moves, block by block.

    n_open      int64, subgames that Right has not played (m)
    n_left      int64, subgames that Left has played (a)
    children    float64[blocks * C(m, a + 1)], the layer after Left's move
    layer       float64[blocks * C(m, a)], written
    successors  int64[C(m, a) * (m - a)], scratch: ranks of Left's masks after each move
    """
    moves = n_open - n_left
    filled = 0
    for mask in range(1 << n_open):
        if masks.size[mask] == n_left:
            for i in range(n_open):
                if not (mask >> i) & 1:
                    successors[filled] = masks.rank[mask | (1 << i)]
                    filled += 1
    # Counted in the loop, because a binomial in the kernel would compute the same number again.
    width = filled // moves
    child_width = width * moves // (n_left + 1)  # C(m, a + 1)
    for block in range(layer.shape[0] // width):
        # Left's move does not change Right's mask, so block k follows from block k.
        base = block * child_width
        k = 0
        for position in range(block * width, (block + 1) * width):
            best = children[base + successors[k]]
            for move in range(k + 1, k + moves):
                value = children[base + successors[move]]
                if value > best:
                    best = value
            layer[position] = best
            k += moves


@kernel
def right_step(
    masks: Masks,
    n_right: int,
    n_open: int,
    n_left: int,
    children: np.ndarray,
    layer: np.ndarray,
    widened: np.ndarray,
) -> None:
    """Fill a layer in which Right is to move with the smallest value of Right's moves.

    n_right   int64, subgames that Right has played
    n_open, n_left, layer  as in ``left_step``
    children  float64[blocks of one Right move more * C(m - 1, a)], the layer after Right's move
    widened   int64[m * C(m - 1, a)], scratch: rank of Left's mask after the p-th open subgame,
              the one Right takes, is put back in
    """
    filled = 0
    for p in range(n_open):
        below = (1 << p) - 1
        # Ascending order: a mask's place in this list is its rank in ``children``.
        for mask in range(1 << (n_open - 1)):
            if masks.size[mask] == n_left:
                widened[filled] = masks.rank[(mask & below) | ((mask & ~below) << 1)]
                filled += 1
    child_width = filled // n_open
    width = child_width * n_open // (n_open - n_left)  # C(m, a)
    # Above every probability, so that any first value replaces it.
    for k in range(layer.shape[0]):
        layer[k] = 2.0
    block = 0
    for right in range(masks.size.shape[0]):
        if masks.size[right] != n_right:
            continue
        base = block * width
        block += 1
        k = 0
        for i in range(n_open + n_right):
            if (right >> i) & 1:
                continue
            # The blocks of ``children`` are ordered by Right's mask after its move.
            start = masks.rank[right | (1 << i)] * child_width
            for child in range(start, start + child_width):
                position = base + widened[k]
                value = children[child]
                if value < layer[position]:
                    layer[position] = value
                k += 1


@dataclass(frozen=True)
class Solution:
    """The result of perfect play by both sides, Left to move.

    value        Left's win probability
    first_moves  float64[n], Left's win probability after each first subgame
    best         the best first subgame (the lowest index on ties)
    """

    value: float
    first_moves: np.ndarray
    best: int


def best_move(values: np.ndarray) -> int:
    """Return the index of the largest value, the lowest index on ties (within tie)."""
    # argmax of booleans is the first True, so the lowest index.
    return int(np.argmax(values >= values.max() - SOLVER.tie))


def position_counts(n_subgames: int) -> list[int]:
    """Return the numbers of positions after 0, 1, ..., n moves (Section 3, Table 1)."""
    # In total 3,492,117 for n = 15, against 3.6e12 sequences of moves (Table 1).
    return [comb(n_subgames, k) * comb(k, k // 2) for k in range(n_subgames + 1)]


def solve(game: Sum, memory: int = SOLVER.default_memory) -> Solution:
    """Return the exact value of a sum and its best first move.

    memory  bytes that two layers may take
    Raises BadSum when the sum needs more, or has too many different partial sums.
    """
    counts = position_counts(len(game.subgames))
    needed = 8 * max(a + b for a, b in pairwise(counts))
    check_memory(len(game.subgames), needed, memory)
    layers = layers_backwards(game, keep_all=False)
    # A mask of one bit has its index as rank: the layer after one move is in subgame order.
    first_moves = layers[1]
    return Solution(float(layers[0][0]), first_moves, best_move(first_moves))


def check_memory(n_subgames: int, needed: int, memory: int) -> None:
    """Raise BadSum when a solution does not fit."""
    if needed > memory:
        raise BadSum(
            f"{n_subgames} subgames need {needed / 2**20:.0f} MiB, "
            f"more than the {memory / 2**20:.0f} MiB allowed"
        )


def all_masks(n_subgames: int) -> Masks:
    """Return sizes and ranks of all masks of n subgames."""
    masks = Masks(np.zeros(1 << n_subgames, np.int64), np.zeros(1 << n_subgames, np.int64))
    rank_masks(masks, np.zeros(n_subgames + 1, dtype=np.int64))
    return masks


def layers_backwards(game: Sum, keep_all: bool) -> list[np.ndarray]:
    """Return the layers after 0, 1, ..., n moves; only the first two unless all are kept."""
    n_subgames = len(game.subgames)
    counts = position_counts(n_subgames)
    masks = all_masks(n_subgames)
    first, second = build_halves(sum_arrays(game))
    layer = np.empty(counts[n_subgames])
    end_layer(first, second, masks, n_subgames // 2, n_subgames // 2, layer)
    layers = [layer]
    for k in range(n_subgames - 1, -1, -1):
        if not keep_all:
            # ``solve`` has announced two layers. A third would need half as much memory again.
            del layers[1:]  # before the next one is allocated
        n_left, n_open = (k + 1) // 2, n_subgames - k // 2
        children, layer = layer, np.empty(counts[k])
        if k % 2 == 0:
            successors = np.empty(comb(n_open, n_left) * (n_open - n_left), dtype=np.int64)
            left_step(masks, n_open, n_left, children, layer, successors)
        else:
            widened = np.empty(n_open * comb(n_open - 1, n_left), dtype=np.int64)
            right_step(masks, k // 2, n_open, n_left, children, layer, widened)
        layers.insert(0, layer)
    return layers


def compile_sums() -> None:
    """Solve a sum of three subgames to compile every kernel that ``solve`` uses."""
    coin = OutcomeDistribution((-1, 1), (0.5, 0.5))
    solve(Sum((SimpleGame(coin, coin),) * 3))
