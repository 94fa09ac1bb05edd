"""Meet in the middle: the win probability of a finished sum from two sorted lists.

Source: Zhao & Mueller, Formula (1). The paper calls the evaluation of finished sums the solver's
bottleneck, at 2^n steps each. Here the subgames are split into two halves. The partial sums of a
half are listed in order once for every way it can end. A finished sum of n subgames then takes one
walk over two lists of 2^(n/2). A list grows by merging shifted copies, so nothing is sorted. Equal
sums are merged, so small integers give short lists.

# Deviates: this replaces the paper's methods 2 (dynamic programming over bins) and 3
(convolution of densities). It is exact for any integers and shares work between sums.
"""

from typing import NamedTuple

import numpy as np

from engine.errors import BadSum
from engine.jit import kernel
from engine.pcg.game import Outcomes

MAX_ENTRIES = 2**24
"""Most list entries of one half (16 bytes each)."""


class Half(NamedTuple):
    """The partial sums of one half for every way (``case``) that its subgames can end.

    The case is the mask of Right's subgames.
    """

    sums: np.ndarray  # int64[entries], increasing within a case
    probs: np.ndarray  # float64[entries]; in the second half: of this sum or a larger one
    starts: np.ndarray  # int64[cases + 1], where each case's list begins


@kernel
def merge_shifted(
    half: Half,
    case: int,
    outcomes: Outcomes,
    subgame: int,
    choice: int,
    heads: np.ndarray,
    merged: Half,
    start: int,
) -> int:
    """List the partial sums of a case after one more subgame has ended.

    half, case  Half and int64, the list before
    outcomes    Outcomes; subgame and choice (int64) name the distribution to add
    heads       int64[points], scratch: the progress of each shifted copy
    merged      Half; sums and probs are written from ``start`` on
    returns     int64, end of the new list
    """
    begin, end = half.starts[case], half.starts[case + 1]
    points = outcomes.counts[subgame, choice]
    for point in range(points):
        heads[point] = begin
    length = start
    while True:
        best = -1
        smallest = np.int64(0)
        for point in range(points):
            if heads[point] < end:
                total = half.sums[heads[point]] + outcomes.values[subgame, choice, point]
                if best < 0 or total < smallest:
                    best, smallest = point, total
        if best < 0:
            return length
        prob = half.probs[heads[best]] * outcomes.probs[subgame, choice, best]
        heads[best] += 1
        # Equal sums come out in succession. Merging them keeps lists of small values short.
        if length > start and merged.sums[length - 1] == smallest:
            merged.probs[length - 1] += prob
        else:
            merged.sums[length] = smallest
            merged.probs[length] = prob
            length += 1


@kernel
def extend_half(
    half: Half, outcomes: Outcomes, subgame: int, heads: np.ndarray, merged: Half
) -> None:
    """List every case of a half extended by one subgame.

    half    Half of the subgames before
    merged  Half, written; case = old case + old cases * choice
    """
    cases = half.starts.shape[0] - 1
    end = np.int64(0)  # a plain 0 would be a different type to the compiler
    merged.starts[0] = 0
    for choice in range(2):
        for case in range(cases):
            end = merge_shifted(half, case, outcomes, subgame, choice, heads, merged, end)
            merged.starts[choice * cases + case + 1] = end


@kernel
def accumulate_tails(half: Half) -> None:
    """Turn the probabilities of every list into those of "this sum or larger", in place."""
    for case in range(half.starts.shape[0] - 1):
        for k in range(half.starts[case + 1] - 2, half.starts[case] - 1, -1):
            half.probs[k] += half.probs[k + 1]


@kernel
def win_split(first: Half, second: Half, case_first: int, case_second: int) -> float:
    """Return the win probability of the finished sum made of one case of each half.

    One list is walked upwards and the other downwards.
    first    Half, with plain probabilities
    second   Half, with tails
    returns  float64, probability that the sum is greater than 0
    Twin: tests/reference/pcg.py::terminal_value
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


def build_half(outcomes: Outcomes, begin: int, end: int, offset: int) -> Half:
    """Return the half of the subgames begin..end-1, ``offset`` included in every sum.

    Raises BadSum when its lists do not fit into MAX_ENTRIES.
    """
    # The empty half has one case. The offset goes into one half only, or it would count twice.
    half = Half(np.array([offset]), np.ones(1), np.array([0, 1]))
    heads = np.empty(outcomes.counts.max(), dtype=np.int64)
    for subgame in range(begin, end):
        entries = int(half.starts[-1]) * int(outcomes.counts[subgame].sum())
        if entries > MAX_ENTRIES:
            raise BadSum("too many different partial sums to list")
        cases = 2 * (half.starts.shape[0] - 1)
        merged = Half(np.empty(entries, np.int64), np.empty(entries), np.empty(cases + 1, np.int64))
        extend_half(half, outcomes, subgame, heads, merged)
        half = merged
    return half


def build_halves(outcomes: Outcomes) -> tuple[Half, Half]:
    """Return the first n // 2 subgames and the others, ready for ``win_split``.

    Raises BadSum when there are too many different partial sums.
    """
    n_subgames = outcomes.counts.shape[0]
    first = build_half(outcomes, 0, n_subgames // 2, int(outcomes.offset[0]))
    second = build_half(outcomes, n_subgames // 2, n_subgames, 0)
    # Only the second half: ``win_split`` needs tails there and single sums in the first.
    accumulate_tails(second)
    return first, second
