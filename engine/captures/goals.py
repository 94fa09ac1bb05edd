"""Capture goals: the question, its decision without search, and the moves to try.

The goal is TRUE as soon as the goal vertex is empty. It is FALSE as soon as the goal chain has L or
more liberties, or no attack is left to try. The defender may pass, the attacker may not; suicide is
illegal. In a search one side obeys the simple-ko ban: the attacker to prove a capture, the defender
to prove safety. The attacks listed decide which captures can be found and what FALSE means, never
whether a proof holds: before a defender's node is TRUE, every reply that could disturb the proof
against the pass is added (``zones``).

# Deviates: in Stern et al. (2007) all legal moves are tried (section 2.1), and a node without moves
is FALSE for the defender and TRUE for the attacker. Here an attacker without a move has failed. The
paper does not treat ko.
"""

import numpy as np
import numpy.typing as npt

from engine.go.board import (
    COLOR,
    EMPTY,
    HEAD,
    KO,
    KO_COLOR,
    Board,
    Mask,
    Points,
    ZobristKeys,
    is_legal,
    play,
)
from engine.go.chains import chain_size, count_liberties, is_in_atari, list_liberties, next_stone
from engine.go.geometry import PASS, diagonals, neighbors
from engine.jit import kernel
from engine.proof.graph import FALSE, FIRST_GOAL_FLAG, FIRST_GOAL_SLOT, TRUE, UNKNOWN

Zone = npt.NDArray[np.uint8]

# Slots and flags of the graph that belong to captures.
META_GOAL = FIRST_GOAL_SLOT  # A point of the chain to be captured.
META_LIMIT = FIRST_GOAL_SLOT + 1  # Number of liberties at which the goal counts as safe.
META_WIDE = FIRST_GOAL_SLOT + 2  # 1: the wide list of attacks, see ``list_candidates``.
NARROWED = FIRST_GOAL_FLAG  # The pass is refuted; only replies in that proof's zone remain.
MAX_LIMIT = 12  # Largest supported liberty limit.
EVERYBODY = 0  # Instead of the color that obeys the simple-ko ban.
_WEAK = 4  # Most liberties of a chain whose liberties are candidates of a wide list.


@kernel
def play_goal_move(
    board: Board, point: int, color: int, obeys_ban: int, zobrist: ZobristKeys
) -> np.uint64:
    """Play a legal move or a pass; return the exclusive or of the changed stones' keys."""
    if point == PASS:
        board[KO] = 0
        return np.uint64(0)
    change = play(board, point, color, zobrist)
    # A ban that is not obeyed must not stay in the position: it would give it another key.
    if board[KO] != 0 and obeys_ban != EVERYBODY and board[KO_COLOR] != obeys_ban:
        board[KO] = 0
    return change


@kernel
def value_of(
    board: Board, goal: int, limit: int, attacker_moves: bool, liberties: Points
) -> tuple[int, int]:
    """Return (TRUE, FALSE or UNKNOWN; liberties seen) of a position, without any search.

    Source: Stern et al. (2007), section 5.
    liberties  int64[>= MAX_LIMIT], overwritten with the goal chain's liberties, up to ``limit``
    """
    if board[COLOR + goal] == EMPTY:
        return TRUE, 0
    count = list_liberties(board, goal, liberties[:limit])
    if count >= limit:
        return FALSE, count
    # A capture is never suicide: only ko forbids it.
    if count == 1 and attacker_moves and board[KO] != liberties[0]:
        return TRUE, count
    return UNKNOWN, count


@kernel
def _mark(board: Board, point: int, marks: Mask, moves: Points, count: int) -> int:
    """Append an empty point that is not marked yet; return the new count."""
    if board[COLOR + point] == EMPTY and marks[point] == 0:
        marks[point] = 1
        moves[count] = point
        count += 1
    return count


@kernel
def _mark_liberties(board: Board, chain: int, marks: Mask, moves: Points, count: int) -> int:
    """Append the liberties of a chain; return the new count."""
    stone = np.int64(chain)
    for _ in range(chain_size(board, chain)):
        for near in neighbors(stone):
            count = _mark(board, near, marks, moves, count)
        stone = next_stone(board, stone)
    return count


@kernel
def _mark_if_weak(
    board: Board, chain: int, most: int, marks: Mask, moves: Points, count: int
) -> int:
    """Append the liberties of a chain that has at most ``most`` of them; return the new count."""
    if count_liberties(board, chain, most + 1) > most:
        return count
    return _mark_liberties(board, chain, marks, moves, count)


