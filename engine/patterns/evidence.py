"""Evidence that the paper's patterns lack: the places of the last moves, and tactical facts.

Every candidate has one class in each of the groups below; class 0 means "not applicable". A
move's value is the sum of its pattern's value and of its classes' values. The groups follow
R. Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007), section 4.

group           classes
LAST            distance to the last move: 1 = 0, 2..16 = that distance, 17 = farther
BEFORE          distance to the move before it (the player's own), the same classes
CONTACT         1-3: takes a liberty of the last move's chain beside the stone itself, chain of 1,
                2, more liberties; 4-6: elsewhere; 7: diagonal to it; 8: extends an own chain of
                1 or 2 liberties that the last move touches
CAPTURE         1 stone, 2-3, more: 1-3; includes the last move: + 3; captured chain surrounded
                an own chain in atari: + 6
EXTENSION       saves 1 stone, 2-3, more from atari: 1-3; the new chain has 2, 3, more liberties:
                + 0, 3, 6; the last move gave the atari: + 9
SELF_ATARI      the new chain has one liberty: of 1 stone, 2, 3-4, more: 1-4; takes a ko: 5
ATARI           puts 1 stone, 2-3, more into atari: 1-3; while a ko is active: + 3; two chains: 7
LINKS           1 + own chains touched (up to 3) * 4 + opponent's chains touched (up to 3)
KO_FIGHT        a ko was taken up to KO_MEMORY plies ago: retakes it 1, fills it 2, else the
                distance from it: up to 5, 10, more: 3-5
LINE            line of the move, 1..12, 13 = farther
LADDER          saves a chain from atari with two liberties: a ladder still catches it 1, or not 2

The distance is Coulom's |dx| + |dy| + max(|dx|, |dy|). Twin: tests/reference/patterns.py.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import Ints
from engine.go.board import (
    ANY_EMPTY,
    BOARD_CELLS,
    COLOR,
    EMPTY,
    HEAD,
    KO,
    KO_COLOR,
    NEAR,
    NEXT,
    Board,
    copy_into,
    place,
)
from engine.go.geometry import AREA, PASS, STRIDE
from engine.go.ladders import LadderWork, is_captured_in_ladder, ladder_work
from engine.jit import kernel
from engine.patterns.features import (
    CAPTURED,
    CHAIN,
    EDGE,
    FREED,
    LIBERTIES,
    OTHER_CHAINS,
    OWN_CHAINS,
    OWN_STONES,
    SAVED,
    THREATENED,
    THREATS,
    ChainLiberties,
    list_liberties,
)

LAST_GROUP, BEFORE_GROUP, CONTACT_GROUP, CAPTURE_GROUP, EXTENSION_GROUP, SELF_ATARI_GROUP = range(6)
ATARI_GROUP, LINKS_GROUP, KO_FIGHT_GROUP, LINE_GROUP, LADDER_GROUP, EVIDENCE_GROUPS = range(6, 12)
GROUP_SIZES = (18, 18, 9, 13, 19, 6, 8, 17, 6, 14, 8)

# Slots of the memory of recent moves.
LAST_MOVE, MOVE_BEFORE, KO_POINT, KO_AGE, THIRD_LAST, MEMORY = range(6)
KO_MEMORY = 20  # plies; Game.recent returns two more, for the two last moves

FAR = 17  # class of distances of 17 and more
# Maximal number of positions for reading one ladder. A few ladders would use any number. Limits
# of 100 and 200 predict 400 test games equally well (43.94 and 43.93 %, log evidence -2.259 both).
LADDER_BUDGET = 100
# Added to the class in CONTACT of a point if it saves a chain from the last move's atari.
CONTACT_SAVES = 16


class Surroundings(NamedTuple):
    """The meaning of the last move for every point of one position, and scratch for ladders."""

    contact: Ints  # (AREA,) class in CONTACT, + CONTACT_SAVES
    touched: Ints  # (AREA,) the points where contact is not 0
    scalars: Ints  # (2,) number of those points; last liberty of the last chain
    after: Board  # (BOARD_CELLS,) scratch: the position after a move
    ladders: LadderWork


_TOUCHED, _LAST_LIBERTY = 0, 1


def new_surroundings() -> Surroundings:
    """Return surroundings without a last move."""
    return Surroundings(
        np.zeros(AREA, np.int64),
        np.zeros(AREA, np.int64),
        np.zeros(2, np.int64),
        np.zeros(BOARD_CELLS, np.uint16),
        ladder_work(),
    )


def new_memory() -> Ints:
    """Return int64[MEMORY], the memory of a game before its first move."""
    return np.zeros(MEMORY, np.int64)


@kernel
def remember_move(board: Board, memory: Ints, point: int) -> None:
    """Record a move or PASS that was just made on the board; memory changes."""
    memory[THIRD_LAST] = memory[MOVE_BEFORE]
    memory[MOVE_BEFORE] = memory[LAST_MOVE]
    memory[LAST_MOVE] = point
    memory[KO_AGE] += 1
    if point != PASS and board[KO] != 0:
        memory[KO_POINT] = board[KO]
        memory[KO_AGE] = 0
    elif memory[KO_AGE] > KO_MEMORY:
        memory[KO_POINT] = 0


@kernel
def survey_surroundings(
    board: Board, chains: ChainLiberties, memory: Ints, color: int, around: Surroundings
) -> None:
    """Find the meaning of the last move for each point; once per position, before ``classes_into``.

    memory  int64[MEMORY], remember_move of the moves so far
    around  overwritten
    """
    # Few points are marked. Only these are cleared.
    for i in range(around.scalars[_TOUCHED]):
        around.contact[around.touched[i]] = 0
    around.scalars[_TOUCHED] = 0
    around.scalars[_LAST_LIBERTY] = 0
    last = memory[LAST_MOVE]
    # The last move may be the player's own if the side to move was set by hand.
    if last == PASS or board[COLOR + last] != 3 - color:
        return
    for near in (last + 1, last - 1, last + STRIDE, last - STRIDE):
        for diagonal in (near + 1, near - 1, near + STRIDE, near - STRIDE):
            if distance(diagonal, last) == 3:  # neither the last move itself (0) nor two away (4)
                _mark(around, diagonal, np.int64(7))
    # A later class replaces an earlier one. This order puts an attack above a rescue, and both
    # above a diagonal.
    for near in (last + 1, last - 1, last + STRIDE, last - STRIDE):
        if board[COLOR + near] == color:
            _mark_rescues(board, chains, np.int64(board[HEAD + near]), around)
    _mark_attacks(board, chains, last, around)


@kernel
def _mark(around: Surroundings, point: int, contact: int) -> None:
    """Give a point its class in CONTACT and replace its earlier one."""
    if around.contact[point] == 0:
        around.touched[around.scalars[_TOUCHED]] = point
        around.scalars[_TOUCHED] += 1
    # A point keeps the mark that it saves a chain when its class is replaced: EXTENSION needs it.
    around.contact[point] = contact | (around.contact[point] & CONTACT_SAVES)


@kernel
def _mark_rescues(board: Board, chains: ChainLiberties, head: int, around: Surroundings) -> None:
    """Mark the liberties of an own chain that the last move touches, if it is weak."""
    count = list_liberties(board, chains, head)
    if count > 2:
        return
    for i in range(head * CHAIN, head * CHAIN + count):
        _mark(around, chains[i], 8 | CONTACT_SAVES if count == 1 else 8)


@kernel
def _mark_attacks(board: Board, chains: ChainLiberties, last: int, around: Surroundings) -> None:
    """Mark the liberties of the last move's chain."""
    head = np.int64(board[HEAD + last])
    count = list_liberties(board, chains, head)
    if count == 1:
        around.scalars[_LAST_LIBERTY] = chains[head * CHAIN]
    stone = head
    while True:
        if board[NEAR + stone] & ANY_EMPTY:
            for near in (stone + 1, stone - 1, stone + STRIDE, stone - STRIDE):
                if board[COLOR + near] == EMPTY:
                    beside = distance(near, last) == 2
                    _mark(around, near, min(count, 3) + (0 if beside else 3))
        stone = np.int64(board[NEXT + stone])
        if stone == head:
            return


