"""The paper's solver: alpha-beta with transpositions and Monte-Carlo or history move ordering.

Source: Zhao & Mueller, Sections 4 and 5.1-5.2. Positions after fewer than ``sampled_depth`` moves
(paper: d_m) order their moves by Monte-Carlo interior evaluation. The others use the history
heuristic (Schaeffer 1989; a best move gains 2^(moves left)). Finished sums are evaluated directly
(Formula 1), as in the paper. This module reproduces the paper; engine.pcg.exact is in use.

The same search is the heuristic player (``heuristic``) when it stops at a ``frontier``, where
positions get their interior value. The recursion is unrolled: one row of ``Search`` per depth.
"""

from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np

from engine.errors import BadSum
from engine.jit import kernel
from engine.pcg.game import Sum
from scripts.reproduce.papers.pcg.monte_carlo import (
    ALL_TERMINALS,
    Sampler,
    Sampling,
    estimate_terminal,
    interior_value,
    make_sampler,
    score_moves,
    sort_moves,
)
from scripts.reproduce.papers.pcg.terminal import win_direct
from scripts.reproduce.papers.pcg.transpositions import (
    EXACT,
    FINISHED,
    LOWER,
    UPPER,
    Table,
    find_finished,
    find_interior,
    home_slot,
    make_table,
    store,
)

FRAME_LEFT, FRAME_RIGHT, FRAME_NEXT, FRAME_COUNT, FRAME_BEST = range(5)
"""Columns of Search.frames: both masks, next move to try, number of moves, best move so far."""
WINDOW_ALPHA, WINDOW_BETA, WINDOW_VALUE, WINDOW_FIRST_ALPHA, WINDOW_FIRST_BETA = range(5)
"""Columns of Search.windows: present window, best value so far, window on arrival."""
COUNT_NODES, COUNT_TERMINALS, COUNT_HITS = range(3)
"""Slots of Search.counts: positions visited, finished sums evaluated, table hits."""


class Search(NamedTuple):
    """The line being searched; row d is the position after d moves of the sum."""

    frames: np.ndarray  # int64[n + 1, 5]
    windows: np.ndarray  # float64[n + 1, 5]
    moves: np.ndarray  # int64[n + 1, n]
    scores: np.ndarray  # float64[n], scratch
    history: np.ndarray  # float64[2, n], by player to move
    counts: np.ndarray  # int64[3]


class Plan(NamedTuple):
    """The rules of move ordering and evaluation (Section 5.2)."""

    frontier: int  # number of moves after which positions are sampled; n: never
    sampled_depth: int  # positions with fewer moves order by sampling       (paper: d_m)
    sampling: Sampling
    exact_end: int  # 1: finished sums that the search itself reaches are evaluated exactly


@kernel
def order_moves(
    search: Search, sampler: Sampler, depth: int, known: int, plan: Plan, rng: np.random.Generator
) -> None:
    """List the moves of a position, the most promising first (Section 5.2).

    search, sampler  Search and Sampler; row ``depth`` (int64) of search.moves is written
    known            int64, a move known to be good, -1 none; it goes first
    plan             Plan
    """
    left, right = search.frames[depth, FRAME_LEFT], search.frames[depth, FRAME_RIGHT]
    moves = search.moves[depth]
    count = np.int64(0)  # a plain 0 would be a different type to the compiler
    for i in range(moves.shape[0]):
        if not ((left | right) >> i) & 1:
            moves[count] = i
            search.scores[count] = search.history[depth & 1, i]
            count += 1
    search.frames[depth, FRAME_COUNT] = count
    search.frames[depth, FRAME_NEXT] = 0
    search.frames[depth, FRAME_BEST] = -1
    # Only near the root, where a wrong order costs most: the paper gains up to d_m = 4 (Fig. 3).
    if depth < plan.sampled_depth and count > 1:
        score_moves(sampler, left, right, moves, search.scores, count, plan.sampling, rng)
    for k in range(count):
        # The best move of an earlier visit comes first, under either rule.
        if moves[k] == known:
            search.scores[k] = np.inf
    sort_moves(moves, search.scores, count)