@kernel
def _mark_weak_neighbors(
    board: Board, chain: int, most: int, hops: int, marks: Mask, moves: Points, count: int
) -> int:
    """Append the liberties of weak opposing chains near a chain; in two hops, of ones beyond."""
    color = np.int64(board[COLOR + chain])
    stone = np.int64(chain)
    for _ in range(chain_size(board, chain)):
        for near in neighbors(stone):
            if board[COLOR + near] != 3 - color:
                continue
            before = count
            count = _mark_if_weak(board, near, most, marks, moves, count)
            # A chain is weak even if all its liberties were listed before; its own neighbors count.
            # The second hop: own chains behind a weak one are saved or lost with it.
            if hops > 1 and (count > before or count_liberties(board, near, 3) < 3):
                half = (most + 1) // 2
                count = _mark_beyond(board, near, chain, half, marks, moves, count)
        stone = next_stone(board, stone)
    return count


@kernel
def _mark_beyond(
    board: Board, between: int, chain: int, most: int, marks: Mask, moves: Points, count: int
) -> int:
    """Append the liberties of weak chains of a chain's color on the far side of another chain."""
    color = board[COLOR + chain]
    stone = np.int64(between)
    for _ in range(chain_size(board, between)):
        for near in neighbors(stone):
            if board[COLOR + near] == color and board[HEAD + near] != board[HEAD + chain]:
                count = _mark_if_weak(board, near, most, marks, moves, count)
        stone = next_stone(board, stone)
    return count


@kernel
def _keep_legal(board: Board, color: int, marks: Mask, moves: Points, count: int) -> int:
    """Unmark all moves and drop the illegal ones, in order; return how many remain."""
    legal = 0
    for i in range(count):
        marks[moves[i]] = 0
        if is_legal(board, moves[i], color):
            moves[legal] = moves[i]
            legal += 1
    return legal


@kernel
def _meet_chain(board: Board, point: int, marks: Mask, moves: Points, chains: int) -> int:
    """Append the chain at a point to the end of ``moves`` if it is new and weak enough."""
    head = np.int64(board[HEAD + point])
    if head != 0 and marks[head] == 0 and count_liberties(board, head, _WEAK + 1) <= _WEAK:
        marks[head] = 1
        chains += 1
        moves[len(moves) - chains] = head
    return chains


@kernel
def _meet_neighbors(board: Board, chain: int, marks: Mask, moves: Points, chains: int) -> int:
    """Append the weak chains that touch a chain or its liberties; return the number met so far."""
    stone = np.int64(chain)
    for _ in range(chain_size(board, chain)):
        for near in neighbors(stone):
            if board[COLOR + near] == EMPTY:
                for far in neighbors(near):
                    chains = _meet_chain(board, far, marks, moves, chains)
            else:
                chains = _meet_chain(board, near, marks, moves, chains)
        stone = next_stone(board, stone)
    return chains


@kernel
def _mark_contacts(board: Board, goal: int, marks: Mask, moves: Points, count: int) -> int:
    """Append the liberties of all weak chains within three common points; return the count."""
    chains = 1
    # The chains met are at the end of the buffer, which has a cell for every point.
    moves[len(moves) - 1] = np.int64(board[HEAD + goal])
    marks[board[HEAD + goal]] = 1
    first = 0
    for _ in range(3):
        last = chains
        for i in range(first, last):
            chains = _meet_neighbors(board, moves[len(moves) - 1 - i], marks, moves, chains)
        first = last
    for i in range(chains):
        head = moves[len(moves) - 1 - i]
        # Heads were marked as met. Their points are occupied: no candidate shares such a mark.
        marks[head] = 0
        count = _mark_liberties(board, head, marks, moves, count)
    return count


@kernel
def _mark_candidates(board: Board, goal: int, wide: int, marks: Mask, moves: Points) -> int:
    """Write the candidates of both sides, farther ones if ``wide``; return their number."""
    # Its own liberties first: ties between equal beliefs go to the move generated first.
    count = _mark_liberties(board, goal, marks, moves, 0)
    first = 0
    for _ in range(3 if wide else 1):
        last = count
        for i in range(first, last):
            point = moves[i]
            for near in neighbors(point):
                count = _mark(board, near, marks, moves, count)
            for near in diagonals(point):
                count = _mark(board, near, marks, moves, count)
        first = last
    if wide:
        return _mark_contacts(board, goal, marks, moves, count)
    return _mark_weak_neighbors(board, goal, 3, 2, marks, moves, count)


@kernel
def list_candidates(
    board: Board, goal: int, defends: bool, wide: int, marks: Mask, moves: Points
) -> int:
    """Write the legal candidates of a side, the goal chain's liberties first; return their number.

    The defender's are the replies worth trying before the proof against a pass is known.
    wide   int64, 1: candidates farther from the goal chain, see ``_mark_candidates``
    marks  uint8[AREA], all zero before and after
    moves  int64[AREA], filled from the front
    """
    owner = np.int64(board[COLOR + goal])
    if defends and is_in_atari(board, goal):
        # Only the last liberty and captures help at once.
        count = _mark_liberties(board, goal, marks, moves, 0)
        count = _mark_weak_neighbors(board, goal, 1, 1, marks, moves, count)
    else:
        count = _mark_candidates(board, goal, wide, marks, moves)
    return _keep_legal(board, owner if defends else 3 - owner, marks, moves, count)
