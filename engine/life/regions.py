"""The small world of a life-and-death fight: positions of at most 64 points, as sets of bits.

The outside is given. An attacking chain with a liberty outside can never be captured, and a
defending chain that reaches a friend is alive. Point (row, column) of the region's box is bit row *
stride + column. The stride is one more than the width of the box: the extra column keeps rows
apart.

Two exact tests decide positions without search: unconditional life (D. B. Benson, "Life in the game
of Go", Information Sciences 10, 1976) and ``room_to_live``. The slow twin is
tests/reference/life.py.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.jit import kernel

# Rows of Region.masks.
(
    MASK_PLAY,  # All points of the region.
    MASK_OPEN,  # Points of the region with a neighbor outside it.
    MASK_FIRM,  # An attacking stone here has a liberty outside, or joins a chain that has one.
    MASK_EXIT,  # A defending stone here touches a friend outside.
    MASKS,
) = range(5)
MOST_POINTS = 64
# A position: all stones of both sides; the defender's stones of the start; in a race, the
# attacker's stones of the start. BANNED is the point where a ko may not be retaken, if both sides
# obey the ban; TAKEN are the captured stones.
DEFENDERS, ATTACKERS, GOAL, RIVAL, BANNED, TAKEN = 0, 1, 2, 3, 4, 5
_NONE, _ONE = np.uint64(0), np.uint64(1)


class Region(NamedTuple):
    """The board of one fight. Bits that are not in ``points`` are 0 in every set."""

    masks: npt.NDArray[np.uint64]  # (MASKS,)
    stride: npt.NDArray[np.uint64]  # (1,) bits from one row to the next
    points: npt.NDArray[np.int64]  # (MOST_POINTS,) the board's point of each bit, 0: none


@kernel
def lowest_bit(points: np.uint64) -> np.uint64:
    """Return the lowest point of a set that is not empty, as a set."""
    return points & (~points + _ONE)


@kernel
def count_bits(points: np.uint64) -> int:
    """Return how many points a set has."""
    count = 0
    while points != _NONE:
        points &= points - _ONE
        count += 1
    return count


@kernel
def spread(points: np.uint64, stride: np.uint64) -> np.uint64:
    """Return a set with all neighbors of its points; points outside the region are included."""
    return points | (points << _ONE) | (points >> _ONE) | (points << stride) | (points >> stride)


@kernel
def flood(seed: np.uint64, within: np.uint64, stride: np.uint64) -> np.uint64:
    """Return all points of ``within`` that are connected in it with points of ``seed`` in it."""
    grown = seed & within
    while True:
        wider = spread(grown, stride) & within
        if wider == grown:
            return grown
        grown = wider


@kernel
def captured_by(
    region: Region, move: np.uint64, mine: np.uint64, theirs: np.uint64, defends: bool
) -> np.uint64:
    """Return the opposing stones that a stone just put down captures.

    mine     the mover's stones with the new one, which is the set ``move``
    defends  whether the defender moved: chains of either side may have liberties outside
    """
    stride = region.stride[0]
    empty = region.masks[MASK_PLAY] & ~(mine | theirs)
    outside = region.masks[MASK_FIRM if defends else MASK_EXIT]
    captured = _NONE
    near = spread(move, stride) & theirs
    while near != _NONE:
        chain = flood(lowest_bit(near), theirs, stride)
        near &= ~chain
        if spread(chain, stride) & empty == _NONE and chain & outside == _NONE:
            captured |= chain
    return captured


@kernel
def is_suicide(
    region: Region, move: np.uint64, mine: np.uint64, theirs: np.uint64, defends: bool
) -> bool:
    """Return whether the chain of a stone just put down has no liberty after its captures."""
    stride = region.stride[0]
    chain = flood(move, mine, stride)
    if chain & region.masks[MASK_EXIT if defends else MASK_FIRM] != _NONE:
        return False
    return spread(chain, stride) & region.masks[MASK_PLAY] & ~(mine | theirs) == _NONE


@kernel
def _is_surrounded_twice(
    chain: np.uint64, areas: np.uint64, enclosed: np.uint64, attackers: np.uint64, stride: np.uint64
) -> bool:
    """Return whether two areas have all their empty points next to a chain (are vital to it)."""
    around = spread(chain, stride)
    vital = 0
    near = areas & around
    while near != _NONE:
        area = flood(lowest_bit(near), enclosed, stride)
        near &= ~area
        if area & ~attackers & ~around == _NONE:
            vital += 1
            if vital == 2:
                return True
    return False


@kernel
def living_stones(region: Region, defenders: np.uint64, attackers: np.uint64) -> np.uint64:
    """Return the defender's stones that live against any play (Benson 1976).

    A chain lives when two enclosed areas are vital to it. An area that touches the outside is not
    enclosed, and an area counts only while all chains around it live.
    """
    stride = region.stride[0]
    rest = region.masks[MASK_PLAY] & ~defenders
    enclosed = rest & ~flood(region.masks[MASK_OPEN], rest, stride)
    if enclosed == _NONE:
        return _NONE
    areas = enclosed
    alive = flood(spread(enclosed, stride), defenders, stride)
    while alive != _NONE:
        surviving = _NONE
        waiting = alive
        while waiting != _NONE:
            chain = flood(lowest_bit(waiting), defenders, stride)
            waiting &= ~chain
            if _is_surrounded_twice(chain, areas, enclosed, attackers, stride):
                surviving |= chain
        if surviving == alive:
            return surviving
        alive = surviving
        # An area whose wall may fall is no eye.
        areas &= ~flood(spread(defenders & ~alive, stride), areas, stride)
    return _NONE


@kernel
def _is_hopeless(eyes: np.uint64, attackers: np.uint64, stride: np.uint64) -> bool:
    """Return whether a space can never hold two eyes: one point, two adjacent ones, or a held star.

    The center of such a star is the attacker's only stone in it. The defender must fill all points
    around the center to take it.
    """
    if eyes & (eyes - _ONE) == _NONE:
        return True
    first = lowest_bit(eyes)
    rest = eyes & ~first
    if rest & (rest - _ONE) == _NONE:
        return rest & spread(first, stride) != _NONE
    held = eyes & attackers
    if held == _NONE or held & (held - _ONE) != _NONE or eyes & ~spread(held, stride) != _NONE:
        return False
    # The points around the center are connected by the center alone.
    points = eyes & ~held
    return points & ((points << _ONE) | (points << stride)) == _NONE


@kernel
def eye_space(
    region: Region, defenders: np.uint64, attackers: np.uint64, goal: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return the points that the goal stones can reach, and those where an eye is possible."""
    stride = region.stride[0]
    firm = flood(region.masks[MASK_FIRM], attackers, stride)
    reach = flood(goal, region.masks[MASK_PLAY] & ~firm, stride)
    return reach, reach & ~defenders & ~region.masks[MASK_OPEN] & ~spread(firm, stride)


@kernel
def room_to_live(
    region: Region, defenders: np.uint64, attackers: np.uint64, goal: np.uint64
) -> int:
    """Return the number of points where an eye is possible, MOST_POINTS while an exit is in reach.

    0: dead with either side to move. Attacking chains with a liberty outside cannot be captured, so
    a point next to one is never an eye, and the attacker may fill all of these points.
    """
    reach, eyes = eye_space(region, defenders, attackers, goal)
    if reach & region.masks[MASK_EXIT] != _NONE:
        return MOST_POINTS
    return 0 if _is_hopeless(eyes, attackers, region.stride[0]) else count_bits(eyes)


@kernel
def is_out(region: Region, defenders: np.uint64, goal: np.uint64) -> bool:
    """Return whether a chain with a goal stone has reached an exit."""
    exits = defenders & region.masks[MASK_EXIT]
    if exits == _NONE:
        return False
    return flood(exits, defenders, region.stride[0]) & goal != _NONE
