"""Guided roll-outs: local answers to the last move, weighed by the ranking model's small templates.

A move is drawn among the local candidates and one lump for all other moves ("elsewhere", played
uniformly). The local candidates are the points beside the last move, and the liberties of chains
that it endangered or left in atari. A candidate's weight is the product of two learned weights.
One is of its 3x3 neighborhood (template T_2 without the paper's features), the other of its kind,
see ``list_local``. If a proof holds the answer to a move, that answer is played (``KnownReply``).

The weights are trained by the full ranking model on exactly these candidates
(patterns_db/search_tables/rollout_training.py). The slow twin is tests/reference/rollout.py.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import COLOR, EMPTY, KO, Board, Mask, Points, is_legal, place
from engine.go.chains import chain_size, last_liberty, next_stone, takes_chain
from engine.go.geometry import AREA, PASS, STRIDE, diagonals, neighbors
from engine.jit import kernel
from engine.randomness import RandomState, draw
from engine.rollout.careful import THROW_IN, choose_careful, stones_exposed
from engine.rollout.uniform import has_room, is_playable

NEIGHBORHOODS = 1 << 16
# A candidate's kind is its place (adjacent to the last move, diagonal to it, or farther away) and
# bits for its effects.
KIND_BESIDE, KIND_DIAGONAL, KIND_FARTHER = 0, 1, 2
KIND_CAPTURES, KIND_SAVES, KIND_SELF_ATARI = 4, 8, 16
KINDS = 32
UNPLAYABLE = -1
# Maximal number of captures and rescues. The rest counts as elsewhere.
MAX_PURPOSEFUL = 16
# These, four neighbors, four diagonals, and room for one entry that is then overwritten.
MAX_LOCAL = MAX_PURPOSEFUL + 9

PolicyWeights = npt.NDArray[np.float64]


class KnownReply(NamedTuple):
    """The right answer to a move, valid while the stones in question are on the board."""

    color: int  # of the move; the other color answers
    move: int
    answer: int
    target: int  # a point of a chain of this color; without a stone there no answer is needed


class GuidedPolicy(NamedTuple):
    """Learned weights, all positive; the weight of a local candidate is the product of two.

    A self-atari never weighs more than the same move without it.
    """

    neighborhood: npt.NDArray[np.float32]  # (NEIGHBORHOODS,) by code, mover's view
    kind: npt.NDArray[np.float32]  # (KINDS,)
    elsewhere: npt.NDArray[np.float32]  # (1,) weight of all other moves together


def no_policy() -> GuidedPolicy:
    """Return weights for a search without learned ones; they are never used."""
    return GuidedPolicy(
        np.ones(NEIGHBORHOODS, np.float32), np.ones(KINDS, np.float32), np.ones(1, np.float32)
    )


class GuidedScratch(NamedTuple):
    """Scratch space of one roll-out thread."""

    points: Points  # (MAX_LOCAL,)
    kinds: Points  # (MAX_LOCAL,)
    weights: PolicyWeights  # (MAX_LOCAL,)
    replies: npt.NDArray[np.int16]  # (2, AREA, 2) answer and target, by color - 1 and move


def new_guided_scratch() -> GuidedScratch:
    """Return fresh scratch space."""
    return GuidedScratch(
        np.zeros(MAX_LOCAL, np.int64),
        np.zeros(MAX_LOCAL, np.int64),
        np.zeros(MAX_LOCAL),
        # Small integers, because roll-outs read them after every move.
        np.zeros((2, AREA, 2), np.int16),
    )


def set_replies(work: GuidedScratch, replies: Iterable[KnownReply]) -> None:
    """Set the known answers of roll-outs, the first to each move, and delete the earlier ones."""
    work.replies[:] = PASS
    for color, move, answer, target in replies:
        row = work.replies[color - 1, move]
        if row[0] == PASS:
            row[:] = answer, target


@kernel
def neighborhood(board: Board, point: int, color: int) -> int:
    """Return the code of the eight points around one, two bits each, from the mover's view.

    EMPTY and WALL keep their bits. A stone is 1 if it is the mover's, 2 otherwise.
    """
    code = (
        np.int64(board[COLOR + point + STRIDE - 1])
        | np.int64(board[COLOR + point + STRIDE]) << 2
        | np.int64(board[COLOR + point + STRIDE + 1]) << 4
        | np.int64(board[COLOR + point - 1]) << 6
        | np.int64(board[COLOR + point + 1]) << 8
        | np.int64(board[COLOR + point - STRIDE - 1]) << 10
        | np.int64(board[COLOR + point - STRIDE]) << 12
        | np.int64(board[COLOR + point - STRIDE + 1]) << 14
    )
    if color == 2:
        # Exchanging the two bits of a point exchanges the colors; EMPTY and WALL are symmetric.
        code = (code & 0x5555) << 1 | (code >> 1) & 0x5555
    return code


@kernel(inlined=True)
def add_purposeful(point: int, purpose: int, count: int, work: GuidedScratch) -> int:
    """List a capture or rescue, or add its purpose to a listed one; return the new count."""
    for i in range(count):
        if work.points[i] == point:
            work.kinds[i] |= purpose
            return count
    if count == MAX_PURPOSEFUL:
        return count
    work.points[count] = point
    work.kinds[count] = KIND_FARTHER | purpose
    return count + 1


@kernel(inlined=True)
def list_purposeful(board: Board, color: int, last: int, work: GuidedScratch) -> int:
    """List the captures and rescues after the last move, legal or not; return their number."""
    count = 0
    liberty = last_liberty(board, last)
    if liberty != 0:
        count = add_purposeful(liberty, KIND_CAPTURES, count, work)
    for near in neighbors(last):
        if board[COLOR + near] != color:
            continue
        liberty = last_liberty(board, near)
        if liberty == 0:
            continue
        count = add_purposeful(liberty, KIND_SAVES, count, work)
        stone = np.int64(near)
        for _ in range(chain_size(board, near)):
            # Capturing a chain that surrounds the own one saves it without an extension.
            for around in neighbors(stone):
                if board[COLOR + around] == 3 - color:
                    liberty = last_liberty(board, around)
                    if liberty != 0:
                        count = add_purposeful(liberty, KIND_SAVES | KIND_CAPTURES, count, work)
            stone = next_stone(board, stone)
    return count


@kernel(inlined=True)
def list_nearby(board: Board, color: int, last: int, work: GuidedScratch) -> int:
    """Do as ``list_local`` by a quick look; ``settle_kind`` finds the bad ones."""
    if last == PASS or board[COLOR + last] == EMPTY:
        return 0
    # Captures and rescues before neighbors: a point that is both is listed once, by its purpose.
    purposeful = count = list_purposeful(board, color, last, work)
    # No branch: the processor cannot predict whether a point is empty. The next entry overwrites
    # one that is not empty.
    for near in neighbors(last):
        work.points[count] = near
        work.kinds[count] = KIND_BESIDE
        count += board[COLOR + near] == EMPTY
    for near in diagonals(last):
        work.points[count] = near
        work.kinds[count] = KIND_DIAGONAL
        count += board[COLOR + near] == EMPTY
    if purposeful > 0:
        listed = count
        count = purposeful
        for i in range(purposeful, listed):
            is_listed = False
            for j in range(purposeful):
                is_listed |= work.points[j] == work.points[i]
            work.points[count] = work.points[i]
            work.kinds[count] = work.kinds[i]
            count += not is_listed
    for i in range(count):
        point = work.points[i]
        if (
            work.kinds[i] & KIND_CAPTURES == 0
            and not has_room(board, point)
            and takes_chain(board, point, color)
        ):
            work.kinds[i] |= KIND_CAPTURES
    return count


@kernel(inlined=True)
def settle_kind(board: Board, color: int, point: int, kind: int) -> int:
    """Return the kind of a candidate that ``list_nearby`` has listed, or UNPLAYABLE."""
    if has_room(board, point):
        return kind
    if not is_playable(board, point, color):
        return UNPLAYABLE
    if kind & KIND_CAPTURES == 0 and stones_exposed(board, point, color) > THROW_IN:
        return kind | KIND_SELF_ATARI
    return kind


@kernel
def list_local(board: Board, color: int, last: int, work: GuidedScratch) -> int:
    """List the local candidates after the last move, with their kinds.

    CAPTURES  takes a chain that is adjacent to the last move's, or the last move's own
    SAVES     extends an own chain in atari that the last move touches, or captures one of the
              chains that surround it
    SELF_ATARI  leaves more than ``THROW_IN`` stones with one liberty
    last     the opponent's last move; PASS has no local candidates
    returns  number of candidates
    """
    count = 0
    for i in range(list_nearby(board, color, last, work)):
        kind = settle_kind(board, color, work.points[i], work.kinds[i])
        if kind != UNPLAYABLE:
            work.points[count] = work.points[i]
            work.kinds[count] = kind
            count += 1
    return count


@kernel(inlined=True)
def known_reply(board: Board, color: int, last: int, work: GuidedScratch) -> int:
    """Return a color's known answer if it is legal now, or PASS."""
    # Nothing is known about a pass, so its answer is PASS, too.
    other = 3 - color
    answer = np.int64(work.replies[other - 1, last, 0])
    if answer == PASS:
        return PASS
    if board[COLOR + work.replies[other - 1, last, 1]] != other or board[COLOR + answer] != EMPTY:
        return PASS
    return answer if is_legal(board, answer, color) else PASS


