"""Races to capture (semeai) that counting liberties decides, exactly and without search.

Source: M. Müller, "Race to capture: analyzing semeai in Go", Game Programming Workshop in Japan
1999. The races have one chain of each side, with plain liberties (class 0) or with small eyes
(class 1). The defender's chain holds the goal stones, the attacker's the rival; liberties are

    own     points beside one of them that the other side fills when it likes: beside a chain of
            it that cannot be captured, and beside nothing that gives the filled chain more
    shared  points beside both, and beside nothing else
    eye     one place of at most two points that only one of them surrounds

Every other race is left to the search. There a chain may get more liberties or reach another chain,
or a stone that fills a liberty may be captured. Races with a larger eye, or with two eyes of a
chain, are left to it, too. In a counted race nobody gains by a pass, by a move elsewhere, or by
filling an own liberty. The slow twin is tests/reference/life.py: all positions of a small region.
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
    MASK_OPEN,
    MASK_PLAY,
    RIVAL,
    Region,
    count_bits,
    flood,
    lowest_bit,
    spread,
)
from engine.proof.graph import FALSE, TRUE, UNKNOWN

_MOST_EYE = 2  # points of a counted eye: it can neither become two eyes nor hold a nakade
_NO_RACE = -1
_NONE = np.uint64(0)


@kernel
def may_fall(region: Region, attackers: np.uint64, rival: np.uint64) -> bool:
    """Return whether all rival stones may still be captured: none has got out of the region."""
    return flood(region.masks[MASK_FIRM], attackers, region.stride[0]) & rival == _NONE


@kernel
def _own_liberties(
    region: Region,
    own: np.uint64,
    chain: np.uint64,
    rival: np.uint64,
    mine: np.uint64,
    theirs: np.uint64,
    ways_out: tuple[np.uint64, np.uint64],
) -> tuple[int, int]:
    """Return the number of a chain's own liberties: (not in its eye, in its eye).

    own           uint64, the chain's liberties that its rival does not share
    rival         uint64, the chain that it races with
    mine, theirs  uint64, all stones of the chain's side and of the other one
    ways_out      uint64s, points where a stone of either of these sides joins stones outside
    returns       int64s; (_NO_RACE, 0) where the liberties are not plain
    """
    stride = region.stride[0]
    firm = flood(ways_out[1], theirs, stride)
    plain = own & (spread(firm, stride) | ways_out[1])
    beside = spread(plain, stride) & region.masks[MASK_PLAY]
    if plain & ways_out[0] != _NONE or beside & ~(chain | firm | plain) != _NONE:
        return _NO_RACE, 0
    inner = own & ~plain
    eye = _NONE
    if inner != _NONE:
        eye = flood(lowest_bit(inner), region.masks[MASK_PLAY] & ~mine, stride)
        # A small eye of only one chain of its side.
        if count_bits(eye) > _MOST_EYE or eye & region.masks[MASK_OPEN] != _NONE:
            return _NO_RACE, 0
        if (inner & ~eye) | (spread(eye, stride) & mine & ~chain) != _NONE:
            return _NO_RACE, 0
    # Other stones beside the chain might be captured, and their capture would give it liberties.
    if spread(chain, stride) & theirs & ~(firm | rival | eye) != _NONE:
        return _NO_RACE, 0
    return count_bits(plain), count_bits(inner)


@kernel
def attacker_wins(mine: int, my_eye: int, theirs: int, their_eye: int, shared: int) -> bool:
    """Return whether the side that moves first captures the other one in a race.

    The mover fills the other side's own liberties and then the shared ones. The mover is captured
    when these and the mover's own liberties are gone. Shared liberties help a side that alone has
    an eye, since the other side must fill them all. If neither side or both have an eye, shared
    liberties stand between the sides (Müller 1999).
    mine, theirs       int64 >= 0, own liberties outside of eyes: the mover's, the other side's
    my_eye, their_eye  int64, 0 (none) to 2, liberties in eyes
    shared             int64 >= 0
    """
    ahead = mine + my_eye - theirs - their_eye
    if their_eye > 0:
        return ahead >= shared
    if my_eye > 0:
        return ahead >= -shared
    return ahead >= max(shared - 1, 0)


@kernel
def race_value(region: Region, stones: npt.NDArray[np.uint64], turn: bool) -> int:
    """Return TRUE if the goal is captured before the rival, FALSE if not; UNKNOWN if not countable.

    stones  uint64[>= 4], DEFENDERS, ATTACKERS, GOAL, RIVAL; no rival stone has got out
    turn    bool, whether the defender is to move
    """
    stride = region.stride[0]
    masks = region.masks
    defenders, attackers = stones[DEFENDERS], stones[ATTACKERS]
    chain = flood(lowest_bit(stones[GOAL]), defenders, stride)
    rival = flood(lowest_bit(stones[RIVAL]), attackers, stride)
    if stones[GOAL] & ~chain != _NONE or stones[RIVAL] & ~rival != _NONE:
        return UNKNOWN
    empty = masks[MASK_PLAY] & ~(defenders | attackers)
    liberties, others = spread(chain, stride) & empty, spread(rival, stride) & empty
    shared = liberties & others
    beside = spread(shared, stride) & masks[MASK_PLAY]
    if shared & (masks[MASK_EXIT] | masks[MASK_FIRM]) != _NONE:
        return UNKNOWN
    if beside & ~(chain | rival | shared) != _NONE:
        return UNKNOWN
    outs = masks[MASK_EXIT], masks[MASK_FIRM]
    outer, eye = _own_liberties(
        region, liberties & ~shared, chain, rival, defenders, attackers, outs
    )
    if outer == _NO_RACE:
        return UNKNOWN
    outer_rival, eye_rival = _own_liberties(
        region, others & ~shared, rival, chain, attackers, defenders, (outs[1], outs[0])
    )
    if outer_rival == _NO_RACE:
        return UNKNOWN
    # A side that waits for the other side's move has one liberty less to give.
    wins = attacker_wins(outer_rival - turn, eye_rival, outer, eye, count_bits(shared))
    return TRUE if wins else FALSE
