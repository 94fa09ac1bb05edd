"""Context: classes of pairs of facts about a move, which the added evidence takes one by one.

The value of a move gets one more summand for each group below. They are learned after the ranking
model, with all its beliefs fixed (``patterns_db.patterns.added_training``), and have a small
table of their own. Class 0 of a group has no effect.

group      classes
PAIR       distance to the last move x distance to the move before it
GAP        distance to the last move x distance between these two moves
THIRD      offset from the third last move (the opponent's), up to symmetry, up to 7 lines away
CONTACT    class in CONTACT x liberties of the last move's chain x the fewest liberties of the
           player's chains beside the last move
LINE       line, up to 5 x distance to the last move
CAPTURE    class in CAPTURE x distance to the last move
ATARI      class in ATARI x distance to the last move
NEARBY     the fewest liberties of the player's chains up to two steps away x the opponent's
TEMPLATE   largest template that matches x distance to the last move
ANSWER     3x3 neighborhood of the last move and the offset from it, up to 4 lines, up to symmetry
FOLLOW_UP  the same for the move before it, up to 3 lines

ANSWER and FOLLOW_UP share HASHED classes each: rare neighborhoods may coincide. Neighborhoods of
the last move as features follow C. J. Maddison et al., "Move evaluation in Go using deep
convolutional neural networks" (2015), section 3, and D. Silver et al. (2016), table 4 ("response").
Twin: tests/reference/context.py.
"""

import numpy as np

from engine.arrays import Ints
from engine.go.board import BLACK, COLOR, EMPTY, HEAD, SIZE, WALL, WHITE, Board
from engine.go.geometry import PASS, STRIDE
from engine.jit import kernel
from engine.patterns.choice import NO_SUMMAND
from engine.patterns.contenders import CONTEXT_GROUPS
from engine.patterns.evidence import (
    ATARI_GROUP,
    BEFORE_GROUP,
    CAPTURE_GROUP,
    CONTACT_GROUP,
    EVIDENCE_GROUPS,
    FAR,
    LAST_GROUP,
    LAST_MOVE,
    LINE_GROUP,
    MOVE_BEFORE,
    THIRD_LAST,
    distance,
)
from engine.patterns.features import LIST_SIZE, MANY, ChainLiberties, list_liberties
from engine.patterns.matching import Candidates, Matcher
from engine.patterns.templates import SYMMETRIES, TEMPLATES, transform_offset

PAIR, GAP, THIRD, CONTACT, LINE, CAPTURE, ATARI, NEARBY, TEMPLATE, ANSWER, FOLLOW_UP = range(
    CONTEXT_GROUPS
)
CONTEXT_VERSION = 1  # version of the meaning of the rows
DISTANCES = 9  # classes of distances, without 0 = no such move
HASHED = 1 << 14
ANSWER_REACH, FOLLOW_UP_REACH, THIRD_REACH = 4, 3, 7  # lines
_COUNTS = LIST_SIZE + 1  # liberties 0..LIST_SIZE
_NEAR = DISTANCES + 1
CONTEXT_SIZES = (
    _NEAR * _NEAR - 1,
    _NEAR * _NEAR - 1,
    (THIRD_REACH + 1) * (THIRD_REACH + 2) // 2,
    9 * LIST_SIZE * _COUNTS,
    6 * _NEAR,
    13 * _NEAR,
    8 * _NEAR,
    _COUNTS * _COUNTS,
    (TEMPLATES + 1) * _NEAR,
    HASHED,
    HASHED,
)
"""Number of classes of each group, without class 0."""

FIRST_CONTEXT = tuple(sum(CONTEXT_SIZES[:group]) for group in range(CONTEXT_GROUPS))
"""The row of class 1 of each group."""

CONTEXT_ROWS = sum(CONTEXT_SIZES)

# Odd factors of a multiplicative hash. Products of 31 bits by 31 bits stay positive in int64.
_MIX, _MORE, _MASK = 0x5851F42D, 0x2545F491, 0x7FFFFFFF


_turn = kernel(inlined=True)(transform_offset)


@kernel(inlined=True)
def distance_class(finer: int) -> int:
    """Return the class 0..DISTANCES of a distance by its class in the evidence, which is finer."""
    if finer <= 5:
        return max(finer - 1, 0)
    if finer <= 9:
        return 5 + (finer - 6) // 2
    return 7 if finer <= 12 else 8 if finer <= 16 else 9


@kernel(inlined=True)
def _row(group: int, number: int) -> int:
    """Return the row of a class of a group by its number, from 1; 0 has no effect and no row."""
    return NO_SUMMAND if number == 0 else FIRST_CONTEXT[group] + number - 1