@kernel(inlined=True)
def distance(one: int, other: int) -> int:
    """Return |dx| + |dy| + max(|dx|, |dy|) of two points."""
    dx = abs(one % STRIDE - other % STRIDE)
    dy = abs(one // STRIDE - other // STRIDE)
    return dx + dy + max(dx, dy)


@kernel(inlined=True)
def classes_into(
    board: Board,
    around: Surroundings,
    memory: Ints,
    point: int,
    color: int,
    facts: Ints,
    classes: Ints,
    start: int,
) -> None:
    """Write a move's class in every group.

    around   of this position (survey_surroundings)
    point    int64, a legal move
    facts    int64[FACTS] of the move (features.study_move)
    classes  int64[n], classes[start : start + EVIDENCE_GROUPS] are overwritten
    """
    for group in range(start, start + EVIDENCE_GROUPS):
        classes[group] = 0
    classes[start + LAST_GROUP] = _distance_class(point, memory[LAST_MOVE])
    classes[start + BEFORE_GROUP] = _distance_class(point, memory[MOVE_BEFORE])
    classes[start + CONTACT_GROUP] = around.contact[point] & (CONTACT_SAVES - 1)
    if memory[KO_POINT] != 0:
        classes[start + KO_FIGHT_GROUP] = _ko_class(memory, point, facts)
    classes[start + LINE_GROUP] = min(facts[EDGE], 13)
    if facts[OWN_CHAINS] + facts[OTHER_CHAINS] == 0:  # most moves touch nothing: the rest is 0
        return
    classes[start + LINKS_GROUP] = 1 + 4 * min(facts[OWN_CHAINS], 3) + min(facts[OTHER_CHAINS], 3)
    if facts[CAPTURED] > 0:
        takes_last = point == around.scalars[_LAST_LIBERTY]
        frees = facts[FREED] != 0 or facts[SAVED] > 0
        classes[start + CAPTURE_GROUP] = (
            1 + _size_class(facts[CAPTURED]) + 3 * np.int64(takes_last) + 6 * np.int64(frees)
        )
    if facts[LIBERTIES] == 1:
        classes[start + SELF_ATARI_GROUP] = _self_atari_class(facts)
    elif facts[SAVED] > 0:
        classes[start + EXTENSION_GROUP] = (
            1
            + _size_class(facts[SAVED])
            + 3 * (facts[LIBERTIES] - 2)
            + 9 * np.int64(around.contact[point] & CONTACT_SAVES != 0)
        )
        # Experts played 3 of 557 extensions into a ladder and 32 of 251 out of one (10 games). A
        # chain with three liberties is in no ladder.
        if facts[LIBERTIES] == 2:
            caught = _stays_in_ladder(board, around, point, color)
            classes[start + LADDER_GROUP] = 1 if caught else 2
    if facts[THREATS] > 0:
        ko = board[KO] != 0 and board[KO_COLOR] == color
        single = 1 + _size_class(facts[THREATENED]) + 3 * np.int64(ko)
        classes[start + ATARI_GROUP] = 7 if facts[THREATS] > 1 else single


@kernel
def _stays_in_ladder(board: Board, around: Surroundings, point: int, color: int) -> bool:
    """Return whether a chain that a move extends to two liberties is caught in a ladder."""
    copy_into(board, around.after)
    place(around.after, point, color)
    return is_captured_in_ladder(around.after, point, True, LADDER_BUDGET, around.ladders)


@kernel(inlined=True)
def _size_class(stones: int) -> int:
    """Return 0, 1, 2 for 1, 2-3, more stones."""
    return min(stones >> 1, 2)


@kernel(inlined=True)
def _distance_class(point: int, other: int) -> int:
    """Return the class of the distance to an earlier move; 0 when there is none."""
    if other == PASS:
        return 0
    return min(max(distance(point, other), 1), FAR)


@kernel
def _self_atari_class(facts: Ints) -> int:
    """Return the class in SELF_ATARI of a move that leaves its chain one liberty."""
    stones = facts[OWN_STONES]
    if stones == 1:
        return 5 if facts[CAPTURED] == 1 else 1
    return 2 if stones == 2 else 3 if stones <= 4 else 4


@kernel
def _ko_class(memory: Ints, point: int, facts: Ints) -> int:
    """Return the class in KO_FIGHT while a recent ko is in memory."""
    if point == memory[KO_POINT]:
        return 1 if facts[CAPTURED] == 1 else 2
    apart = distance(point, memory[KO_POINT])
    return 3 if apart <= 5 else 4 if apart <= 10 else 5
