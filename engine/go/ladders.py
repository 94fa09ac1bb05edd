"""Ladder reading: can a chain be captured by putting it in atari move after move?

An AND/OR search over forcing moves only, depth-first with copies of the board. The attacker plays a
liberty of a chain with two. The defender extends, or captures a chain that gives the atari. Three
liberties are an escape, and so is an exhausted budget. The slow twin is tests/reference/ladders.py.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import BOARD_CELLS, COLOR, EMPTY, Board, Points, copy_into, is_legal, place
from engine.go.chains import chain_size, count_liberties, last_liberty, list_liberties, next_stone
from engine.go.geometry import neighbors
from engine.jit import kernel

# A ladder across a 25x25 board takes some 90 moves. Each move copies one board, none is undone.
MAX_LADDER_DEPTH = 128
# Maximal number of captures of neighbors, plus the extension.
_MOVES = 12
_CAPTURED, _ESCAPED, _OPEN, _NO_LADDER = 0, 1, 2, 3  # results of a move


class LadderWork(NamedTuple):
    """Scratch space of one reader; its contents have no meaning between calls."""

    boards: npt.NDArray[np.uint16]  # (MAX_LADDER_DEPTH + 1, BOARD_CELLS)
    moves: npt.NDArray[np.int64]  # (MAX_LADDER_DEPTH, _MOVES) candidate moves of each position
    counts: npt.NDArray[np.int64]  # (MAX_LADDER_DEPTH,) number of candidates
    next_move: npt.NDArray[np.int64]  # (MAX_LADDER_DEPTH,) column of the next candidate
    liberties: npt.NDArray[np.int64]  # (3,)


def ladder_work() -> LadderWork:
    """Return fresh scratch space (1.5 MB)."""
    return LadderWork(
        np.zeros((MAX_LADDER_DEPTH + 1, BOARD_CELLS), np.uint16),
        np.zeros((MAX_LADDER_DEPTH, _MOVES), np.int64),
        np.zeros(MAX_LADDER_DEPTH, np.int64),
        np.zeros(MAX_LADDER_DEPTH, np.int64),
        np.zeros(3, np.int64),
    )


@kernel
def list_ataris(board: Board, goal: int, moves: Points, liberties: Points) -> int:
    """Write the legal liberties of a chain that has one or two; return their number."""
    attacker = 3 - np.int64(board[COLOR + goal])
    liberty_count = list_liberties(board, goal, liberties)
    count = 0
    # Three liberties are an escape for either side to move.
    if liberty_count < 3:
        for i in range(liberty_count):
            if is_legal(board, liberties[i], attacker):
                moves[count] = liberties[i]
                count += 1
    return count


@kernel
def list_rescues(board: Board, goal: int, moves: Points) -> int:
    """Write the defender's candidates for a chain in atari: captures first, then the extension."""
    defender = np.int64(board[COLOR + goal])
    count = 0
    stone = np.int64(goal)
    for _ in range(chain_size(board, goal)):
        # The only liberty of a neighbor in atari captures it. It may touch this chain many times,
        # so moves are compared before they are listed.
        for near in neighbors(stone):
            if board[COLOR + near] == 3 - defender and count < _MOVES - 1:  # one slot for extending
                liberty = last_liberty(board, near)
                if liberty != 0:
                    count = _add_rescue(board, liberty, defender, moves, count)
        stone = next_stone(board, stone)
    return _add_rescue(board, last_liberty(board, goal), defender, moves, count)


@kernel
def _add_rescue(board: Board, point: int, defender: int, moves: Points, count: int) -> int:
    """Append a move if it is legal and not listed yet; return the new count."""
    for i in range(count):
        if moves[i] == point:
            return count
    if not is_legal(board, point, defender):
        return count
    moves[count] = point
    return count + 1


@kernel
def _list_moves(work: LadderWork, depth: int, goal: int, attacking: bool) -> None:
    """List the candidates of the side to move at a depth; none is tried yet."""
    board, moves = work.boards[depth], work.moves[depth]
    work.next_move[depth] = 0
    if attacking:
        work.counts[depth] = list_ataris(board, goal, moves, work.liberties)
    else:
        work.counts[depth] = list_rescues(board, goal, moves)


@kernel
def _try_next_move(work: LadderWork, depth: int, goal: int, attacking: bool) -> int:
    """Play the next candidate of a depth on the board below; return its result."""
    child = work.boards[depth + 1]
    defender = np.int64(work.boards[depth, COLOR + goal])
    move = work.moves[depth, work.next_move[depth]]
    work.next_move[depth] += 1
    copy_into(work.boards[depth], child)
    place(child, move, 3 - defender if attacking else defender)
    if child[COLOR + goal] == EMPTY:
        return _CAPTURED
    liberties = count_liberties(child, goal, 3)
    if attacking:
        # Without atari the defender could play elsewhere. Only forcing moves are read here.
        return _OPEN if liberties == 1 else _NO_LADDER
    return _OPEN if liberties < 3 else _ESCAPED


@kernel
def is_captured_in_ladder(
    board: Board, goal: int, attacker_moves: bool, budget: int, work: LadderWork
) -> bool:
    """Return whether the chain at ``goal`` falls in a ladder of at most ``budget`` positions."""
    if count_liberties(board, goal, 3) > (2 if attacker_moves else 1):
        return False
    copy_into(board, work.boards[0])
    depth = 0
    attacking = attacker_moves
    _list_moves(work, depth, goal, attacking)
    while True:
        if work.next_move[depth] < work.counts[depth]:
            # An exhausted budget or depth is "not captured": no capture is claimed unread.
            budget -= 1
            if budget < 0 or depth + 1 == MAX_LADDER_DEPTH:
                return False
            verdict = _try_next_move(work, depth, goal, attacking)
        else:  # no move of the side to move helped it
            verdict = _ESCAPED if attacking else _CAPTURED
        if verdict == _NO_LADDER:
            continue
        if verdict == _OPEN:
            depth += 1
            attacking = not attacking
            _list_moves(work, depth, goal, attacking)
            continue
        # A decided position decides its parents while the result suits their side to move.
        captured = verdict == _CAPTURED
        while True:
            if depth == 0:
                return captured
            depth -= 1
            attacking = not attacking
            if attacking != captured:
                break
