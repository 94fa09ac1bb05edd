"""The effects of a move on the chains around it, and the paper's eight binary features.

Source: Stern, Herbrich & Graepel (2006), section 2.2. No move is played. The new chain's liberties
come from three sets: the move's empty neighbors, the liberties of the own chains that it joins,
and the captured stones next to it. They are counted up to 4. Each
chain's first five liberties are listed once per position (``ChainLiberties``); five, because the
move itself is one of them. ``evidence`` also uses these facts.

Twin, which plays the move: tests/reference/patterns.py.
"""

import numpy as np

from engine.arrays import Ints
from engine.go.board import (
    ANY_EMPTY,
    COLOR,
    EMPTY,
    HEAD,
    KO,
    KO_COLOR,
    NEAR,
    NEXT,
    PSEUDO,
    SIZE,
    STONES,
    Board,
)
from engine.go.geometry import AREA, STRIDE
from engine.jit import kernel

LIST_SIZE = 5  # MANY and one more: the move itself is a liberty of the chains that it touches
MANY = 4  # 4 liberties or more

# The lists of one position, one cache line per chain: chains[head * CHAIN + ...]. Point 0 is no
# head. Its line holds the current epoch and, as scratch, the liberties of a new chain.
CHAIN = 8
LIST_EPOCH = 5  # time of the list; a different epoch means no list
LIST_COUNT = 6  # liberties, up to LIST_SIZE

# Slots of the facts of a move.
(
    LIBERTIES,  # of the new chain, 1..MANY
    OPPONENT,  # liberties of the closest opponent chain afterwards, 0 (captured)..MANY (or none)
    CAPTURED,  # stones captured
    FREED,  # 1 if a captured chain surrounded an own chain in atari that the move does not touch
    SAVED,  # stones of neighboring own chains in atari
    THREATENED,  # stones of the opponent's chains put in atari
    THREATS,  # number of those chains
    OWN_STONES,  # stones of the new chain
    OWN_CHAINS,  # number of own chains that the move touches
    OTHER_CHAINS,  # number of the opponent's chains that the move touches
    EDGE,  # line of the move, 1 at the edge
    FACTS,
) = range(12)

ChainLiberties = Ints


def new_liberties() -> ChainLiberties:
    """Return int64[AREA * CHAIN] without any list; 45 KB."""
    chains = np.zeros(AREA * CHAIN, np.int64)
    chains[LIST_EPOCH] = 1
    return chains


@kernel
def forget_liberties(chains: ChainLiberties) -> None:
    """Drop all lists; call this after every change of the board."""
    chains[LIST_EPOCH] += 1


@kernel
def list_liberties(board: Board, chains: ChainLiberties, head: int) -> int:
    """Return a chain's liberties, counted up to LIST_SIZE, and list them unless there are more."""
    start = head * CHAIN
    if chains[start + LIST_EPOCH] == chains[LIST_EPOCH]:
        return chains[start + LIST_COUNT]
    count = 0
    if board[PSEUDO + head] > 4 * (LIST_SIZE - 1):  # a liberty touches at most four stones
        count = LIST_SIZE
    stone = np.int64(head)
    while count < LIST_SIZE:
        if board[NEAR + stone] & ANY_EMPTY:
            for near in (stone + 1, stone - 1, stone + STRIDE, stone - STRIDE):
                if board[COLOR + near] == EMPTY and count < LIST_SIZE:
                    count = _add(chains, start, count, near)
        stone = np.int64(board[NEXT + stone])
        if stone == head:
            break
    chains[start + LIST_EPOCH] = chains[LIST_EPOCH]
    chains[start + LIST_COUNT] = count
    return count


@kernel
def _add(points: Ints, start: int, count: int, point: int) -> int:
    """Append a point to the set points[start : start + count]; return its new size."""
    for i in range(start, start + count):
        if points[i] == point:
            return count
    points[start + count] = point
    return count + 1


@kernel(inlined=True)
def study_move(board: Board, chains: ChainLiberties, point: int, color: int, facts: Ints) -> None:
    """Find what a move would do to the chains that it touches, without playing it.

    Source: Stern et al. (2006), Sec. 2.2.
    The closest of the opponent's neighboring chains is the one with the fewest liberties after
    the move; a captured one has 0. # Deviates: the paper does not say which chain is "closest",
    nor what a capture counts as. A 0 puts it into the lowest class of the feature. A move that
    touches no opponent counts as MANY.
    point   int64, a legal move
    facts   int64[FACTS], overwritten
    """
    for i in range(FACTS):
        facts[i] = 0
    facts[EDGE] = edge_line(board, point)
    near = np.int64(board[NEAR + point])
    empties = (near >> 8) & 15
    facts[LIBERTIES] = empties
    facts[OPPONENT] = MANY
    facts[OWN_STONES] = 1
    if empties + (near >> 12) == 4:  # empty or wall on all sides: the move touches no chain
        return
    east = np.int64(board[HEAD + point + 1])
    west = np.int64(board[HEAD + point - 1])
    north = np.int64(board[HEAD + point + STRIDE])
    south = np.int64(board[HEAD + point - STRIDE])
    # Each chain once: it may touch the move on several sides.
    west = west if west != east else 0
    north = north if north not in (east, west) else 0
    south = south if south not in (east, west, north) else 0
    for head in (east, west, north, south):
        if head != 0:
            if board[COLOR + head] == color:
                _study_own(board, chains, head, facts)
            else:
                _study_other(board, chains, head, point, color, facts)
    facts[LIBERTIES] = _new_liberties(board, chains, point, color)


