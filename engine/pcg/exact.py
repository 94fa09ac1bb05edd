"""The exact value of a sum of simple games, computed backwards from the end.

Source: Zhao & Mueller, Section 3. After k moves Left has played ceil(k/2) subgames and Right
floor(k/2); all positions after k moves form a layer. Each layer is computed from the next one, and
the last from ``halves``. Within a layer the positions of one Right mask form a block, ordered by
Left's mask *within the subgames that Right has not played*. Left's moves stay inside a block.
Right's move removes one subgame, which changes ranks alike in all blocks.

# Deviates: the paper solves by alpha-beta search, because evaluating a finished sum was expensive.
Halves make it cheap, and valuing every position once is faster.

Slow twin: tests/reference/pcg.py; second exact solver: scripts.reproduce.papers.pcg.alpha_beta.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import NamedTuple

import numpy as np

from engine.errors import BadSum
from engine.jit import kernel
from engine.pcg.game import Sum
from engine.pcg.halves import Half, build_halves, win_split


class SolverLimits(NamedTuple):
    """Precision and memory of the exact solver."""

    # Win probabilities closer than this are equal: rounding must not decide between equal moves.
    tie: float = 1e-12
    # Bytes that the layers in memory may take; enough for 20 subgames.
    memory: int = 3 * 2**30


SOLVER = SolverLimits()


class Masks(NamedTuple):
    """Sizes of all masks, and their ranks among the masks of equal size in numeric order."""

    size: np.ndarray  # uint8[2^n]
    rank: np.ndarray  # int64[2^n]


@kernel
def end_layer(
    first: Half, second: Half, masks: Masks, n_right: int, low: int, layer: np.ndarray
) -> None:
    """Fill the layer of finished sums, one a block; ``low`` subgames are first (Formula 1)."""
    for right in range(masks.size.shape[0]):
        if masks.size[right] == n_right:
            case = right & ((1 << low) - 1)
            layer[masks.rank[right]] = win_split(first, second, case, right >> low)


@kernel
def best_of_moves(
    children: np.ndarray, starts: np.ndarray, ranks: np.ndarray, sign: float, layer: np.ndarray
) -> None:
    """Fill a layer with the best of each position's moves, block by block (Section 3).

    children  float64[positions after the move]
    starts    int64[blocks, m], by the open subgame: first child of the block after the move
    ranks     int64[block's positions, m], the child's rank there, -1: Left has played the subgame
    sign      1 where Left is to move, -1 where Right is
    layer     float64[blocks * block's positions], written
    """
    width, n_open = ranks.shape
    for block in range(starts.shape[0]):
        for k in range(width):
            best = -2.0  # below every value
            for i in range(n_open):
                if ranks[k, i] >= 0:
                    best = max(best, sign * children[starts[block, i] + ranks[k, i]])
            layer[block * width + k] = sign * best


def moves_of(masks: Masks, n_subgames: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return ``starts`` and ``ranks`` of the layer after k moves (``best_of_moves``)."""
    n_left, n_open = (k + 1) // 2, n_subgames - k // 2
    lefts = np.flatnonzero(masks.size[: 1 << n_open] == n_left)[:, np.newaxis]
    rights = np.flatnonzero(masks.size == k // 2)[:, np.newaxis]
    subgames = np.arange(n_open)
    if k % 2 == 0:
        after = lefts | 1 << subgames
        starts = np.arange(len(rights))[:, np.newaxis] * np.full(n_open, comb(n_open, n_left + 1))
    else:
        below = (1 << subgames) - 1
        after = lefts & below | lefts >> 1 & ~below  # Left's mask without the subgame's bit
        played = np.nonzero(rights >> np.arange(n_subgames) & 1 == 0)[1].reshape(-1, n_open)
        starts = masks.rank[rights | 1 << played] * comb(n_open - 1, n_left)
    return starts, np.where(lefts >> subgames & 1, -1, masks.rank[after])


@dataclass(frozen=True)
class Solution:
    """The result of perfect play by both sides: Left moves first and wins with ``value``."""

    value: float
    first_moves: np.ndarray  # float64[n], Left's win probability after each first subgame
    best: int  # number of one of the best first subgames


def position_counts(n_subgames: int) -> list[int]:
    """Return the numbers of positions after 0, 1, ..., n moves (Section 3, Table 1)."""
    return [comb(n_subgames, k) * comb(k, k // 2) for k in range(n_subgames + 1)]


def solve(game: Sum) -> Solution:
    """Return the exact value of a sum and its best first move.

    Raises BadSum when it needs too much memory, or has too many different partial sums.
    """
    layers = layers_backwards(game, keep_all=False)
    # A mask of one bit has its index as rank: the layer after one move is in subgame order.
    values = layers[1]
    best = int(np.argmax(values >= values.max() - SOLVER.tie))  # the first one of the largest
    return Solution(float(layers[0][0]), values, best)


def all_masks(n_subgames: int) -> Masks:
    """Return sizes and ranks of all masks of n subgames."""
    size = np.bitwise_count(np.arange(1 << n_subgames))
    rank = np.zeros(1 << n_subgames, np.int64)
    for k in range(n_subgames + 1):
        rank[size == k] = np.arange(comb(n_subgames, k))
    return Masks(size, rank)


def layers_backwards(game: Sum, keep_all: bool = True) -> list[np.ndarray]:
    """Return the layers after 0, 1, ..., n moves; only the first two unless all are kept.

    Raises BadSum when they need more than SOLVER.memory.
    """
    n_subgames = len(game.subgames)
    counts = position_counts(n_subgames)
    needed = 8 * (sum(counts) if keep_all else max(a + b for a, b in pairwise(counts)))
    if needed > SOLVER.memory:
        raise BadSum(
            f"{n_subgames} subgames need {needed / 2**20:.0f} MiB, "
            f"more than the {SOLVER.memory / 2**20:.0f} MiB allowed"
        )
    masks = all_masks(n_subgames)
    first, second = build_halves(game)
    layer = np.empty(counts[n_subgames])
    end_layer(first, second, masks, n_subgames // 2, n_subgames // 2, layer)
    layers = [layer]
    for k in range(n_subgames - 1, -1, -1):
        if not keep_all:
            # A third layer would need half as much memory again.
            del layers[1:]  # before the next one is allocated
        children, layer = layer, np.empty(counts[k])
        best_of_moves(children, *moves_of(masks, n_subgames, k), 1.0 - 2.0 * (k % 2), layer)
        layers.insert(0, layer)
    return layers