@kernel
def value_leaf(
    search: Search, sampler: Sampler, table: Table, depth: int, plan: Plan, rng: np.random.Generator
) -> float:
    """Return the value of a finished sum or of a frontier position, and remember it."""
    left, right = search.frames[depth, FRAME_LEFT], search.frames[depth, FRAME_RIGHT]
    n_subgames = search.moves.shape[1]
    key = left | (right << n_subgames)
    # An open position here is at the frontier: its value is a mean of the sums below.
    if depth < n_subgames:
        slot = find_interior(table, key)
        if slot >= 0:
            search.counts[COUNT_HITS] += 1
            return table.values[slot]
        value = interior_value(sampler, left, right, plan.sampling, rng)
        store(table, home_slot(table, key), key, value, np.int64(EXACT), np.int64(-1))
        return value
    slot = find_finished(table, key)
    if slot >= 0:
        search.counts[COUNT_HITS] += 1
        return table.values[slot]
    search.counts[COUNT_TERMINALS] += 1
    if plan.exact_end and plan.sampling.samples > 0:  # estimates serve ordering only
        value = win_direct(sampler.outcomes, right, sampler.sums, sampler.probs)
    else:
        value = estimate_terminal(sampler, right, plan.sampling.samples, rng)
    # np.int64(...): a literal has a type of its own and would compile ``store`` again.
    store(table, ~slot, key, value, np.int64(FINISHED), np.int64(-1))
    return value


@kernel
def arrive(
    search: Search, sampler: Sampler, table: Table, depth: int, plan: Plan, rng: np.random.Generator
) -> tuple[bool, float]:
    """Begin a position: take its value from the table or a leaf, or list its moves.

    search.frames[depth] holds the masks, search.windows[depth] ALPHA and BETA on entry.
    returns  (bool settled, float64 value when settled)
    """
    search.counts[COUNT_NODES] += 1
    if depth >= plan.frontier:
        return True, value_leaf(search, sampler, table, depth, plan, rng)
    window = search.windows[depth]
    left, right = search.frames[depth, FRAME_LEFT], search.frames[depth, FRAME_RIGHT]
    slot = find_interior(table, left | (right << search.moves.shape[1]))
    known = -1
    if slot >= 0:
        kind, value = table.kinds[slot], table.values[slot]
        known = table.moves[slot]
        if (
            kind == EXACT
            or (kind == LOWER and value >= window[WINDOW_BETA])
            or (kind == UPPER and value <= window[WINDOW_ALPHA])
        ):
            search.counts[COUNT_HITS] += 1
            return True, value
    order_moves(search, sampler, depth, known, plan, rng)
    window[WINDOW_FIRST_ALPHA], window[WINDOW_FIRST_BETA] = (
        window[WINDOW_ALPHA],
        window[WINDOW_BETA],
    )
    # Outside 0 to 1, so that the first move searched always becomes the best one.
    window[WINDOW_VALUE] = -1.0 if depth & 1 == 0 else 2.0
    return False, 0.0


@kernel
def descend(search: Search, depth: int) -> None:
    """Put the position after the next untried move into the row below."""
    frame = search.frames[depth]
    played = 1 << search.moves[depth, frame[FRAME_NEXT]]
    frame[FRAME_NEXT] += 1
    below = search.frames[depth + 1]
    below[FRAME_LEFT], below[FRAME_RIGHT] = frame[FRAME_LEFT], frame[FRAME_RIGHT]
    below[FRAME_LEFT if depth & 1 == 0 else FRAME_RIGHT] |= played
    search.windows[depth + 1, WINDOW_ALPHA] = search.windows[depth, WINDOW_ALPHA]
    search.windows[depth + 1, WINDOW_BETA] = search.windows[depth, WINDOW_BETA]


@kernel
def fold_in(search: Search, table: Table, depth: int, value: float) -> tuple[bool, float]:
    """Update a position with the value of the move just searched; fail-soft alpha-beta.

    value    float64, Left's win probability or a bound of it
    returns  (bool settled, float64 value when settled)
    """
    frame, window = search.frames[depth], search.windows[depth]
    move = search.moves[depth, frame[FRAME_NEXT] - 1]
    if depth & 1 == 0:
        if value > window[WINDOW_VALUE]:
            window[WINDOW_VALUE] = value
            frame[FRAME_BEST] = move
        window[WINDOW_ALPHA] = max(window[WINDOW_ALPHA], value)
    else:
        if value < window[WINDOW_VALUE]:
            window[WINDOW_VALUE] = value
            frame[FRAME_BEST] = move
        window[WINDOW_BETA] = min(window[WINDOW_BETA], value)
    if frame[FRAME_NEXT] < frame[FRAME_COUNT] and window[WINDOW_ALPHA] < window[WINDOW_BETA]:
        return False, 0.0
    best = window[WINDOW_VALUE]
    # Compare with the window on arrival: alpha and beta have changed and would call bounds exact.
    kind = np.int64(EXACT)
    if best >= window[WINDOW_FIRST_BETA]:
        kind = LOWER
    elif best <= window[WINDOW_FIRST_ALPHA]:
        kind = UPPER
    n_subgames = search.moves.shape[1]
    key = frame[FRAME_LEFT] | (frame[FRAME_RIGHT] << n_subgames)
    store(table, home_slot(table, key), key, best, kind, frame[FRAME_BEST])
    # Schaeffer's 2^depth: a cutoff high in the tree saves more than one near its end.
    search.history[depth & 1, frame[FRAME_BEST]] += float(1 << (n_subgames - depth))
    return True, best


