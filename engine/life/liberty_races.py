"""Races to capture (semeai) that counting liberties decides, exactly and without search.

Source: M. Müller, "Race to capture: analyzing semeai in Go", Game Programming Workshop in Japan
1999: one chain of each side, with plain liberties (class 0) or with small eyes (class 1). The
defender's chain holds the goal stones, the attacker's the rival; liberties are

    own     points beside one of them that the other side fills when it likes: beside a chain of
            it that cannot be captured, and beside nothing that gives the filled chain more
    shared  points beside both, and beside nothing else
    eye     one place of at most two points that only one of them surrounds

Every other race is left to the search. The slow twin is tests/reference/life.py.
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
    """Return (a chain's own liberties not in its eye, those in its eye); (_NO_RACE, 0): not plain.

    own           the chain's liberties that its rival does not share
    mine, theirs  all stones of the chain's side and of the other one
    ways_out      points where a stone of either of these sides joins stones outside
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

    The mover fills the other side's own liberties and then the shared ones. Shared liberties help a
    side that alone has an eye, since the other side must fill them all (Müller 1999).
    mine, theirs       own liberties outside of eyes: the mover's, the other side's
    my_eye, their_eye  0 (none) to 2, liberties in eyes
    """
    ahead = mine + my_eye - theirs - their_eye
    if their_eye > 0:
        return ahead >= shared
    if my_eye > 0:
        return ahead >= -shared
    return ahead >= max(shared - 1, 0)


@kernel
def race_value(region: Region, stones: npt.NDArray[np.uint64], turn: bool) -> int:
    """Return TRUE: the goal falls before the rival, FALSE: not, UNKNOWN: it is not countable."""
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