@kernel(inlined=True)
def choose_guided(
    board: Board, color: int, last: int, rng: RandomState, policy: GuidedPolicy, work: GuidedScratch
) -> int:
    """Draw a local answer or a move elsewhere in proportion to the weights; PASS if none is left.

    A known answer is played at once. Legality and self-atari are tested only for the drawn
    candidate. Both make its weight smaller, never larger. It is accepted in proportion to its
    remaining weight, and drawn again otherwise. This draws from the true weights (rejection
    sampling; von Neumann 1951).
    """
    reply = known_reply(board, color, last, work)
    if reply != PASS:
        return reply
    count = list_nearby(board, color, last, work)
    total = np.float64(policy.elsewhere[0])
    for i in range(count):
        code = neighborhood(board, work.points[i], color)
        weight = np.float64(policy.neighborhood[code] * policy.kind[work.kinds[i]])
        work.weights[i] = weight
        total += weight
    while count > 0:
        # One draw decides both local or elsewhere and which candidate: the rest is elsewhere.
        mark = total * draw(rng, 1 << 30) / (1 << 30)
        pick = 0
        while pick < count and mark >= work.weights[pick]:
            mark -= work.weights[pick]
            pick += 1
        if pick == count:
            break
        point, listed = work.points[pick], work.kinds[pick]
        kind = settle_kind(board, color, point, listed)
        if kind == listed:
            return point
        share = 0.0
        if kind != UNPLAYABLE:
            share = np.float64(policy.kind[kind]) / np.float64(policy.kind[listed])
            if draw(rng, 1 << 30) < share * (1 << 30):
                return point
        work.kinds[pick] = kind
        total -= work.weights[pick] * (1.0 - share)
        work.weights[pick] *= share
    # Elsewhere as in careful roll-outs: without the large self-ataris of uniform ones.
    return choose_careful(board, color, rng)


@kernel
def guided_roll_out(
    board: Board,
    color: int,
    last: int,
    rng: RandomState,
    first: Mask,
    limit: int,
    policy: GuidedPolicy,
    work: GuidedScratch,
) -> int:
    """Play a guided random game to its end; as ``uniform.roll_out``, after a last move or PASS."""
    for point in range(AREA):
        first[point] = EMPTY
    passes = 0
    length = 0
    while passes < 2 and length < limit:
        point = choose_guided(board, color, last, rng, policy, work)
        if point == PASS:
            passes += 1
            board[KO] = 0
        else:
            passes = 0
            place(board, point, color)
            if first[point] == EMPTY:
                first[point] = color
        last = point
        length += 1
        color = 3 - color
    return length
