"""Evidence that the paper's patterns lack: where the last moves were, and tactical facts.

Every candidate has one class in each of the groups below; class 0 says "nothing of the kind".
A move's value is then the sum of its pattern's value and of its classes' values. The groups follow
R. Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007), section 4.

group           classes
LAST            distance to the last move: 1 = 0, 2..16 = that distance, 17 = farther
BEFORE          distance to the move before it (the player's own), the same classes
CONTACT         1-3: takes a liberty of the last move's chain beside the stone itself, chain of 1,
                2, more liberties; 4-6: elsewhere; 7: diagonal to it; 8: extends an own chain of
                1 or 2 liberties that the last move touches
CAPTURE         1 stone, 2-3, more: 1-3; the last move among them: + 3; frees an own chain: + 6
EXTENSION       saves 1 stone, 2-3, more from atari: 1-3; the new chain has 2, 3, more liberties:
                + 0, 3, 6; it was the last move that gave the atari: + 9
SELF_ATARI      the new chain has one liberty: of 1 stone, 2, 3-4, more: 1-4; takes a ko: 5
ATARI           puts 1 stone, 2-3, more into atari: 1-3; while a ko is active: + 3; two chains: 7
LINKS           1 + own chains touched (up to 3) * 4 + opponent's chains touched (up to 3)
KO              a ko was taken up to KO_MEMORY plies ago: retakes it 1, fills it 2, else the
                distance from it: up to 5, 10, more: 3-5
LINE            line of the move, 1..12, 13 = farther
LADDER          0: the ladder reader's place, filled by its caller

The distance is Coulom's |dx| + |dy| + max(|dx|, |dy|). Twin: tests/reference/patterns.py.
"""

import numpy as np

from engine.go.board import COLOR, EMPTY, HEAD, KO, KO_COLOR
from engine.go.geometry import PASS, STRIDE
from engine.jit import kernel
from engine.patterns.features import (
    CAPTURED,
    FREED,
    LIBERTIES,
    LISTED,
    OTHER_CHAINS,
    OWN_CHAINS,
    OWN_STONES,
    SAVED,
    THREATENED,
    THREATS,
    edge_line,
    liberties_of,
)

LAST, BEFORE, CONTACT, CAPTURE, EXTENSION, SELF_ATARI = range(6)
ATARI, LINKS, KO_FIGHT, LINE, LADDER = range(6, 11)
GROUPS = 11
GROUP_NAMES = (
    "last",
    "before",
    "contact",
    "capture",
    "extension",
    "self-atari",
    "atari",
    "links",
    "ko",
    "line",
    "ladder",
)
GROUP_SIZES = (18, 18, 9, 13, 19, 6, 8, 17, 6, 14, 8)

# Slots of the memory of recent moves.
LAST_MOVE, MOVE_BEFORE, KO_POINT, KO_AGE, KO_TAKER = range(5)
MEMORY = 5
KO_MEMORY = 20  # plies


def new_memory() -> np.ndarray:
    """Return int64[MEMORY], the memory of a game in which nothing has been played."""
    return np.zeros(MEMORY, np.int64)


@kernel
def remember_move(board, memory, point, color):
    """Note a move or PASS that has just been made on the board.

    board   uint16[BOARD_CELLS] after the move
    memory  int64[MEMORY], changes in place
    """
    memory[MOVE_BEFORE] = memory[LAST_MOVE]
    memory[LAST_MOVE] = point
    memory[KO_AGE] += 1
    if point != PASS and board[KO] != 0:
        memory[KO_POINT] = board[KO]
        memory[KO_AGE] = 0
        memory[KO_TAKER] = color
    elif memory[KO_AGE] > KO_MEMORY:
        memory[KO_POINT] = 0


