"""The facts about owners, for the contenders of a position that roll-outs have tallied.

facts of       what they are, for the mover: an owner is 1 for the mover's point, -1 for the other's
the position   points that are open: 1 - |mean owner|, added up
the point      its owner; the worst own chain and the best other chain beside it
the region     within NEAR_REACH, then FAR_REACH lines: mean owner of own stones, of other stones;
               open points; own stones that are lost, other stones that are taken (in halves)
beside it      open points within one line
the first move who plays the point first: the difference in final margin, the share of roll-outs;
               the difference in points within FAR_REACH; the mover's part; within NEAR_REACH
the last move  mean owner of its chain
the order      distance from the best value, trees included; contenders with a better value;
               distance of the second; contenders with a larger difference within FAR_REACH

Roll-outs come from ``rollout.owner_tallies``. Twin: tests/reference/owners.py.
"""

import numpy as np

from engine.arrays import Floats, Int16s, Ints
from engine.go.board import COLOR, EMPTY, SIZE, WALL, Board
from engine.go.chains import chain_size, next_stone
from engine.go.geometry import PASS, STRIDE, neighbors
from engine.jit import kernel
from engine.patterns.contenders import (
    ALL_ROLLOUTS,
    COUNT,
    FACT_STEPS,
    FAR,
    FAR_REACH,
    MARGINS,
    MOVER_FIRST,
    NEAR,
    NEAR_REACH,
    OTHER_FIRST,
    OWNED,
    OWNER_FACTS,
)
from engine.patterns.evidence import LAST_MOVE
from engine.patterns.matching import Candidates
from engine.patterns.position import Position

NO_STONES = 400  # stands for a mean owner where there are no stones, in steps
NO_CHAIN = 2.0  # stands for the worst owner of no chain, and its opposite for the best
PRIOR_ROLLOUTS = 4.0  # with the mean result, added to those in which a side plays a point first


@kernel(inlined=True)
def rounded(value: float) -> int:
    """Return the nearest whole number, cut to int16."""
    whole: int = np.int64(min(max(np.rint(value), -32767.0), 32767.0))
    return whole


@kernel
def first_gain(tallies: Ints, side: int, part: int, point: int) -> float:
    """Return the gain over the mean result where a side plays a point first, in part of a sum.

    side  MOVER_FIRST or OTHER_FIRST
    part  MARGINS, NEAR or FAR
    """
    mean = tallies[ALL_ROLLOUTS + part, point] / tallies[ALL_ROLLOUTS + COUNT, point]
    count: float = np.float64(tallies[side + COUNT, point])
    gain: float = (tallies[side + part, point] - count * mean) / (count + PRIOR_ROLLOUTS)
    return gain


@kernel
def first_difference(tallies: Ints, part: int, point: int) -> float:
    """Return the gain of the mover's first move at a point over the other side's."""
    own: float = first_gain(tallies, np.int64(MOVER_FIRST), part, point)
    return own - first_gain(tallies, np.int64(OTHER_FIRST), part, point)


@kernel
def chain_owner(board: Board, owned: Ints, stone: int) -> float:
    """Return the mean owner of the points of a stone's chain."""
    total: int = np.int64(0)
    size: int = chain_size(board, stone)
    for _ in range(size):
        total += owned[stone]
        stone = next_stone(board, stone)
    return total / np.float64(size * owned[PASS])


