"""Uniform roll-outs: random legal moves that fill no own eye, until both sides have passed.

The search uses a roll-out's result, its length, and the color that first played each point
(for all-moves-as-first evidence). The slow twin is tests/reference/rollout.py.
"""

import numpy as np

from engine.go.board import (
    ANY_EMPTY,
    BLACK,
    COLOR,
    EMPTIES,
    EMPTY,
    EMPTY_COUNT,
    KO,
    NEAR,
    SIZE,
    SLOT,
    WALL,
    WHITE,
    Board,
    Mask,
    is_legal,
    place,
)
from engine.go.geometry import AREA, PASS, STRIDE, diagonals
from engine.jit import kernel
from engine.randomness import RandomState, draw


@kernel(inlined=True)
def has_room(board: Board, point: int) -> bool:
    """Return whether a point has two empty neighbors.

    A move there is legal, fills no eye and is no self-atari. This one look decides most points.
    """
    return np.int64(board[NEAR + point]) >> 8 & 15 >= 2


@kernel
def is_true_eye(board: Board, point: int, color: int) -> bool:
    """Return whether a point all of whose neighbors are ``color`` or wall is a real eye.

    It is false when the opponent holds two of its diagonals, or one at the edge.
    """
    hostile = 0
    at_edge = False
    for diagonal in diagonals(point):
        occupant = board[COLOR + diagonal]
        hostile += occupant == 3 - color
        at_edge |= occupant == WALL
    # At the edge one hostile diagonal is enough, in the middle two are needed.
    return hostile + at_edge < 2


@kernel
def is_playable(board: Board, point: int, color: int) -> bool:
    """Return whether a roll-out may play an empty point: legal, and no own eye filled."""
    near = np.int64(board[NEAR + point])
    # Ko, suicide and eyes need four occupied neighbors, so one look decides most points.
    if near & ANY_EMPTY:
        return True
    # A wall counts for both colors in NEAR, so eyes at the edge are no special case.
    if (near >> (4 * (color - 1))) & 15 == 4 and is_true_eye(board, point, color):
        return False
    return is_legal(board, point, color)


@kernel
def choose_uniform(board: Board, color: int, rng: RandomState) -> int:
    """Return a uniformly random playable point, or PASS when there is none.

    Points that turn out unplayable are swapped behind the window of the draw. Each playable
    point therefore has the same probability, and only the order of EMPTIES changes.
    """
    window = np.int64(board[EMPTY_COUNT])
    while window > 0:
        slot = draw(rng, window)
        point = np.int64(board[EMPTIES + slot])
        if is_playable(board, point, color):
            return point
        # Repeated draws from all points would never end if none is playable.
        window -= 1
        last = np.int64(board[EMPTIES + window])
        board[EMPTIES + slot] = last
        board[SLOT + last] = slot
        board[EMPTIES + window] = point
        board[SLOT + point] = window
    return PASS


@kernel
def roll_out(board: Board, color: int, rng: RandomState, first: Mask, limit: int) -> int:
    """Play a uniform random game to its end, in place.

    first   uint8[AREA], in place: the color that first played each point, 0 where none did
    limit   moves after which an endless game is stopped
    returns moves played, passes included                                  (Hennig's l)
    """
    for point in range(AREA):
        first[point] = EMPTY
    passes = 0
    length = 0
    while passes < 2 and length < limit:
        point = choose_uniform(board, color, rng)
        if point == PASS:
            passes += 1
            # A pass lifts the ko ban, like any move elsewhere.
            board[KO] = 0
        else:
            passes = 0
            place(board, point, color)
            if first[point] == EMPTY:
                # Only the first color: all-moves-as-first ignores later changes of ownership.
                first[point] = color
        length += 1
        color = 3 - color
    return length


@kernel
def final_owner(board: Board, point: int) -> int:
    """Return the owner of a point of a finished board: +1 Black, -1 White, 0 nobody.

    An empty point belongs to the color of all its neighbors.
    """
    color = board[COLOR + point]
    near = np.int64(board[NEAR + point])
    empty = color == EMPTY
    # No branch: the processor cannot predict the owner.
    black = (color == BLACK) | (empty & (near & 15 == 4))
    white = (color == WHITE) | (empty & ((near >> 4) & 15 == 4))
    return np.int64(black) - np.int64(white)


@kernel
def area_margin(board: Board) -> int:
    """Return Black's area minus White's on a finished board, without komi."""
    size = np.int64(board[SIZE])
    margin = 0
    for row in range(1, size + 1):
        for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
            margin += final_owner(board, point)
    return margin
