"""The positions of a fight: a region's stones as bits, a move, and immediate decisions.

The attacker's goal is TRUE when no goal stone is left on the board or the defender has no room for
two eyes. It is FALSE when a chain with a goal stone lives unconditionally or is out (``regions``),
or when the attacker has nothing left to try: such a group lives in seki. Only the defender may
pass. No moves but those of kos are left out, so both values are proofs. The aim may be another:

*Eyes.* Does the group get two eyes? The right to pass changes sides, and a defender without a move
has failed.

*Returns.* Stones live, too, if their capture enables a new stone that cannot be captured (Japanese
rules of 1989, article 7.1). Every defending stone on a point of the group or of the rival counts.
Until the group is captured, the right to pass is that of life, then that of eyes.

*Links.* FALSE when all goal stones are one chain, TRUE when one of them was captured or chains that
cannot be captured stand between them.

*Races.* A rival is a set of attacking stones. The goal is FALSE as soon as all are captured.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import ROOT
from engine.jit import kernel
from engine.life.priors import LifeWeights
from engine.life.regions import (
    ATTACKERS,
    BANNED,
    DEFENDERS,
    GOAL,
    MASK_EXIT,
    MASK_FIRM,
    MASK_PLAY,
    MOST_POINTS,
    RIVAL,
    TAKEN,
    Region,
    captured_by,
    count_bits,
    flood,
    is_out,
    is_suicide,
    living_stones,
    lowest_bit,
    room_to_live,
    spread,
)
from engine.proof.graph import FALSE, TRUE, UNKNOWN
from engine.randomness import mixed

PASS_BIT = MOST_POINTS  # as a move: a pass
AIM_LIFE, AIM_EYES, AIM_LINK, AIM_RETURN = range(4)  # the defender's aim
_NONE, _ONE = np.uint64(0), np.uint64(1)


class RegionSearch(NamedTuple):
    """One fight and the positions of its nodes. N as in the graph."""

    region: Region
    stones: npt.NDArray[np.uint64]  # (N, 5) DEFENDERS, ATTACKERS, GOAL, RIVAL, BANNED.
    aim: npt.NDArray[np.int64]  # (1,) AIM_...
    hint: npt.NDArray[np.int64]  # (1,) the root's move to try first, PASS_BIT: none.
    weights: LifeWeights  # (FEATURES, VALUES)
    features: npt.NDArray[np.int64]  # (FEATURES,) scratch space: features of one move.
    after: npt.NDArray[np.uint64]  # (6,) scratch space: a position after a move, and TAKEN.


@kernel
def position_key(after: npt.NDArray[np.uint64], turn: bool) -> np.uint64:
    """Return the key of uint64[>= 5], DEFENDERS to BANNED; ``turn``: the defender is to move."""
    # Mixed: a plain product would leave the high bits unchanged.
    key = mixed(mixed(after[DEFENDERS]) ^ after[ATTACKERS])
    # Goal and rival have different colors, so they stay distinct in one exclusive or.
    key = mixed(key ^ after[GOAL] ^ after[RIVAL])
    if after[BANNED] != _NONE:
        key = mixed(key ^ after[BANNED])
    return ~key if turn else key


@kernel
def play_in_fight(fight: RegionSearch, node: int, move: int, defends: bool) -> bool:
    """Play a node's move, a bit or PASS_BIT, on ``fight.after``; return whether it was legal."""
    after = fight.after
    for i in range(BANNED):
        after[i] = fight.stones[node, i]
    after[BANNED] = after[TAKEN] = _NONE
    if move == PASS_BIT:
        return True
    bit = _ONE << np.uint64(move)
    mover = DEFENDERS if defends else ATTACKERS
    other = ATTACKERS if defends else DEFENDERS
    after[mover] |= bit
    after[TAKEN] = captured_by(fight.region, bit, after[mover], after[other], defends)
    after[other] &= ~after[TAKEN]
    after[GOAL] &= ~after[TAKEN]
    after[RIVAL] &= ~after[TAKEN]
    # A move that captures has a liberty.
    return after[TAKEN] != _NONE or not is_suicide(
        fight.region, bit, after[mover], after[other], defends
    )


@kernel
def judge_fight(fight: RegionSearch) -> tuple[int, int]:
    """Return (TRUE, FALSE or UNKNOWN; room to live) of the position on ``fight.after``."""
    if fight.aim[0] == AIM_LINK:
        return judge_link(fight)
    defenders = fight.after[DEFENDERS]
    attackers = fight.after[ATTACKERS]
    goal = fight.after[GOAL]
    rival = fight.after[RIVAL]
    races = fight.stones[ROOT, RIVAL] != _NONE
    space = goal
    if fight.aim[0] == AIM_RETURN:
        space = fight.stones[ROOT, GOAL] | fight.stones[ROOT, RIVAL]
        goal, races = defenders & space, False
    elif goal == _NONE:
        return TRUE, 0
    if races and rival == _NONE:
        return FALSE, MOST_POINTS
    if is_out(fight.region, defenders, goal):
        return FALSE, MOST_POINTS
    if living_stones(fight.region, defenders, attackers) & goal != _NONE:
        return FALSE, MOST_POINTS
    room = room_to_live(fight.region, defenders, attackers, space)
    is_dead = room == 0
    if is_dead and races:
        # A group without room may win the race while its rival has not got out of the region.
        firm = flood(fight.region.masks[MASK_FIRM], attackers, fight.region.stride[0])
        is_dead = firm & rival != _NONE
    return (TRUE if is_dead else UNKNOWN), room


@kernel
def judge_link(fight: RegionSearch) -> tuple[int, int]:
    """Return (TRUE, FALSE or UNKNOWN; room to link) of chains on ``fight.after`` to be linked."""
    defenders, goal = fight.after[DEFENDERS], fight.after[GOAL]
    masks, stride = fight.region.masks, fight.region.stride[0]
    if goal != fight.stones[ROOT, GOAL]:
        return TRUE, 0
    one = lowest_bit(goal)
    if goal & ~flood(one, defenders, stride) == _NONE:
        return FALSE, MOST_POINTS
    firm = flood(masks[MASK_FIRM], fight.after[ATTACKERS], stride)
    reached = flood(one, masks[MASK_PLAY] & ~firm, stride)
    if goal & ~reached != _NONE:
        return TRUE, 0
    return UNKNOWN, count_bits(reached & ~defenders)


@kernel
def is_ko_capture(fight: RegionSearch, move: int, defends: bool) -> bool:
    """Return whether a move that was just played on ``fight.after`` could be retaken at once."""
    after, masks = fight.after, fight.region.masks
    taken = after[TAKEN]
    if taken == _NONE or taken & (taken - _ONE) != _NONE:
        return False
    bit = _ONE << np.uint64(move)
    if bit & masks[MASK_EXIT if defends else MASK_FIRM] != _NONE:
        return False
    mine, theirs = (DEFENDERS, ATTACKERS) if defends else (ATTACKERS, DEFENDERS)
    around = spread(bit, fight.region.stride[0]) & masks[MASK_PLAY] & ~bit
    # A lone stone whose only liberty is the point just emptied.
    return around & after[mine] == _NONE and around & ~after[theirs] == taken