@kernel
def write_context(
    matcher: Matcher, board: Board, memory: Ints, color: int, candidates: Candidates, count: int
) -> None:
    """Write the row of each candidate in every group of the context.

    matcher     that has just found the candidates with their evidence; its codes change
    memory      int64[MEMORY], remember_move of the moves so far
    candidates  of this position; context is overwritten
    Twin: tests/reference/context.py::context
    """
    last, before, third = memory[LAST_MOVE], memory[MOVE_BEFORE], memory[THIRD_LAST]
    gap = np.int64(0)
    if last != PASS and before != PASS:
        gap = distance_class(min(max(distance(last, before), 1), FAR))
    liberties, weakest = last_fight(board, matcher.chains, last, color)
    fight = min(liberties, MANY) * _COUNTS + weakest
    _write_codes(board, last, color, matcher.codes, np.int64(0))
    _write_codes(board, before, color, matcher.codes, np.int64(SYMMETRIES))
    rows, evidence = candidates.context, candidates.evidence
    for i in range(count):
        point, start, first = candidates.points[i], i * CONTEXT_GROUPS, i * EVIDENCE_GROUPS
        near = distance_class(evidence[first + LAST_GROUP])
        own = distance_class(evidence[first + BEFORE_GROUP])
        rows[start + PAIR] = _row(PAIR, near * _NEAR + own)
        rows[start + GAP] = _row(GAP, near * _NEAR + gap)
        rows[start + THIRD] = _row(THIRD, _offset_class(point, third))
        contact = evidence[first + CONTACT_GROUP]
        rows[start + CONTACT] = _row(CONTACT, 1 + contact * LIST_SIZE * _COUNTS + fight)
        line = min(evidence[first + LINE_GROUP], 5)
        rows[start + LINE] = _row(LINE, 1 + line * _NEAR + near)
        captures, ataris = evidence[first + CAPTURE_GROUP], evidence[first + ATARI_GROUP]
        rows[start + CAPTURE] = _row(CAPTURE, 0 if captures == 0 else 1 + captures * _NEAR + near)
        rows[start + ATARI] = _row(ATARI, 0 if ataris == 0 else 1 + ataris * _NEAR + near)
        rows[start + NEARBY] = _row(NEARBY, 1 + _weakest(board, matcher.chains, point, color))
        rows[start + TEMPLATE] = _row(TEMPLATE, 1 + candidates.templates[i] * _NEAR + near)
        answer = _answer_class(matcher.codes, np.int64(0), point, last, ANSWER_REACH)
        rows[start + ANSWER] = _row(ANSWER, answer)
        answer = _answer_class(matcher.codes, np.int64(SYMMETRIES), point, before, FOLLOW_UP_REACH)
        rows[start + FOLLOW_UP] = _row(FOLLOW_UP, answer)


@kernel
def last_fight(board: Board, chains: ChainLiberties, last: int, color: int) -> tuple[int, int]:
    """Return the liberties of the last move's chain, and the fewest of own chains beside it."""
    liberties: int = np.int64(0)
    fewest: int = np.int64(LIST_SIZE)
    if last != PASS and board[COLOR + last] == 3 - color:
        liberties = list_liberties(board, chains, np.int64(board[HEAD + last]))
        for near in (last + 1, last - 1, last + STRIDE, last - STRIDE):
            if board[COLOR + near] == color:
                count = list_liberties(board, chains, np.int64(board[HEAD + near]))
                fewest = min(fewest, count)
    return liberties, fewest


@kernel(inlined=True)
def _offset_class(point: int, other: int) -> int:
    """Return the class of the offset between two points; 0 if it is too large or there is none."""
    dx = abs(point % STRIDE - other % STRIDE)
    dy = abs(point // STRIDE - other // STRIDE)
    far, near = max(dx, dy), min(dx, dy)
    if other == PASS or far > THIRD_REACH:
        return 0
    return 1 + far * (far + 1) // 2 + near


@kernel
def _weakest(board: Board, chains: ChainLiberties, point: int, color: int) -> int:
    """Return a number for the fewest liberties of either side's chains up to two steps away."""
    own: int = np.int64(LIST_SIZE)
    other: int = np.int64(LIST_SIZE)
    size: int = np.int64(board[SIZE])
    row, column = point // STRIDE, point % STRIDE
    for dy in range(-2, 3):
        reach = 2 - abs(dy)
        # Two steps over the edge may leave the padding.
        if not 1 <= row + dy <= size:
            continue
        for x in range(max(column - reach, 1), min(column + reach, size) + 1):
            near = (row + dy) * STRIDE + x
            stone = np.int64(board[COLOR + near])
            if stone == EMPTY:
                continue
            count = min(list_liberties(board, chains, np.int64(board[HEAD + near])), MANY)
            if stone == color:
                own = min(own, count)
            else:
                other = min(other, count)
    return own * _COUNTS + other


@kernel
def _write_codes(board: Board, point: int, color: int, codes: Ints, start: int) -> None:
    """Write the 3x3 neighborhood of a move under each symmetry: 2 bits a point, 16 bits in all."""
    for symmetry in range(SYMMETRIES):
        codes[start + symmetry] = 0
    if point == PASS:
        return
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            stone = np.int64(board[COLOR + point + dy * STRIDE + dx])
            if stone == EMPTY or (dx == 0 and dy == 0):
                continue
            code = WALL if stone == WALL else BLACK if stone == color else WHITE
            for symmetry in range(SYMMETRIES):
                x, y = _turn(dx, dy, symmetry)
                place = (y + 1) * 3 + x + 1
                codes[start + symmetry] |= code << (2 * (place if place < 4 else place - 1))


@kernel
def _answer_class(codes: Ints, start: int, point: int, move: int, reach: int) -> int:
    """Return the class of a point near an earlier move with some codes; 0 if it is too far."""
    dx = point % STRIDE - move % STRIDE
    dy = point // STRIDE - move // STRIDE
    if move == PASS or max(abs(dx), abs(dy)) > reach:
        return 0
    least = np.int64(_MASK)
    for symmetry in range(SYMMETRIES):
        x, y = _turn(dx, dy, symmetry)
        named = (codes[start + symmetry] << 8) | ((y + 8) << 4) | (x + 8)
        least = min(least, named)
    mixed = (least * _MIX) & _MASK
    mixed = ((mixed ^ (mixed >> 15)) * _MORE) & _MASK
    return 1 + ((mixed ^ (mixed >> 13)) & (HASHED - 1))
