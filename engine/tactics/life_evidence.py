"""What a move in a fight over life is worth before it is searched: a few plain features.

Each feature of a move has one of ``VALUES`` values, told apart by who moved, and each value a
weight: their sum is the log-odds that the group dies (logistic regression). Weights are learned
from random fights, see ``patterns_db.life_training``. The slow twin is tests/reference/life.py.
"""

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from engine.tactics.eyespace import (
    ATTACKERS,
    DEFENDERS,
    MASK_EXIT,
    MASK_FIRM,
    MASK_PLAY,
    MOST_POINTS,
    TAKEN,
    Region,
    count_bits,
    flood,
    spread,
)

LIFE_FEATURES_VERSION = 1  # of what the features mean: stored weights depend on it
# The features: room for eyes after the move, how much of it the move took, liberties of the chain
# that moved, stones taken, stones beside the move, steps from the move before.
ROOM, ROOM_TAKEN, LIBERTIES, STONES_TAKEN, BESIDE, STEPS = range(6)
FEATURES = 6
VALUES = 32  # of one feature: 16 for the attacker's moves, then as many for the defender's
_SIDE = 16
_LAST = 15  # of a side: room or steps that are not to be counted; all else of a pass
_GOT_OUT, _SHUT_IN, _STILL_OUT = 7, 8, 9  # values of ROOM_TAKEN where room cannot be subtracted
_NONE = np.uint64(0)

Weights = npt.NDArray[np.float64]


def even_weights() -> Weights:
    """Return weights that know nothing: every move is even. float64[FEATURES, VALUES]."""
    return np.zeros((FEATURES, VALUES))


@kernel
def _room_taken(before: int, after: int) -> int:
    """Return the value of ROOM_TAKEN, less the side's part; room is MOST_POINTS with a way out."""
    if after == MOST_POINTS:
        return _STILL_OUT if before == MOST_POINTS else _GOT_OUT
    # A capture may make room.
    return _SHUT_IN if before == MOST_POINTS else min(max(before - after, -1), 5) + 1


@kernel
def _steps(region: Region, move: int, last: int) -> int:
    """Return how many steps a move is from the one before, both on the board."""
    stride = np.int64(region.stride[0])
    return abs(move // stride - last // stride) + abs(move % stride - last % stride)


@kernel
def find_features(
    region: Region,
    after: npt.NDArray[np.uint64],
    moves: tuple[int, int],
    rooms: tuple[int, int],
    defends: bool,
    features: npt.NDArray[np.int64],
) -> None:
    """Find the features of a move.

    after     uint64[5], the position after it: DEFENDERS, ATTACKERS, GOAL, RIVAL, TAKEN
    moves     int64s, the move before and the move, bits of the region or MOST_POINTS for a pass
    rooms     int64s, room for eyes before and after the move, see ``room_to_live``
    defends   bool, whether the defender made it
    features  int64[FEATURES], overwritten
    """
    last, move = moves
    side = _SIDE if defends else 0
    features[:] = side + _LAST
    if rooms[1] != MOST_POINTS:
        features[ROOM] = side + min(rooms[1], _LAST - 1)
    if move == MOST_POINTS:
        return
    features[ROOM_TAKEN] = side + _room_taken(rooms[0], rooms[1])
    bit = np.uint64(1) << np.uint64(move)
    mine, theirs = after[ATTACKERS], after[DEFENDERS]
    if defends:
        mine, theirs = theirs, mine
    chain = flood(bit, mine, region.stride[0])
    around = spread(chain, region.stride[0]) & region.masks[MASK_PLAY] & ~(mine | theirs)
    liberties = min(count_bits(around), 4)
    if chain & region.masks[MASK_EXIT if defends else MASK_FIRM] != _NONE:
        liberties = 5
    features[LIBERTIES] = side + liberties
    features[STONES_TAKEN] = side + min(count_bits(after[TAKEN]), 4)
    near = spread(bit, region.stride[0]) & ~bit
    features[BESIDE] = (
        side + 4 * min(count_bits(near & mine), 3) + min(count_bits(near & theirs), 3)
    )
    if last != MOST_POINTS:
        features[STEPS] = side + min(_steps(region, move, last), 8)


@kernel
def weigh(weights: Weights, features: npt.NDArray[np.int64]) -> float:
    """Return the log-odds that the group dies after a move with these features."""
    total = 0.0
    for feature in range(FEATURES):
        total += weights[feature, features[feature]]
    return total
