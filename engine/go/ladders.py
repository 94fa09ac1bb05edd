"""Ladder reading: can a chain be captured by putting it in atari move after move?

An AND/OR search over forcing moves only. The attacker plays a liberty of a chain with two, so
that it stands in atari; the defender extends, or captures a chain that gives the atari; three
liberties are an escape. Depth first with copies of the board instead of undo, explicit stack, and
a budget of nodes: out of budget counts as an escape, so that no capture is ever claimed unread.
The slow twin is tests/reference/ladders.py.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import (
    BOARD_CELLS,
    COLOR,
    EMPTY,
    HEAD,
    NEXT,
    PSEUDO,
    Board,
    Points,
    copy_into,
    count_liberties,
    is_legal,
    list_liberties,
    place,
)
from engine.go.geometry import STRIDE
from engine.jit import kernel

MAX_DEPTH = 128
_MOVES = 12


class LadderWork(NamedTuple):
    """Scratch space of one reader; contents mean nothing between calls."""

    boards: npt.NDArray[np.uint16]  # (MAX_DEPTH + 1, BOARD_CELLS)
    moves: npt.NDArray[np.int64]  # (MAX_DEPTH, _MOVES) candidate moves of each position
    counts: npt.NDArray[np.int64]  # (MAX_DEPTH,) how many candidates
    tried: npt.NDArray[np.int64]  # (MAX_DEPTH,) how many were tried
    liberties: npt.NDArray[np.int64]  # (3,)


def ladder_work() -> LadderWork:
    """Return fresh scratch space (1.5 MB)."""
    return LadderWork(
        np.zeros((MAX_DEPTH + 1, BOARD_CELLS), np.uint16),
        np.zeros((MAX_DEPTH, _MOVES), np.int64),
        np.zeros(MAX_DEPTH, np.int64),
        np.zeros(MAX_DEPTH, np.int64),
        np.zeros(3, np.int64),
    )


@kernel
def list_attacks(board: Board, goal: int, moves: Points, liberties: Points) -> int:
    """Write the attacker's candidates: the legal liberties of a chain that has one or two.

    returns  int64, how many were written
    """
    attacker = 3 - np.int64(board[COLOR + goal])
    found = list_liberties(board, goal, liberties)
    count = 0
    if found < 3:
        for i in range(found):
            if is_legal(board, liberties[i], attacker):
                moves[count] = liberties[i]
                count += 1
    return count


@kernel
def list_rescues(board: Board, goal: int, moves: Points, liberties: Points) -> int:
    """Write the defender's candidates for a chain in atari: captures of neighbors, then extending.

    Captures of adjacent attacking chains in atari come first: they often end the ladder at once.
    returns  int64, how many were written
    """
    defender = np.int64(board[COLOR + goal])
    count = 0
    stone = np.int64(goal)
    while True:
        for near in (stone + 1, stone - 1, stone + STRIDE, stone - STRIDE):
            if board[COLOR + near] != 3 - defender or board[PSEUDO + board[HEAD + near]] > 4:
                continue  # more than 4 pseudo-liberties: no atari
            if count_liberties(board, near, 2) > 1:
                continue
            list_liberties(board, near, liberties)
            known = count == _MOVES - 1 or not is_legal(board, liberties[0], defender)
            for i in range(count):
                known |= moves[i] == liberties[0]
            if not known:
                moves[count] = liberties[0]
                count += 1
        stone = np.int64(board[NEXT + stone])
        if stone == goal:
            break
    list_liberties(board, goal, liberties)
    known = not is_legal(board, liberties[0], defender)
    for i in range(count):
        known |= moves[i] == liberties[0]
    if not known:
        moves[count] = liberties[0]
        count += 1
    return count


@kernel
def is_captured_in_ladder(
    board: Board, goal: int, attacker_moves: bool, budget: int, work: LadderWork
) -> bool:
    """Return whether the chain at ``goal`` can be captured by a ladder.

    board           uint16[BOARD_CELLS], the same after as before
    goal            int64, a stone of the chain
    attacker_moves  bool, whether the attacker is to move; else the chain's owner is
    budget          int64, positions that may be looked at
    work            LadderWork, changes in place
    """
    defender = np.int64(board[COLOR + goal])
    copy_into(board, work.boards[0])
    depth = 0
    attacking = attacker_moves
    work.tried[0] = 0
    if count_liberties(board, goal, 3) > (2 if attacker_moves else 1):
        return False
    if attacker_moves:
        work.counts[0] = list_attacks(board, goal, work.moves[0], work.liberties)
    else:
        work.counts[0] = list_rescues(board, goal, work.moves[0], work.liberties)
    while True:
        # The position at ``depth`` is lost for its side to move once all its moves are tried.
        captured = not attacking
        decided = work.tried[depth] == work.counts[depth]
        if not decided:
            budget -= 1
            if budget < 0 or depth + 1 == MAX_DEPTH:
                return False
            move = work.moves[depth, work.tried[depth]]
            work.tried[depth] += 1
            child = work.boards[depth + 1]
            copy_into(work.boards[depth], child)
            place(child, move, 3 - defender if attacking else defender)
            if child[COLOR + goal] == EMPTY:
                captured = True
                decided = attacking
            else:
                liberties = count_liberties(child, goal, 3)
                if attacking:
                    if liberties > 1:
                        continue  # no atari: this move was no ladder
                elif liberties > 2:
                    captured = False
                    decided = True
                depth += 0 if decided else 1
            if not decided:
                attacking = not attacking
                work.tried[depth] = 0
                if attacking:
                    work.counts[depth] = list_attacks(
                        child, goal, work.moves[depth], work.liberties
                    )
                else:
                    work.counts[depth] = list_rescues(
                        child, goal, work.moves[depth], work.liberties
                    )
                continue
        # A decided position decides its parents as long as the verdict suits their side to move.
        while True:
            if depth == 0:
                return captured
            depth -= 1
            attacking = not attacking
            if attacking == captured:
                continue
            break
