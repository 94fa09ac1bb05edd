"""Careful roll-outs: the status of each chain when both sides avoid careless moves.

They are uniform roll-outs with two restrictions. First, no side puts a chain of more than
``THROW_IN`` stones into atari without capturing. Sekis mostly survive, while small sacrifices
that kill by shape (up to three stones inside an eye space) stay possible. Second, a move that
gives or leaves an atari is answered: its chain is captured, or the chain in atari extends.
Careful roll-outs decide which stones are dead.
"""

import numpy as np

from engine.go.board import (
    BLACK,
    COLOR,
    EMPTIES,
    EMPTY,
    EMPTY_COUNT,
    KO,
    LIBERTY_SUM,
    PSEUDO,
    SIZE,
    SLOT,
    STONES,
    WHITE,
    Board,
    Points,
    copy_into,
    heads_around,
    is_legal,
    place,
)
from engine.go.chains import contacts_of, last_liberty, only_liberty
from engine.go.geometry import PASS, STRIDE, neighbors
from engine.jit import kernel
from engine.randomness import RandomState, draw
from engine.rollout.uniform import final_owner, has_room, is_playable

# Up to three stones inside an eye space kill by shape. Larger sacrifices mostly end a seki.
THROW_IN = 3


@kernel
def stones_exposed(board: Board, point: int, color: int) -> int:
    """Return the stones a legal move leaves in atari: 0 if it captures or has two liberties."""
    # Two empty neighbors are two liberties: the common case, found without a walk.
    if has_room(board, point):
        return 0
    liberty = np.int64(0)
    size = 1
    seen_1 = seen_2 = seen_3 = np.int64(0)
    # At most one of the neighbors is empty here.
    for neighbor in neighbors(point):
        if board[COLOR + neighbor] == EMPTY:
            liberty = np.int64(neighbor)
    heads = heads_around(board, point)
    for head in heads:
        occupant = np.int64(board[COLOR + head])
        contacts = contacts_of(heads, head)
        elsewhere = np.int64(board[PSEUDO + head]) - contacts
        if occupant == 3 - color:
            # A capture makes a liberty at the captured stone, and often more.
            if elsewhere == 0:
                return 0
        elif occupant == color:
            # Each own chain once: two neighbors may be stones of the same chain.
            if head == seen_1 or head == seen_2 or head == seen_3:
                continue
            # The fourth neighbor is the last, so it need not be stored.
            seen_1, seen_2, seen_3 = head, seen_1, seen_2
            size += board[STONES + head]
            if elsewhere == 0:
                continue
            # A liberty touches at most four stones. A known liberty also touches either the move's
            # stone or an earlier chain.
            if elsewhere > 4 - (liberty != 0):
                return 0
            total = np.int64(board[LIBERTY_SUM + head]) - contacts * point
            other = only_liberty(board, head, elsewhere, total)
            # Two others may be on both sides of the move's point, which the chain touches as well.
            if other == 0 or other == point or (liberty != 0 and other != liberty):
                return 0
            liberty = other
    return size


@kernel
def answer_atari(board: Board, color: int, last: int) -> int:
    """Return the capture of the last move's chain, the extension of a chain in atari, or PASS."""
    if last == PASS or board[COLOR + last] == EMPTY:
        return PASS
    # The capture comes first: it mostly saves the chain that the move has put into atari.
    for near in (last, last + 1, last - 1, last + STRIDE, last - STRIDE):
        if near != last and board[COLOR + near] != color:
            continue
        point = last_liberty(board, near)
        if point != 0:
            # An extension that stays in atari only increases the loss.
            if is_legal(board, point, color) and stones_exposed(board, point, color) == 0:
                return point
    return PASS


@kernel
def choose_careful(board: Board, color: int, rng: RandomState) -> int:
    """Return a random playable and prudent point, or PASS; like ``uniform.choose_uniform``."""
    window = np.int64(board[EMPTY_COUNT])
    while window > 0:
        slot = draw(rng, window)
        point = np.int64(board[EMPTIES + slot])
        # One look decides most points. Legality comes next, because exposure may need a walk.
        if has_room(board, point) or (
            is_playable(board, point, color) and stones_exposed(board, point, color) <= THROW_IN
        ):
            return point
        window -= 1
        last = np.int64(board[EMPTIES + window])
        board[EMPTIES + slot] = last
        board[SLOT + last] = slot
        board[EMPTIES + window] = point
        board[SLOT + point] = window
    return PASS


@kernel
def play_carefully(board: Board, color: int, rng: RandomState) -> None:
    """Play a careful roll-out in place, to its end or a limit of three moves per point."""
    # Triple kos and "sending two, returning one" never end by themselves.
    limit = 3 * np.int64(board[SIZE]) * np.int64(board[SIZE])
    passes = 0
    length = 0
    point = PASS
    while passes < 2 and length < limit:
        point = answer_atari(board, color, point)
        if point == PASS:
            point = choose_careful(board, color, rng)
        if point == PASS:
            passes += 1
            board[KO] = 0
        else:
            passes = 0
            place(board, point, color)
        length += 1
        color = 3 - color


@kernel
def survey_fates(
    board: Board,
    rollouts: int,
    rng: RandomState,
    expected: Points,
    owned: Points,
    neutral: Points,
    work: Board,
) -> int:
    """Play careful roll-outs, starting with each side in turn, and count the owners of each point.

    Only roll-outs in which some points end as expected count; their number is returned.
    expected  int64[AREA], +1 Black's, -1 White's, 0 any owner
    owned     int64[AREA], in place: roll-outs that Black owned the point minus White's
    neutral   int64[AREA], in place: roll-outs that left the point empty and nobody's
    """
    size = np.int64(board[SIZE])
    counted = 0
    for i in range(rollouts):
        copy_into(board, work)
        # The sides take turns to start: the side to move must not decide which stones are dead.
        play_carefully(work, BLACK if i % 2 == 0 else WHITE, rng)
        as_expected = True
        for row in range(1, size + 1):
            for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
                if expected[point] != 0:
                    as_expected &= expected[point] == final_owner(work, point)
        if as_expected:
            counted += 1
            for row in range(1, size + 1):
                for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
                    owner = final_owner(work, point)
                    owned[point] += owner
                    neutral[point] += owner == 0
    return counted