@kernel
def write_region(
    board: Board, owned: Ints, color: int, point: int, reach: int, facts: Int16s, lane: int
) -> float:
    """Write the five facts of the region within some lines to int16[5, LANES]; return its third."""
    size: int = np.int64(board[SIZE])
    rollouts, row, column = np.float64(owned[PASS]), point // STRIDE, point % STRIDE
    own, own_stones, other, other_stones, points = 0, 0, 0, 0, 0.0
    for y in range(max(row - reach, 1), min(row + reach, size) + 1):
        start, end = max(column - reach, 1), min(column + reach, size)
        for near in range(y * STRIDE + start, y * STRIDE + end + 1):
            stone, owner = np.int64(board[COLOR + near]), owned[near]
            points += 1.0 - abs(owner / rollouts)
            if stone == color:
                own, own_stones = own + owner, own_stones + 1
            elif stone != EMPTY:
                other, other_stones = other + owner, other_stones + 1
    steps = FACT_STEPS / rollouts
    facts[0, lane] = rounded(steps * own / own_stones) if own_stones > 0 else NO_STONES
    facts[1, lane] = rounded(steps * other / other_stones) if other_stones > 0 else NO_STONES
    facts[2, lane] = rounded(8.0 * points)
    facts[3, lane] = rounded(8.0 * (own_stones - own / rollouts))
    facts[4, lane] = rounded(8.0 * (other_stones + other / rollouts))
    return points


@kernel
def write_owner_facts(position: Position, candidates: Candidates, values: Floats) -> None:
    """Write the facts about owners of the contenders that are chosen.

    position    that the contenders' tallies are about
    candidates  with contenders; their facts from OWNER_FACTS on are overwritten
    values      float64[>= number of moves], of the candidates, the trees' leaves included
    Twin: tests/reference/owners.py::facts
    """
    board, color, contenders = position.board, position.color, candidates.contenders
    order, facts, tallies = contenders.order, contenders.facts[OWNER_FACTS:], contenders.tallies
    owned, count = tallies[OWNED], contenders.count[0]
    rollouts, last = np.float64(owned[PASS]), position.memory[LAST_MOVE]
    answered = NO_STONES
    if last != PASS and board[COLOR + last] != EMPTY:
        answered = rounded(FACT_STEPS * chain_owner(board, owned, last))
    best = second = -np.inf
    for lane in range(count):
        value = values[order[lane]]
        second = max(second, min(best, value))
        best = max(best, value)
    for lane in range(count):
        point = candidates.points[order[lane]]
        worst, strongest = NO_CHAIN, -NO_CHAIN
        for near in neighbors(point):
            stone = np.int64(board[COLOR + near])
            if stone == color:
                worst = min(worst, chain_owner(board, owned, np.int64(near)))
            elif stone != EMPTY and stone != WALL:
                strongest = max(strongest, chain_owner(board, owned, np.int64(near)))
        # The regions of the whole board and of one line are overwritten by the others.
        size, region = np.int64(board[SIZE]), facts[4:]
        facts[0, lane] = rounded(write_region(board, owned, color, point, size, region, lane))
        points = write_region(board, owned, color, point, np.int64(1), region, lane)
        facts[14, lane] = rounded(64.0 * points)
        facts[1, lane] = rounded(FACT_STEPS * owned[point] / rollouts)
        facts[2, lane] = rounded(FACT_STEPS * worst)
        facts[3, lane] = rounded(FACT_STEPS * strongest)
        write_region(board, owned, color, point, np.int64(NEAR_REACH), region, lane)
        write_region(board, owned, color, point, np.int64(FAR_REACH), facts[9:], lane)
        facts[15, lane] = rounded(16.0 * first_difference(tallies, np.int64(MARGINS), point))
        first = tallies[MOVER_FIRST + COUNT, point] - tallies[OTHER_FIRST + COUNT, point]
        facts[16, lane] = rounded(FACT_STEPS * first / rollouts)
        facts[17, lane] = rounded(16.0 * first_difference(tallies, np.int64(FAR), point))
        own = first_gain(tallies, np.int64(MOVER_FIRST), np.int64(FAR), point)
        facts[18, lane] = rounded(16.0 * own)
        facts[19, lane] = rounded(32.0 * first_difference(tallies, np.int64(NEAR), point))
        facts[20, lane] = answered
        facts[21, lane] = rounded(FACT_STEPS * (best - values[order[lane]]))
        facts[23, lane] = rounded(FACT_STEPS * min(best - second, 100.0))
    for lane in range(count):
        better = larger = 0
        for other in range(count):
            better += values[order[other]] > values[order[lane]]
            larger += facts[17, other] > facts[17, lane]
        facts[22, lane], facts[24, lane] = better, larger
