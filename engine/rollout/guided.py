"""Guided roll-outs: local answers to the last move, weighed by the ranking model's small templates.

A move is drawn among the local candidates, points beside the last move and liberties of chains
that it put in danger or left in atari, and one lump for all other moves ("elsewhere", played
uniformly). A candidate's weight is the product of two learned weights: of its 3x3 neighborhood
(template T_2 without the paper's features) and of its kind, see ``list_local``.

The weights are trained by the full ranking model on exactly these candidates
(patterns_db/rollout_training.py). The slow twin is tests/reference/rollout.py.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.go.board import COLOR, EMPTY, KO, NEAR, Board, Mask, Points, place
from engine.go.chains import chain_size, is_in_atari, last_liberty, next_stone, takes_chain
from engine.go.geometry import AREA, PASS, STRIDE, diagonals, neighbors
from engine.jit import kernel
from engine.randomness import RandomState, draw
from engine.rollout.careful import THROW_IN, choose_careful, stones_exposed
from engine.rollout.uniform import is_playable

NEIGHBORHOODS = 1 << 16
# Bits of a candidate's kind.
KIND_BESIDE, KIND_DIAGONAL, KIND_FARTHER = (
    0,
    1,
    2,
)  # place: next to the last move, diagonal to it, farther off
KIND_CAPTURES, KIND_SAVES, KIND_SELF_ATARI = 4, 8, 16
KINDS = 32
# Four neighbors, four diagonals, and captures and rescues; what is beyond counts as elsewhere.
MAX_LOCAL = 24

Weights = npt.NDArray[np.float64]


class GuidedPolicy(NamedTuple):
    """Learned weights, all positive; the weight of a local candidate is the product of two."""

    neighborhood: npt.NDArray[np.float32]  # (NEIGHBORHOODS,) by code, mover's view
    kind: npt.NDArray[np.float32]  # (KINDS,)
    elsewhere: npt.NDArray[np.float32]  # (1,) weight of all other moves together


class LocalWork(NamedTuple):
    """Scratch space of one roll-out thread."""

    points: Points  # (MAX_LOCAL,)
    kinds: Points  # (MAX_LOCAL,)
    weights: Weights  # (MAX_LOCAL,)


def new_local_work() -> LocalWork:
    """Return fresh scratch space."""
    return LocalWork(
        np.zeros(MAX_LOCAL, np.int64), np.zeros(MAX_LOCAL, np.int64), np.zeros(MAX_LOCAL)
    )


@kernel
def neighborhood(board: Board, point: int, color: int) -> int:
    """Return the code of the eight points around one, two bits each, seen by the mover.

    EMPTY and WALL keep their bits; a stone reads 1 when it is the mover's, 2 otherwise.
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
        # Exchanging the two bits of every point exchanges the colors; EMPTY and WALL are the same
        # both ways round.
        code = (code & 0x5555) << 1 | (code >> 1) & 0x5555
    return code


@kernel(inlined=True)
def add_local(board: Board, point: int, color: int, kind: int, count: int, work: LocalWork) -> int:
    """Add a candidate, or the given kind to one that is listed already; return the new count."""
    for i in range(count):
        if work.points[i] == point:
            # What it does is added; where it is stays as first listed, two places are no kind.
            work.kinds[i] |= kind & (KIND_CAPTURES | KIND_SAVES)
            return count
    if count == MAX_LOCAL or not is_playable(board, point, color):
        return count
    # With two empty neighbors a move is no self-atari, and most captures are not found there
    # either: the walks are saved.
    if board[NEAR + point] >> 8 & 15 < 2:
        if kind & KIND_CAPTURES == 0 and takes_chain(board, point, color):
            kind |= KIND_CAPTURES
        elif kind & KIND_CAPTURES == 0 and stones_exposed(board, point, color) > THROW_IN:
            kind |= KIND_SELF_ATARI
    work.points[count] = point
    work.kinds[count] = kind
    return count + 1


@kernel
def list_local(board: Board, color: int, last: int, work: LocalWork) -> int:
    """List the local candidates after the last move, with their kinds.

    CAPTURES  takes a chain that is adjacent to the last move's, or the last move's own
    SAVES     extends an own chain that the last move touches and that is in atari, or captures
              one of the chains that hold it
    SELF_ATARI  leaves more than ``THROW_IN`` stones with one liberty
    board    uint16[BOARD_CELLS]
    color    int64, the mover
    last     int64, the opponent's last move; PASS has no local candidates
    work     LocalWork, changes in place
    returns  int64, how many were listed
    """
    count = 0
    if last == PASS or board[COLOR + last] == EMPTY:
        return 0
    # Captures and rescues before neighbors: a point that is both is listed once, by its purpose.
    if is_in_atari(board, last):
        count = add_local(
            board, last_liberty(board, last), color, KIND_FARTHER | KIND_CAPTURES, count, work
        )
    for near in neighbors(last):
        if board[COLOR + near] == color and is_in_atari(board, near):
            count = add_local(
                board, last_liberty(board, near), color, KIND_FARTHER | KIND_SAVES, count, work
            )
            stone = np.int64(near)
            for _ in range(chain_size(board, near)):
                # Taking a chain that holds the own one saves it without an extension.
                for around in neighbors(stone):
                    if board[COLOR + around] == 3 - color and is_in_atari(board, around):
                        liberty = last_liberty(board, around)
                        kind = KIND_FARTHER | KIND_SAVES | KIND_CAPTURES
                        count = add_local(board, liberty, color, kind, count, work)
                stone = next_stone(board, stone)
    # The eight points around are different ones: only what has a purpose may be listed already.
    purposeful = count
    for i, near in enumerate((*neighbors(last), *diagonals(last))):
        if board[COLOR + near] != EMPTY:
            continue
        kind = KIND_BESIDE if i < 4 else KIND_DIAGONAL
        known = False
        for j in range(purposeful):
            known |= work.points[j] == near
        # With two empty neighbors a move is legal, no eye and no self-atari: most are like that.
        if known or count == MAX_LOCAL or board[NEAR + near] >> 8 & 15 < 2:
            count = add_local(board, near, color, kind, count, work)
        else:
            work.points[count] = near
            work.kinds[count] = kind
            count += 1
    return count


@kernel
def choose_guided(
    board: Board, color: int, last: int, rng: RandomState, policy: GuidedPolicy, work: LocalWork
) -> int:
    """Draw a local answer or a move elsewhere in proportion to the weights; PASS if none is left.

    board  uint16[BOARD_CELLS]; only the order of EMPTIES changes
    """
    count = list_local(board, color, last, work)
    if count > 0:
        total = np.float64(policy.elsewhere[0])
        for i in range(count):
            code = neighborhood(board, work.points[i], color)
            weight = np.float64(policy.neighborhood[code] * policy.kind[work.kinds[i]])
            work.weights[i] = weight
            total += weight
        # One draw for both questions, local or elsewhere and which: what is left over is elsewhere.
        mark = total * draw(rng, 1 << 30) / (1 << 30)
        for i in range(count):
            mark -= work.weights[i]
            if mark < 0.0:
                return work.points[i]
    # Elsewhere as in careful roll-outs: without large self-ataris, which uniform ones play.
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
    work: LocalWork,
) -> int:
    """Play a guided random game to its end; as ``uniform.roll_out``, with the last move known.

    last    int64, the move that led to this position, or PASS
    policy  GuidedPolicy
    work    LocalWork, changes in place
    returns int64, moves played, the passes included
    """
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
