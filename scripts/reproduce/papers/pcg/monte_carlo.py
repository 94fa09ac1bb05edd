"""Monte-Carlo interior evaluation (MCIE) and the move ordering based on it.

Source: Zhao & Mueller, Section 3.2. The interior value P'_w of a position is the mean win
probability of the finished sums below it, as if both players moved at random. It is a poor
estimate of the game value (0.15 off on average), but it ranks the moves of a position very well.
A finished sum is estimated from ``samples`` combinations (MCTE), or exactly if ``samples`` is 0.

The paper does not say whether two positions that share a finished sum share its estimate. Here
they do (``Sampler.estimates``). Sibling moves are then compared on common samples, and each
finished sum is evaluated once.
Slow twin: tests/reference/pcg.py::interior_value.
"""

from typing import NamedTuple

import numpy as np

from engine.jit import kernel
from engine.pcg.game import Sum
from scripts.reproduce.papers.pcg.terminal import (
    Outcomes,
    direct_scratch,
    sum_arrays,
    win_direct,
    win_sampled,
)

MAX_SHARED = 22
"""With at most this many subgames all estimates are kept (8 bytes * 2^n)."""
ALL_TERMINALS = 2**62
"""No limit on the number of finished sums sampled below a position."""


class Sampler(NamedTuple):
    """A sum and the known values of its finished sums."""

    outcomes: Outcomes
    estimates: np.ndarray  # float64[2^n] by Right's mask, NaN unknown; [0] when n is too large
    sums: np.ndarray  # int64[combinations], scratch of the exact evaluation, [0] if never used
    probs: np.ndarray  # float64[combinations], scratch as above


class Sampling(NamedTuple):
    """The number of finished sums sampled below a position, and the effort for each.

    Source: Section 5.2.
    """

    share: float  # part of them that is sampled; 1: all                     (paper: n_t)
    most: int  # upper limit of that number
    samples: int  # combinations of outcomes drawn for each, 0: all, exactly (paper: n_c)


@kernel
def estimate_terminal(
    sampler: Sampler, right: int, samples: int, rng: np.random.Generator
) -> float:
    """Return the win probability of a finished sum, from memory if known (Section 3.1).

    right    int64, mask of Right's subgames
    samples  int64, combinations to draw; 0 for the exact value          (paper: n_c)
    rng      np.random.Generator
    returns  float64
    """
    # All masks have a slot or, with more than MAX_SHARED subgames, none has.
    known = right < sampler.estimates.shape[0]
    if known and not np.isnan(sampler.estimates[right]):
        return sampler.estimates[right]
    if samples == 0:
        value = win_direct(sampler.outcomes, right, sampler.sums, sampler.probs)
    else:
        value = win_sampled(sampler.outcomes, right, samples, rng)
    if known:
        sampler.estimates[right] = value
    return value


@kernel
def spread_bits(bits: int, mask: int) -> int:
    """Return the bits of ``mask`` selected by ``bits``: bit k selects its k-th set bit."""
    kept = 0
    while mask != 0:
        lowest = mask & -mask
        if bits & 1:
            kept |= lowest
        mask ^= lowest
        bits >>= 1
    return kept


@kernel
def random_submask(mask: int, size: int, wanted: int, rng: np.random.Generator) -> int:
    """Return a uniformly drawn subset of ``wanted`` of the ``size`` bits of ``mask`` (int64)."""
    kept = 0
    while wanted > 0:
        lowest = mask & -mask
        # Selection sampling in one pass: take a bit with probability wanted / remaining.
        if rng.random() * size < wanted:
            kept |= lowest
            wanted -= 1
        size -= 1
        mask ^= lowest
    return kept


@kernel
def count_bits(mask: int) -> int:
    """Return the number of subgames in a mask (int64)."""
    size = 0
    while mask != 0:
        mask &= mask - 1
        size += 1
    return size


@kernel
def interior_value(
    sampler: Sampler, left: int, right: int, sampling: Sampling, rng: np.random.Generator
) -> float:
    """Return the mean win probability of the finished sums below a position.

    Source: Section 3.2.
    sampler      Sampler; its estimates grow
    left, right  int64, masks of the subgames played
    sampling     Sampling
    rng          np.random.Generator
    returns      float64, P'_w
    Twin: tests/reference/pcg.py::interior_value
    """
    n_subgames = sampler.outcomes.counts.shape[0]
    unplayed = ((1 << n_subgames) - 1) & ~(left | right)
    size = count_bits(unplayed)
    wanted = n_subgames // 2 - count_bits(right)  # subgames that Right will still play
    # A float suffices: binomials of 31 subgames fit, and only the size matters.
    below = 1.0
    for k in range(wanted):
        below *= (size - k) / (k + 1)
    taken = min(sampling.share * below, float(sampling.most))
    total = 0.0
    # A full enumeration costs no more than nearly all of the samples, and has no error.
    # Deviates: the paper draws k of them even then.
    if taken >= below - 0.5 or wanted == 0:
        bits = (1 << wanted) - 1
        taken = 0.0
        while bits < 1 << size:
            chosen = spread_bits(bits, unplayed)
            total += estimate_terminal(sampler, right | chosen, sampling.samples, rng)
            taken += 1.0
            # wanted == 0: there is one finished sum, and Gosper's step would divide by 0.
            if bits == 0:
                break
            carry = bits & -bits  # Gosper: the next larger number with the same bit count
            ripple = bits + carry
            bits = ripple | (((bits ^ ripple) // carry) >> 2)
        return total / taken
    draws = max(1, int(taken + 0.5))
    for _ in range(draws):
        chosen = random_submask(unplayed, size, wanted, rng)
        total += estimate_terminal(sampler, right | chosen, sampling.samples, rng)
    return total / draws


@kernel
def sort_moves(moves: np.ndarray, scores: np.ndarray, count: int) -> None:
    """Sort moves[:count] by scores[:count], best first, in place; equal scores keep their order."""
    for k in range(1, count):
        move, score = moves[k], scores[k]
        place = k
        # Insertion sort for at most 31 moves. It is stable, so runs are reproducible.
        while place > 0 and scores[place - 1] < score:
            moves[place], scores[place] = moves[place - 1], scores[place - 1]
            place -= 1
        moves[place], scores[place] = move, score


@kernel
def score_moves(
    sampler: Sampler,
    left: int,
    right: int,
    moves: np.ndarray,
    scores: np.ndarray,
    count: int,
    sampling: Sampling,
    rng: np.random.Generator,
) -> None:
    """Score a position's moves by their interior values: Monte-Carlo move ordering.

    Source: Section 3.2.
    moves   int64[>= count], open subgames
    scores  float64[>= count], written; larger is better for the player to move
    others  as in ``interior_value``
    """
    # Left moves first, so equal counts mean that Left is to move.
    lefts_move = count_bits(left) == count_bits(right)
    for k in range(count):
        played = 1 << moves[k]
        if lefts_move:
            scores[k] = interior_value(sampler, left | played, right, sampling, rng)
        else:
            scores[k] = -interior_value(sampler, left, right | played, sampling, rng)


def make_sampler(game: Sum, exact: bool) -> Sampler:
    """Return a sampler without any estimates.

    exact  whether finished sums will be evaluated exactly
    Raises BadSum when exact evaluation is wanted and there are too many combinations.
    """
    outcomes = sum_arrays(game)
    n_subgames = len(game.subgames)
    shared = 1 << n_subgames if n_subgames <= MAX_SHARED else 0
    scratch = direct_scratch(outcomes) if exact else (np.empty(0, np.int64), np.empty(0))
    return Sampler(outcomes, np.full(shared, np.nan), *scratch)