@kernel
def search_position(
    search: Search, sampler: Sampler, table: Table, start: int, plan: Plan, rng: np.random.Generator
) -> float:
    """Search the position in row ``start`` (int64, its number of moves) with a full window.

    Source: Section 4. search.frames[start] holds its masks, and afterwards its BEST move.
    returns  float64, Left's win probability (paper: P_w); exact if the plan requires it
    Twin: tests/reference/pcg.py::game_value
    """
    # Beyond 0 and 1, so that a certain win or loss is an exact value and not a bound.
    search.windows[start, WINDOW_ALPHA], search.windows[start, WINDOW_BETA] = -1.0, 2.0
    depth = start
    settled, value = arrive(search, sampler, table, depth, plan, rng)
    while True:
        if not settled:
            descend(search, depth)
            depth += 1
            settled, value = arrive(search, sampler, table, depth, plan, rng)
        elif depth == start:
            return value
        else:
            depth -= 1
            settled, value = fold_in(search, table, depth, value)


@dataclass(frozen=True)
class SearchResult:
    """The result of the paper's solver and its cost (Table 3's columns)."""

    value: float  # Left's win probability
    best: int  # a best first subgame (the first one found)
    nodes: int  # positions visited, finished sums and repetitions included
    terminals: int  # finished sums evaluated
    hits: int  # visits settled by the transposition table


def make_search(n_subgames: int) -> Search:
    """Return empty rows for a sum of n subgames."""
    rows = n_subgames + 1
    return Search(
        np.zeros((rows, 5), dtype=np.int64),
        np.zeros((rows, 5)),
        np.zeros((rows, n_subgames), dtype=np.int64),
        np.zeros(n_subgames),
        np.zeros((2, n_subgames)),
        np.zeros(3, dtype=np.int64),
    )


def solve_by_search(
    game: Sum,
    rng: np.random.Generator,
    sampled_depth: int = 4,
    share: float = 1.0,
    samples: int = 10,
    table_bits: int = 20,
) -> SearchResult:
    """Return the exact value of a sum by the paper's alpha-beta search (Section 4).

    rng            draws the samples for move ordering; the value does not depend on it
    sampled_depth  positions of fewer moves are ordered by sampling; 0: history only (d_m)
    share          part of the finished sums sampled, in (0, 1]                      (n_t)
    samples        combinations drawn for each, 0: all, exactly                      (n_c)
    table_bits     2^table_bits table entries
    Raises BadSum when finished sums would fill more than half of the table, or when one has too
    many combinations.

    # Deviates: a position at depth d_m itself is not sampled. The paper says "up to d_m", but
    also that d_m = 0 means the history heuristic alone.
    """
    n_subgames = len(game.subgames)
    # Finished sums are never overwritten, and a walk over them ends at a free slot.
    if 2 * comb(n_subgames, n_subgames // 2) > 1 << table_bits:
        raise BadSum(f"{n_subgames} subgames are too many for a table of 2^{table_bits} entries")
    if not 0.0 < share <= 1.0 or samples < 0 or sampled_depth < 0:
        raise BadSum("share must be in (0, 1], samples and sampled_depth at least 0")
    search = make_search(n_subgames)
    sampler = make_sampler(game, exact=True)
    sampling = Sampling(float(share), ALL_TERMINALS, samples)
    # The frontier is n, so every line is searched to its finished sum.
    plan = Plan(n_subgames, sampled_depth, sampling, 1)
    value = search_position(search, sampler, make_table(table_bits), 0, plan, rng)
    nodes, terminals, hits = (int(count) for count in search.counts)
    return SearchResult(float(value), int(search.frames[0, FRAME_BEST]), nodes, terminals, hits)
