"""Meet in the middle: the win probability of a finished sum from two sorted lists.

Source: Zhao & Mueller, Formula (1): 2^n steps each. Here the partial sums of each half of the
subgames are listed in order once for every way it can end. A finished sum of n subgames then takes
one walk over two lists of 2^(n/2). Equal sums are merged, so small integers give short lists.

# Deviates: this replaces the paper's methods 2 (dynamic programming over bins) and 3 (convolution
of densities). It is exact for any integers and shares work between sums.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from engine.errors import BadSum
from engine.jit import kernel
from engine.pcg.game import SimpleGame, Sum

MAX_ENTRIES = 2**24  # most list entries of one half (16 bytes each)


class Half(NamedTuple):
    """The partial sums of one half for every mask of Right's subgames in it, its ``case``."""

    sums: np.ndarray  # int64[entries], increasing within a case
    probs: np.ndarray  # float64[entries]; in the second half: of this sum or a larger one
    starts: np.ndarray  # int64[cases + 1], where each case's list begins


@kernel
def win_split(first: Half, second: Half, case_first: int, case_second: int) -> float:
    """Return the win probability of the finished sum made of one case of each half.

    One list is walked upwards and the other, which has tails, downwards. Twin:
    tests/reference/pcg.py::terminal_value
    """
    low, high = second.starts[case_second], second.starts[case_second + 1]
    above = high  # first entry of the second half that wins with the first half's sum
    total = 0.0
    for k in range(first.starts[case_first], first.starts[case_first + 1]):
        needed = -first.sums[k]
        # Sums of the first half rise, so ``needed`` falls and the second pointer never turns back.
        while above > low and second.sums[above - 1] > needed:
            above -= 1
        # At ``high`` no sum of the second half is large enough to win.
        if above < high:
            total += first.probs[k] * second.probs[above]
    return min(total, 1.0)  # rounding may exceed 1


def build_half(subgames: Sequence[SimpleGame], offset: int) -> Half:
    """Return a half, ``offset`` in every sum. Raises BadSum if it exceeds MAX_ENTRIES."""
    cases, sums, probs = np.zeros(1, np.int64), np.array([offset]), np.ones(1)
    for i, subgame in enumerate(subgames):
        points = [
            (choice << i, value, prob)
            for choice, side in enumerate((subgame.left, subgame.right))
            for value, prob in zip(side.values, side.probs, strict=True)
        ]
        if len(sums) * len(points) > MAX_ENTRIES:
            raise BadSum("too many different partial sums to list")
        cases = np.concatenate([cases + mask for mask, _, _ in points])
        sums = np.concatenate([sums + value for _, value, _ in points])
        probs = np.concatenate([probs * prob for _, _, prob in points])
        order = np.lexsort((sums, cases))
        cases, sums, probs = cases[order], sums[order], probs[order]
        # The first case is 0, so the first entry always begins a sum.
        begins = np.flatnonzero(np.diff(cases, prepend=-1) | np.diff(sums, prepend=0))
        cases, sums, probs = cases[begins], sums[begins], np.add.reduceat(probs, begins)
    return Half(sums, probs, np.searchsorted(cases, np.arange((1 << len(subgames)) + 1)))


def build_halves(game: Sum) -> tuple[Half, Half]:
    """Return the first n // 2 subgames and the others, for ``win_split``. Raises BadSum."""
    low = len(game.subgames) // 2
    # The offset goes into one half only, or it would count twice.
    first, second = build_half(game.subgames[:low], game.offset), build_half(game.subgames[low:], 0)
    # Only the second half: ``win_split`` needs tails there and single sums in the first.
    for begin, end in pairwise(second.starts):
        second.probs[begin:end] = second.probs[begin:end][::-1].cumsum()[::-1]
    return first, second
