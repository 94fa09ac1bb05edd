"""Features of a move that players of different ranks weigh differently, as classes in groups.

Every candidate has one class in each group. Class 0 means that no other class applies, and has no
weight. Lines, places and phases are relative to the size of the board. Weights learned on 9x9
therefore have a meaning on larger boards.

group       classes
LAST        distance to the last move, |dx| + |dy| + max(|dx|, |dy|): 2, 3, 4, 5, 6-7, 8-9, 10-12,
            13-16, more; nine for each phase
BEFORE      distance to the player's own last move, the same classes
CONTACT to LADDER, eight groups: as ``engine.patterns.evidence`` has them (KEPT_GROUPS)
BREATH      1 + liberties of the new chain - 1 + 4 * (those of the closest opponent chain - 1)
PLACE       the two lines that cross in the point, 15 pairs of 1..5, for each quarter of the game
REGION      the connected empty points around: own stones alone touch them, 1, 2, 3-4, 5-8 points,
            more: 1-5; the opponent's alone: 6-10; both, 1, 2, 3-5 points: 11-13
NEIGHBORS   own and opponent's stones among the four neighbors: 15 pairs, 10 more at the edge
DIAGONALS   own and opponent's stones on the four diagonals: 15 pairs, 6 more at the edge
ORDER       candidates that the ranking model prefers: 0, 1, 2, 3-4, 5-7, 8-12, 13-24, more
RIVAL       moves that it would prefer for the opponent, if he were to move: the same classes; 0
            where he may not play

Twin: tests/reference/people.py.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.go.board import BLACK, COLOR, EMPTY, SIZE, WALL, Board, Mask
from engine.go.geometry import AREA, STRIDE
from engine.go.scoring import NEUTRAL, fill_region
from engine.jit import kernel
from engine.patterns.contenders import CLASSES
from engine.patterns.context import DISTANCES, distance_class
from engine.patterns.evidence import (
    BEFORE_GROUP,
    EVIDENCE_GROUPS,
    GROUP_SIZES,
    LADDER_GROUP,
    LAST_GROUP,
)
from engine.patterns.matching import Candidates, Matcher

KEPT_GROUPS = (*CLASSES, LADDER_GROUP)
"""Groups that are taken over from the evidence, in the order of CONTACT to LADDER."""

LAST, BEFORE, CONTACT, CAPTURE, EXTENSION, SELF_ATARI, ATARI, LINKS, KO_FIGHT, LADDER = range(10)
BREATH, PLACE, REGION, NEIGHBORS, DIAGONALS, ORDER, RIVAL, GROUPS = range(10, 18)

OPENING, MIDDLE, END, PHASES = range(4)
PHASE_SHARES = (0.13, 0.42)  # occupied share of the board where a new phase begins
QUARTER_SHARES = (0.07, 0.2, 0.42)
PLACES = 15
LINES = 5  # of a 9x9 board; lines of larger boards are scaled to these
SIZES = (
    PHASES * DISTANCES,
    PHASES * DISTANCES,
    *(GROUP_SIZES[group] - 1 for group in KEPT_GROUPS),
    16,
    PLACES * (len(QUARTER_SHARES) + 1),
    13,
    25,
    21,
    8,
    8,
)
"""Number of classes of each group, without class 0."""

FIRST_ROWS = tuple(1 + sum(SIZES[:group]) for group in range(GROUPS))
"""The row of class 1 of each group; row 0 stands for class 0 of all of them."""

ROWS = 1 + sum(SIZES)


class Regions(NamedTuple):
    """The connected empty points of a position, and scratch."""

    kind: Ints  # (AREA,) class in REGION for Black to move
    colors: Mask  # (AREA,) of the points, NEUTRAL where a region was already found
    stack: Ints  # (AREA,)


def new_regions() -> Regions:
    """Return empty arrays, before any position."""
    return Regions(np.zeros(AREA, np.int64), np.zeros(AREA, np.uint8), np.zeros(AREA, np.int64))


@kernel
def survey_regions(board: Board, regions: Regions) -> int:
    """Find the empty regions of a position; return the number of stones on the board."""
    size = np.int64(board[SIZE])
    for point in range(AREA):
        regions.colors[point] = board[COLOR + point]
    regions.kind[:] = 0
    stones = 0
    for row in range(1, size + 1):
        for start in range(row * STRIDE + 1, row * STRIDE + size + 1):
            if board[COLOR + start] != EMPTY:
                stones += 1
            elif regions.colors[start] == EMPTY:
                points, touched = fill_region(regions.colors, start, regions.stack)
                kind = _region_class(points, touched, size * size)
                for i in range(points):
                    regions.kind[regions.stack[i]] = kind
    return stones


@kernel(inlined=True)
def _region_class(points: int, touched: int, area: int) -> int:
    """Return the class in REGION for Black to move; touched: the only color around, or NEUTRAL."""
    if points == area:  # no color at all
        return 0
    if touched == NEUTRAL:
        return 11 if points == 1 else 12 if points == 2 else 13 if points <= 5 else 0
    # One color around more than a quarter of the board is the opening, not territory.
    if points * 4 > area:
        return 0
    size_class = 1 if points == 1 else 2 if points == 2 else 3 if points <= 4 else 4
    if points > 8:
        size_class = 5
    return size_class if touched == BLACK else size_class + 5


@kernel(inlined=True)
def phase_of(stones: int, size: int) -> int:
    """Return the phase of a position by the number of stones on the board."""
    phase = 0
    for share in PHASE_SHARES:
        phase += stones >= share * size * size
    return phase


@kernel(inlined=True)
def line_like(line: int, size: int) -> int:
    """Return the line 1..LINES of a 9x9 board that a line of another board is like."""
    half = (size + 1) // 2
    if line <= 3 or half <= LINES:
        return min(line, LINES)
    # Lines from the third to the center are stretched.
    return 3 + (2 * (LINES - 3) * (line - 3) + half - 3) // (2 * (half - 3))


@kernel(inlined=True)
def place_class(point: int, stones: int, size: int) -> int:
    """Return the class in PLACE of a point."""
    row, column = point // STRIDE, point % STRIDE
    one = line_like(min(row, size + 1 - row), size)
    other = line_like(min(column, size + 1 - column), size)
    low, high = min(one, other), max(one, other)
    quarter = 0
    for share in QUARTER_SHARES:
        quarter += stones >= share * size * size
    return int(high * (high - 1) // 2 + low + PLACES * quarter)


@kernel(inlined=True)
def pair_class(own: int, other: int, most: int) -> int:
    """Return a number, from 0 on, for two counts that add up to at most ``most``."""
    return own * (2 * most + 3 - own) // 2 + other


@kernel(inlined=True)
def order_class(above: int) -> int:
    """Return the class in ORDER of a move, given the number of moves preferred to it."""
    if above < 3:
        return above + 1
    return 4 if above < 5 else 5 if above < 8 else 6 if above < 13 else 7 if above < 25 else 8


@kernel
def write_orders(points: Ints, scores: Floats, count: int, orders: Ints) -> None:
    """Write the class in ORDER of each move by its score, at its point in orders, int64[AREA]."""
    for i in range(count):
        above = 0
        for j in range(count):
            above += scores[j] > scores[i]
        orders[points[i]] = order_class(above)


@kernel(inlined=True)
def _row(group: int, place: int) -> int:
    """Return the row of a class of a group; class 0 has none, which is row 0."""
    return 0 if place == 0 else FIRST_ROWS[group] + place - 1


@kernel
def write_place_rows(
    board: Board, color: int, candidates: Candidates, count: int, regions: Regions, rows: Ints
) -> int:
    """Write the groups PLACE to DIAGONALS of rows, int64[>= count, GROUPS]; return the phase."""
    size = np.int64(board[SIZE])
    stones = survey_regions(board, regions)
    for i in range(count):
        point = candidates.points[i]
        rows[i, PLACE] = _row(PLACE, place_class(point, stones, size))
        kind = regions.kind[point]
        if color == 2 and 1 <= kind <= 10:
            kind += 5 if kind <= 5 else -5
        rows[i, REGION] = _row(REGION, kind)
        own, other, walls = 0, 0, 0
        for near in (point + 1, point - 1, point + STRIDE, point - STRIDE):
            stone = np.int64(board[COLOR + near])
            own += stone == color
            other += stone == 3 - color
            walls += stone == WALL
        edge = walls > 0
        pair = 15 + pair_class(own, other, 3) if edge else pair_class(own, other, 4)
        rows[i, NEIGHBORS] = FIRST_ROWS[NEIGHBORS] + pair
        own, other = 0, 0
        for side in (point + STRIDE, point - STRIDE):
            for near in (side + 1, side - 1):
                stone = np.int64(board[COLOR + near])
                own += stone == color
                other += stone == 3 - color
        pair = 15 + pair_class(own, other, 2) if edge else pair_class(own, other, 4)
        rows[i, DIAGONALS] = FIRST_ROWS[DIAGONALS] + pair
    return int(phase_of(stones, size))


@kernel
def write_evidence_rows(
    matcher: Matcher, color: int, candidates: Candidates, count: int, phase: int, rows: Ints
) -> None:
    """Write the rows of the groups LAST to BREATH; the matcher has just found the candidates."""
    for i in range(count):
        start = i * EVIDENCE_GROUPS
        distance = distance_class(candidates.evidence[start + LAST_GROUP])
        rows[i, LAST] = _row(LAST, 0 if distance == 0 else distance + phase * DISTANCES)
        distance = distance_class(candidates.evidence[start + BEFORE_GROUP])
        rows[i, BEFORE] = _row(BEFORE, 0 if distance == 0 else distance + phase * DISTANCES)
        for k in range(len(KEPT_GROUPS)):
            group = CONTACT + k
            rows[i, group] = _row(group, candidates.evidence[start + KEPT_GROUPS[k]])
        # The low four feature bits are the liberties of the new chain and of the closest one.
        bits = matcher.features[(color - 1) * AREA + candidates.points[i]] & 15
        rows[i, BREATH] = FIRST_ROWS[BREATH] + bits


@kernel
def write_order_rows(
    candidates: Candidates, count: int, own: Ints, rival: Ints, rows: Ints
) -> None:
    """Write the rows of the groups ORDER and RIVAL.

    own, rival  int64[AREA], each move's class by ``write_orders``; 0 where the rival may not play
    """
    for i in range(count):
        point = candidates.points[i]
        rows[i, ORDER] = _row(ORDER, own[point])
        rows[i, RIVAL] = _row(RIVAL, rival[point])
