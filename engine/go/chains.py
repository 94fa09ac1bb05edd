"""Chains: their stones and liberties, atari, and captures by a move.

The kernels walk a chain by ``next_stone``, ``chain_size`` steps from any of its stones. Nothing
here changes a board; results go to the last arguments, which are buffers. The slow twin is
tests/reference/board.py.
"""

import numpy as np

from engine.go.board import (
    ANY_EMPTY,
    COLOR,
    EMPTY,
    HEAD,
    LIBERTY_SUM,
    NEAR,
    NEXT,
    PSEUDO,
    STONES,
    Board,
    Points,
    heads_around,
)
from engine.go.geometry import neighbors
from engine.jit import kernel

# 2**15 divided by 1 to 4 and rounded up, in four fields of 16 bits.
_RECIPROCAL_BITS = 15
_RECIPROCALS = 8192 << 48 | 10923 << 32 | 16384 << 16 | 32768


@kernel(inlined=True)
def chain_size(board: Board, stone: int) -> int:
    """Return the number of stones of a stone's chain."""
    return np.int64(board[STONES + board[HEAD + stone]])


@kernel(inlined=True)
def next_stone(board: Board, stone: int) -> int:
    """Return the stone after another in the circle of its chain."""
    return np.int64(board[NEXT + stone])


@kernel
def count_liberties(board: Board, point: int, limit: int) -> int:
    """Return the liberties of the chain at a point, counted up to ``limit``, 1 to 5."""
    # Four registers instead of a buffer. Point 0 is never a liberty, so it means "none yet".
    first = second = third = fourth = np.int64(0)
    count = 0
    # The loop ends at its start. Reading the size first costs two more look-ups per call, which
    # made guided roll-outs on 9x9 2 % slower.
    start = stone = np.int64(point)
    while True:
        if board[NEAR + stone] & ANY_EMPTY:
            for near in neighbors(stone):
                if board[COLOR + near] != EMPTY or near in (first, second, third, fourth):
                    continue
                count += 1
                if count >= limit:
                    return count
                if count == 1:
                    first = near
                elif count == 2:
                    second = near
                elif count == 3:
                    third = near
                else:
                    fourth = near
        stone = next_stone(board, stone)
        if stone == start:
            return count


@kernel
def list_liberties(board: Board, point: int, liberties: Points) -> int:
    """Write the liberties of a chain, in the order of its stones, until the buffer is full."""
    count = 0
    stone = np.int64(point)
    for _ in range(chain_size(board, point)):
        if board[NEAR + stone] & ANY_EMPTY:
            for near in neighbors(stone):
                if board[COLOR + near] != EMPTY:
                    continue
                # Short lists: comparing with all entries is cheaper than marks, which need resets.
                is_listed = False
                for i in range(count):
                    is_listed |= liberties[i] == near
                if not is_listed:
                    liberties[count] = near
                    count += 1
                    if count == len(liberties):
                        return count
        stone = next_stone(board, stone)
    return count


@kernel(inlined=True)
def contacts_of(heads: tuple[int, int, int, int], head: int) -> int:
    """Return how often a head is among four: pseudo-liberties of its chain at that point."""
    return (
        np.int64(heads[0] == head)
        + np.int64(heads[1] == head)
        + np.int64(heads[2] == head)
        + np.int64(heads[3] == head)
    )


@kernel(inlined=True)
def only_liberty(board: Board, head: int, pseudo: int, total: int) -> int:
    """Return the point where all of some pseudo-liberties of a chain, 1 to 4, are, or 0.

    If n are all at one point, their sum is n times that point, and the chain touches it n times.
    """
    # Division by a small number as a product, exact when there is no remainder.
    point = total * (_RECIPROCALS >> 16 * (pseudo - 1) & 0xFFFF) >> _RECIPROCAL_BITS
    if board[COLOR + point] != EMPTY or contacts_of(heads_around(board, point), head) != pseudo:
        return 0
    return point


@kernel
def last_liberty(board: Board, stone: int) -> int:
    """Return the only liberty of the chain of a stone, or 0 when it has more."""
    head = np.int64(board[HEAD + stone])
    pseudo = np.int64(board[PSEUDO + head])
    if pseudo > 4:
        return 0
    return only_liberty(board, head, pseudo, np.int64(board[LIBERTY_SUM + head]))


@kernel
def is_in_atari(board: Board, stone: int) -> bool:
    """Return whether the chain of a stone has one liberty."""
    return last_liberty(board, stone) != 0


@kernel
def takes_chain(board: Board, point: int, color: int) -> bool:
    """Return whether a move on an empty point captures a neighboring chain."""
    heads = heads_around(board, point)
    takes = False
    for head in heads:
        hostile = board[COLOR + head] == 3 - color
        # No branch, as in ``has_breath``.
        takes |= hostile & (board[PSEUDO + head] == contacts_of(heads, head))
    return takes
