"""The facts about owners, for the contenders of a position that roll-outs have tallied.

facts of       what they are, for the mover: an owner is 1 for the mover's point, -1 for the other's
the position   open points: 1 - |mean owner|, added up
the point      its owner; the worst own chain and the best other chain beside it
the region     within 2, then 4 lines: mean owner of own stones, of other stones; open points; own
               stones that are lost, other stones that are taken (in halves)
beside it      open points within one line
the first move who plays the point first: the difference in final margin, the share of roll-outs;
               the difference in points within 4 lines; the mover's part; within 2 lines
the last move  mean owner of its chain
the order      distance from the best value, trees included; contenders with a better value;
               distance of the second; contenders with a larger difference within 4 lines

Roll-outs come from ``rollout.owner_tallies``. Twin: tests/reference/owners.py.
"""

import numpy as np

from engine.arrays import Floats, Int16s, Ints
from engine.go.board import COLOR, EMPTY, SIZE, WALL, Board
from engine.go.chains import chain_size, next_stone
from engine.go.geometry import PASS, STRIDE, neighbors
from engine.jit import kernel
from engine.patterns.contenders import (
    ALL,
    BOARD,
    COUNT,
    FACT_STEPS,
    FAR,
    MOVER,
    NEAR,
    OTHER,
    OWNER_FACTS,
    POINT,
    REACHES,
    Tallies,
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
    return np.int64(min(max(np.rint(value), -32767.0), 32767.0))


@kernel
def first_gain(tallies: Tallies, side: int, reach: int, point: int) -> float:
    """Return what MOVER or OTHER gains over the mean by the first move at a point [points]."""
    mean = tallies[ALL, reach, point] / tallies[ALL, COUNT, PASS]
    count = tallies[side, COUNT, point]
    return (tallies[side, reach, point] - count * mean) / (count + PRIOR_ROLLOUTS)


@kernel
def first_difference(tallies: Tallies, reach: int, point: int) -> float:
    """Return the gain of the mover's first move at a point over the other side's."""
    return first_gain(tallies, MOVER, reach, point) - first_gain(tallies, OTHER, reach, point)


@kernel
def chain_owner(board: Board, owned: Ints, stone: int, rollouts: int) -> float:
    """Return the mean owner of the points of a stone's chain."""
    total: int = np.int64(0)
    size = chain_size(board, stone)
    for _ in range(size):
        total += owned[stone]
        stone = next_stone(board, stone)
    return total / np.float64(size * rollouts)


@kernel
def write_region(
    position: Position, tallies: Tallies, point: int, reach: int, facts: Int16s, lane: int
) -> float:
    """Write the five facts of the region within some lines to int16[5, LANES]; return its third."""
    board, owned, rollouts = position.board, tallies[ALL, POINT], tallies[ALL, COUNT, PASS]
    size: int = np.int64(board[SIZE])
    row, column = point // STRIDE, point % STRIDE
    own, own_stones, other, other_stones, points = 0, 0, 0, 0, 0.0
    for y in range(max(row - reach, 1), min(row + reach, size) + 1):
        start, end = max(column - reach, 1), min(column + reach, size)
        for near in range(y * STRIDE + start, y * STRIDE + end + 1):
            stone, owner = np.int64(board[COLOR + near]), owned[near]
            points += 1.0 - abs(owner / rollouts)
            if stone == position.color:
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
    board, contenders, last = position.board, candidates.contenders, position.memory[LAST_MOVE]
    order, facts, tallies = contenders.order, contenders.facts[OWNER_FACTS:], contenders.tallies
    owned, rollouts, count = tallies[ALL, POINT], tallies[ALL, COUNT, PASS], contenders.count[0]
    answered = NO_STONES
    if last != PASS and board[COLOR + last] != EMPTY:
        answered = rounded(FACT_STEPS * chain_owner(board, owned, last, rollouts))
    best = second = -np.inf
    for lane in range(count):
        second = max(second, min(best, values[order[lane]]))
        best = max(best, values[order[lane]])
    for lane in range(count):
        point = candidates.points[order[lane]]
        worst, strongest = NO_CHAIN, -NO_CHAIN
        for near in neighbors(point):
            stone = np.int64(board[COLOR + near])
            if stone != EMPTY and stone != WALL:
                owner = chain_owner(board, owned, np.int64(near), rollouts)
                worst = min(worst, owner if stone == position.color else NO_CHAIN)
                strongest = max(strongest, owner if stone != position.color else -NO_CHAIN)
        # The regions of the whole board and of one line are overwritten by the others.
        size, region = np.int64(board[SIZE]), facts[4:]
        facts[0, lane] = rounded(write_region(position, tallies, point, size, region, lane))
        facts[1, lane] = rounded(FACT_STEPS * owned[point] / rollouts)
        facts[2, lane], facts[3, lane] = (
            rounded(FACT_STEPS * worst),
            rounded(FACT_STEPS * strongest),
        )
        points = write_region(position, tallies, point, np.int64(1), region, lane)
        write_region(position, tallies, point, np.int64(REACHES[NEAR]), region, lane)
        write_region(position, tallies, point, np.int64(REACHES[FAR]), facts[9:], lane)
        facts[14, lane] = rounded(64.0 * points)
        facts[15, lane] = rounded(16.0 * first_difference(tallies, BOARD, point))
        first = tallies[MOVER, COUNT, point] - tallies[OTHER, COUNT, point]
        facts[16, lane] = rounded(FACT_STEPS * first / rollouts)
        facts[17, lane] = rounded(16.0 * first_difference(tallies, FAR, point))
        facts[18, lane] = rounded(16.0 * first_gain(tallies, MOVER, FAR, point))
        facts[19, lane] = rounded(32.0 * first_difference(tallies, NEAR, point))
        facts[20, lane] = answered
        facts[21, lane] = rounded(FACT_STEPS * (best - values[order[lane]]))
        facts[23, lane] = rounded(FACT_STEPS * min(best - second, 100.0))
    for lane in range(count):
        better = larger = 0
        for other in range(count):
            better += values[order[other]] > values[order[lane]]
            larger += facts[17, other] > facts[17, lane]
        facts[22, lane], facts[24, lane] = better, larger
