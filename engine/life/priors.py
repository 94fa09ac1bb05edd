"""Priors of a move in a fight over life before it is searched: a few plain features.

The weights of a move's features add up to the log-odds that the group dies (logistic regression,
learned by ``patterns_db.solvers.life_training``). The slow twin is tests/reference/life.py.
"""

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from engine.life.regions import (
    ATTACKERS,
    DEFENDERS,
    GOAL,
    MASK_EXIT,
    MASK_FIRM,
    MASK_PLAY,
    MOST_POINTS,
    TAKEN,
    Region,
    count_bits,
    eye_space,
    flood,
    lowest_bit,
    spread,
)

LIFE_FEATURES_VERSION = 2  # Version of the meaning of the features; stored weights depend on it.
# The features, all of the position after a move but ROOM_TAKEN and STEPS. Room for eyes, and the
# part of it that the move took. Stones taken; stones beside the move; steps from the move before.
# The chain that moved: stones and liberties. The goal's chains: their number and fewest liberties.
# The places for eyes: their number and the size of the largest. The opposing chains beside the
# move: stones in atari and the fewest liberties. The attacker's chains that reach the goal: their
# number and fewest liberties.
ROOM, ROOM_TAKEN, STONES_TAKEN, BESIDE, STEPS, CHAIN, GOALS, EYES = range(8)
TOUCHED, INSIDE, FEATURES = range(8, 11)
VALUES = 64  # of one feature: 32 for the attacker's moves, then 32 for the defender's
_SIDE = 32
_LAST = 31  # of a side: room or steps that cannot be counted, and all that a pass lacks
_MOST_ROOM = 14
_FIRM_LIBERTIES = 5  # of a chain that has liberties outside, or a friend
_NO_LIBERTIES = 6  # value where there are no chains
_GOT_OUT, _SHUT_IN, _STILL_OUT = 7, 8, 9  # values of ROOM_TAKEN where room cannot be subtracted
_NONE = np.uint64(0)

LifeWeights = npt.NDArray[np.float64]


@kernel
def _room_taken(before: int, after: int) -> int:
    """Return the value of ROOM_TAKEN within a side; room is MOST_POINTS with a way out."""
    if after == MOST_POINTS:
        return _STILL_OUT if before == MOST_POINTS else _GOT_OUT
    # A capture may make room.
    return _SHUT_IN if before == MOST_POINTS else min(max(before - after, -1), 5) + 1


@kernel
def _liberties(chain: np.uint64, empty: np.uint64, outside: np.uint64, stride: np.uint64) -> int:
    """Return the number of liberties of a chain, at most four; _FIRM_LIBERTIES: it has others."""
    if chain & outside != _NONE:
        return _FIRM_LIBERTIES
    return min(count_bits(spread(chain, stride) & empty), 4)


@kernel
def _survey(
    seeds: np.uint64, stones: np.uint64, empty: np.uint64, outside: np.uint64, stride: np.uint64
) -> tuple[int, int, int]:
    """Return the number of chains on some points, the largest in atari, the fewest liberties."""
    count, caught, fewest = 0, 0, _NO_LIBERTIES
    while seeds != _NONE:
        chain = flood(lowest_bit(seeds), stones, stride)
        seeds &= ~chain
        liberties = _liberties(chain, empty, outside, stride)
        if liberties == 1:
            caught = max(caught, count_bits(chain))
        fewest = min(fewest, liberties)
        count += 1
    return count, caught, fewest


@kernel
def _places(eyes: np.uint64, stride: np.uint64) -> tuple[int, int]:
    """Return the number of places for eyes, and the number of points of the largest."""
    count = largest = 0
    waiting = eyes
    while waiting != _NONE:
        place = flood(lowest_bit(waiting), eyes, stride)
        waiting &= ~place
        largest = max(largest, count_bits(place))
        count += 1
    return count, largest


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

    after     uint64[6], the position after it: DEFENDERS, ATTACKERS, GOAL, RIVAL, BANNED, TAKEN
    moves     the move before and the move, bits of the region or MOST_POINTS for a pass
    rooms     room for eyes before and after the move, see ``room_to_live``
    defends   whether the defender made it
    features  int64[FEATURES], overwritten
    """
    last, move = moves
    side = _SIDE if defends else 0
    features[:] = side + _LAST
    if rooms[1] != MOST_POINTS:
        features[ROOM] = side + min(rooms[1], _MOST_ROOM)
    defenders, attackers, goal = after[DEFENDERS], after[ATTACKERS], after[GOAL]
    exits, firm = region.masks[MASK_EXIT], region.masks[MASK_FIRM]
    empty = region.masks[MASK_PLAY] & ~(defenders | attackers)
    stride = region.stride[0]
    reach, eyes = eye_space(region, defenders, attackers, goal)
    count, _, fewest = _survey(goal, defenders, empty, exits, stride)
    features[GOALS] = side + 7 * min(max(count - 1, 0), 3) + fewest
    count, _, fewest = _survey(reach & attackers, attackers, empty, firm, stride)
    features[INSIDE] = side + 7 * min(count, 3) + fewest
    count, largest = _places(eyes, stride)
    features[EYES] = side + 6 * min(count, 4) + min(largest, 5)
    if move == MOST_POINTS:
        return
    features[ROOM_TAKEN] = side + _room_taken(rooms[0], rooms[1])
    bit = np.uint64(1) << np.uint64(move)
    mine, theirs, ours, others = attackers, defenders, firm, exits
    if defends:
        mine, theirs, ours, others = theirs, mine, others, ours
    chain = flood(bit, mine, stride)
    liberties = _liberties(chain, empty, ours, stride)
    features[CHAIN] = side + 6 * (min(count_bits(chain), 5) - 1) + liberties
    features[STONES_TAKEN] = side + min(count_bits(after[TAKEN]), 4)
    near = spread(bit, stride) & ~bit
    _, caught, fewest = _survey(near & theirs, theirs, empty, others, stride)
    features[TOUCHED] = side + 7 * min(caught, 3) + fewest
    features[BESIDE] = (
        side + 4 * min(count_bits(near & mine), 3) + min(count_bits(near & theirs), 3)
    )
    if last != MOST_POINTS:
        width = np.int64(stride)
        steps: int = abs(move // width - last // width) + abs(move % width - last % width)
        features[STEPS] = side + min(steps, 8)


@kernel
def weigh(weights: LifeWeights, features: npt.NDArray[np.int64]) -> float:
    """Return the log-odds that the group dies after a move with these features."""
    total = 0.0
    for feature in range(FEATURES):
        total += weights[feature, features[feature]]
    return total