@kernel
def distance(one, other):
    """Return |dx| + |dy| + max(|dx|, |dy|) of two points."""
    dx = abs(one % STRIDE - other % STRIDE)
    dy = abs(one // STRIDE - other // STRIDE)
    return dx + dy + max(dx, dy)


@kernel
def classes_into(board, chains, memory, point, color, facts, classes, start):
    """Write a move's class in every group.

    board    uint16[BOARD_CELLS], before the move
    chains   ChainLiberties of this position
    memory   int64[MEMORY], remember_move of the moves so far
    point    int64, a legal move
    color    int64, player to move
    facts    int64[FACTS] of the move (features.study_move)
    classes  int64[n], classes[start : start + GROUPS] are overwritten
    """
    last = memory[LAST_MOVE]
    classes[start + LAST] = _distance_class(point, last)
    classes[start + BEFORE] = _distance_class(point, memory[MOVE_BEFORE])
    classes[start + CONTACT] = _contact_class(board, chains, point, color, last)
    classes[start + LINKS] = (
        1 + 4 * min(facts[OWN_CHAINS], 3) + min(facts[OTHER_CHAINS], 3)
        if facts[OWN_CHAINS] + facts[OTHER_CHAINS] > 0
        else 0
    )
    classes[start + KO_FIGHT] = _ko_class(board, memory, point, color, facts)
    classes[start + LINE] = min(edge_line(board, point), 13)
    classes[start + LADDER] = 0
    classes[start + CAPTURE] = _capture_class(board, chains, last, point, facts)
    classes[start + EXTENSION] = _extension_class(board, chains, last, point, color, facts)
    classes[start + SELF_ATARI] = _self_atari_class(facts)
    classes[start + ATARI] = _atari_class(board, color, facts)


@kernel
def _size_class(stones):
    """Return 0, 1, 2 for 1, 2-3, more stones."""
    return min(stones // 2, 2)


@kernel
def _distance_class(point, other):
    """Return the class of the distance to an earlier move; 0 when there is none."""
    if other == PASS:
        return 0
    return min(max(distance(point, other), 1), 17)


@kernel
def _contact_class(board, chains, point, color, last):
    """Return the class in CONTACT."""
    if last == PASS or board[COLOR + last] != 3 - color:
        return 0
    head = np.int64(board[HEAD + last])
    apart = distance(point, last)
    if apart == 2:
        return min(liberties_of(board, chains, head), 3)
    for near in (point + 1, point - 1, point + STRIDE, point - STRIDE):
        if board[HEAD + near] == head:
            return 3 + min(liberties_of(board, chains, head), 3)
    if _touches_weak(board, chains, point, color, last):
        return 8
    return 7 if apart == 3 else 0


@kernel
def _touches_weak(board, chains, point, color, last):
    """Return whether a point touches an own chain of one or two liberties that ``last`` touches."""
    for near in (last + 1, last - 1, last + STRIDE, last - STRIDE):
        if board[COLOR + near] != color:
            continue
        head = np.int64(board[HEAD + near])
        if liberties_of(board, chains, head) > 2:
            continue
        for i in range(head * LISTED, head * LISTED + liberties_of(board, chains, head)):
            if chains.listed[i] == point:
                return True
    return False


@kernel
def _capture_class(board, chains, last, point, facts):
    """Return the class in CAPTURE."""
    if facts[CAPTURED] == 0:
        return 0
    found = 1 + _size_class(facts[CAPTURED])
    if last != PASS and board[COLOR + last] != EMPTY:
        head = np.int64(board[HEAD + last])
        if liberties_of(board, chains, head) == 1 and chains.listed[head * LISTED] == point:
            found += 3
    if facts[FREED] != 0 or facts[SAVED] > 0:
        found += 6
    return found


@kernel
def _extension_class(board, chains, last, point, color, facts):
    """Return the class in EXTENSION."""
    if facts[SAVED] == 0 or facts[LIBERTIES] < 2:
        return 0
    found = 1 + _size_class(facts[SAVED]) + 3 * (facts[LIBERTIES] - 2)
    if last == PASS:
        return found
    for near in (last + 1, last - 1, last + STRIDE, last - STRIDE):
        if board[COLOR + near] == color:
            head = np.int64(board[HEAD + near])
            if liberties_of(board, chains, head) == 1 and chains.listed[head * LISTED] == point:
                return found + 9
    return found


@kernel
def _self_atari_class(facts):
    """Return the class in SELF_ATARI."""
    if facts[LIBERTIES] != 1:
        return 0
    stones = facts[OWN_STONES]
    if facts[CAPTURED] == 1 and stones == 1:
        return 5
    return 1 if stones == 1 else 2 if stones == 2 else 3 if stones <= 4 else 4


@kernel
def _atari_class(board, color, facts):
    """Return the class in ATARI."""
    if facts[THREATS] == 0:
        return 0
    if facts[THREATS] > 1:
        return 7
    ko = board[KO] != 0 and board[KO_COLOR] == color
    return 1 + _size_class(facts[THREATENED]) + 3 * np.int64(ko)


@kernel
def _ko_class(board, memory, point, color, facts):
    """Return the class in KO."""
    ko = memory[KO_POINT]
    if ko == 0:
        return 0
    if point == ko:
        return 1 if memory[KO_TAKER] != color and facts[CAPTURED] == 1 else 2
    apart = distance(point, ko)
    return 3 if apart <= 5 else 4 if apart <= 10 else 5