@kernel
def _study_own(board: Board, chains: ChainLiberties, head: int, facts: Ints) -> None:
    """Add to the facts the effect of a move on an own chain that it touches."""
    stones = np.int64(board[STONES + head])
    facts[OWN_CHAINS] += 1
    facts[OWN_STONES] += stones
    if list_liberties(board, chains, head) == 1:
        facts[SAVED] += stones


@kernel
def _study_other(
    board: Board, chains: ChainLiberties, head: int, point: int, color: int, facts: Ints
) -> None:
    """Add to the facts the effect of a move on an opponent's chain that it touches."""
    stones = np.int64(board[STONES + head])
    liberties = list_liberties(board, chains, head) - 1
    facts[OTHER_CHAINS] += 1
    facts[OPPONENT] = min(facts[OPPONENT], liberties)
    if liberties == 1:
        facts[THREATENED] += stones
        facts[THREATS] += 1
    elif liberties == 0:
        facts[CAPTURED] += stones
        if facts[FREED] == 0 and _holds_atari(board, chains, head, point, color):
            facts[FREED] = 1


@kernel
def _holds_atari(board: Board, chains: ChainLiberties, head: int, point: int, color: int) -> bool:
    """Return whether a chain touches one of ``color`` in atari with another last liberty."""
    stone = np.int64(head)
    while True:
        for near in (stone + 1, stone - 1, stone + STRIDE, stone - STRIDE):
            if board[COLOR + near] == color:
                held = np.int64(board[HEAD + near])
                if list_liberties(board, chains, held) == 1 and chains[held * CHAIN] != point:
                    return True
        stone = np.int64(board[NEXT + stone])
        if stone == head:
            return False


@kernel
def _new_liberties(board: Board, chains: ChainLiberties, point: int, color: int) -> int:
    """Return the liberties, up to MANY, of the chain that a move would make."""
    scratch = total = np.int64(0)  # a literal 0 would compile the kernels below a second time
    for near in (point + 1, point - 1, point + STRIDE, point - STRIDE):
        if board[COLOR + near] == EMPTY:
            chains[total] = near
            total += 1
    for near in (point + 1, point - 1, point + STRIDE, point - STRIDE):
        if total == MANY or board[COLOR + near] != color:
            continue
        head = np.int64(board[HEAD + near])
        count = list_liberties(board, chains, head)
        if count == LIST_SIZE:
            return MANY
        for i in range(head * CHAIN, head * CHAIN + count):
            if total < MANY and chains[i] != point:
                total = _add(chains, scratch, total, chains[i])
    for near in (point + 1, point - 1, point + STRIDE, point - STRIDE):
        if total < MANY and board[COLOR + near] == 3 - color:
            head = np.int64(board[HEAD + near])
            if list_liberties(board, chains, head) == 1:
                total = _add_captured(board, chains, head, point, total)
    return total


@kernel
def _add_captured(board: Board, chains: ChainLiberties, victim: int, point: int, total: int) -> int:
    """Add a captured chain's stones that the new chain touches to its ``total`` liberties."""
    stone = np.int64(victim)
    while total < MANY:
        if _touches_new_chain(board, stone, point):
            total = _add(chains, np.int64(0), total, stone)
        stone = np.int64(board[NEXT + stone])
        if stone == victim:
            break
    return total


@kernel
def _touches_new_chain(board: Board, stone: int, point: int) -> bool:
    """Return whether an opponent's stone touches the chain that a move at ``point`` would make."""
    heads = (
        board[HEAD + point + 1],
        board[HEAD + point - 1],
        board[HEAD + point + STRIDE],
        board[HEAD + point - STRIDE],
    )
    for near in (stone + 1, stone - 1, stone + STRIDE, stone - STRIDE):
        if near == point:
            return True
        head = board[HEAD + near]
        if head != 0 and board[COLOR + near] != board[COLOR + stone] and head in heads:
            return True
    return False


@kernel(inlined=True)
def edge_line(board: Board, point: int) -> int:
    """Return the line of a point, 1 at the edge (Stern et al. (2006), Sec. 2.2)."""
    row, column = point // STRIDE, point % STRIDE
    size = np.int64(board[SIZE])
    return min(min(row, column), min(size + 1 - row, size + 1 - column))


@kernel(inlined=True)
def feature_bits(board: Board, color: int, facts: Ints) -> int:
    """Return the eight binary features of a move as one number 0..255.

    Source: Stern, Herbrich & Graepel (2006), section 2.2.
        bits 0, 1  liberties of the new chain: 1, 2, 3, more
        bits 2, 3  liberties of the closest opponent chain: 1 (or captured), 2, 3, more (or none)
        bit 4      a ko is active: there is a point that the player may not retake now
        bit 5      the move brings an own chain out of atari, by extension or by capture
        bits 6, 7  line: up to 3, 4, 5, more. # Deviates: the paper prints {< 3, 4, 5, > 5}, which
                   omits the third line
    """
    ko = board[KO] != 0 and board[KO_COLOR] == color
    escapes = facts[FREED] != 0 or (facts[SAVED] > 0 and facts[LIBERTIES] > 1)
    line = min(max(facts[EDGE], 3), 6) - 3
    return (
        facts[LIBERTIES]
        - 1
        + (max(facts[OPPONENT], 1) - 1) * 4
        + np.int64(ko) * 16
        + np.int64(escapes) * 32
        + line * 64
    )
