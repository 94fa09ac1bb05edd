"""The best candidates of a position and room for the facts about them, the input of the trees.

The *contenders* are the candidates that the sums of beliefs alone place best. If several candidates
share the value at the end of the list, all of them are left out, so that mirror images of a move
stay alike.

facts of          what they are
the order         distance to the best value; number of better candidates; distance of the second
                  from the best; weight of all contenders, exp(-distance); weight of the others
                  within 1, 2, 3 lines; offset from the best
the pattern       largest template; mean and log variance of its class
the evidence      mean of the class of each group, and their sum
the context       the same
the classes       in the groups CLASSES of the evidence
the place         distances from the nearest and the second nearest edge; offsets from the last
                  three moves; offset between the last two
the position      stones on the board; its size; liberties and size of the last move's chain; the
                  fewest liberties of the player's chains beside the last move
chains beside it  the fewest liberties and the most stones, of either side
the move          the effects up to OTHER_CHAINS (``features``)
stones            of either side within 1, 2, 3, 4 lines

A fact is an int16; values are in steps of 1 / FACT_STEPS. An offset is two facts: the larger and
the smaller distance along the lines.
"""

from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.arrays import Floats, Int16s, Ints
from engine.go.geometry import AREA
from engine.jit import kernel
from engine.patterns.evidence import (
    ATARI_GROUP,
    CAPTURE_GROUP,
    CONTACT_GROUP,
    EVIDENCE_GROUPS,
    EXTENSION_GROUP,
    KO_FIGHT_GROUP,
    LINKS_GROUP,
    SELF_ATARI_GROUP,
)
from engine.patterns.features import FACTS as EFFECTS
from engine.patterns.features import OTHER_CHAINS

# 91 % of experts' moves are among the contenders; lanes are whole vectors of int16.
CONTENDERS, LANES = 20, 32
FACT_STEPS, FACTS_VERSION = 256.0, 1  # the version is that of the meaning of the facts
CONTEXT_GROUPS = 11  # see engine.patterns.context
RESPONSES = 6  # kinds, see engine.patterns.responses
CLASSES = (
    CONTACT_GROUP,
    CAPTURE_GROUP,
    EXTENSION_GROUP,
    SELF_ATARI_GROUP,
    ATARI_GROUP,
    LINKS_GROUP,
    KO_FIGHT_GROUP,
)
# Lines, the first if there is no such move; bits of a count of own stones, at most 625.
NO_OFFSET, STONE_REACH, STONE_BITS = 31, 4, 16
MOVE_EFFECTS = OTHER_CHAINS + 1

# The first fact of each kind, from the numbers of facts of each.
(
    ORDER_FACTS,
    PATTERN_FACTS,
    EVIDENCE_FACTS,
    CONTEXT_FACTS,
    CLASS_FACTS,
    PLACE_FACTS,
    POSITION_FACTS,
    CHAIN_FACTS,
    MOVE_FACTS,
    STONE_FACTS,
    FACTS,
) = accumulate(
    [
        *(0, 9, 3, EVIDENCE_GROUPS + 1, CONTEXT_GROUPS + 1, len(CLASSES)),
        *(10, 5, 4, MOVE_EFFECTS, 2 * STONE_REACH),
    ]
)


class Contenders(NamedTuple):
    """The contenders of one position, the facts about them, and the sums of their trees' leaves."""

    order: Ints  # (LANES,) candidates, the best value first
    spots: Int16s  # (3, LANES) scratch: rows, columns, exp(-distance to the best) in steps
    stones: Ints  # (AREA,) scratch: stones of either side below and to the left of a point
    effects: Ints  # (features.FACTS,) scratch: effects of one move
    facts: Int16s  # (FACTS, LANES)
    leaves: Int16s  # (LANES,) scratch: leaves of one tree
    keys: npt.NDArray[np.uint64]  # uint64[RESPONSES, LANES], classes of responses
    slots: Ints  # (RESPONSES, LANES) their slots
    sums: Floats  # (LANES, 2) means and variances, of leaves and responses
    count: Ints  # (1,) number of contenders; 0 without trees


def new_contenders() -> Contenders:
    """Return room for the contenders of any position."""
    return Contenders(
        order=np.zeros(LANES, np.int64), spots=np.zeros((3, LANES), np.int16),
        stones=np.zeros(AREA, np.int64), effects=np.zeros(EFFECTS, np.int64),
        facts=np.zeros((FACTS, LANES), np.int16), leaves=np.zeros(LANES, np.int16),
        keys=np.zeros((RESPONSES, LANES), np.uint64), slots=np.zeros((RESPONSES, LANES), np.int64),
        sums=np.zeros((LANES, 2)), count=np.zeros(1, np.int64),
    )  # fmt: skip


@kernel
def choose_contenders(values: Floats, count: int, order: Ints) -> int:
    """List the candidates with a better value than the one after the last place.

    order    int64[LANES], overwritten: candidates from the best one down
    returns  int64, number of contenders, <= CONTENDERS
    """
    filled = 0
    for i in range(count):
        value = values[i]
        if filled > CONTENDERS and value <= values[order[CONTENDERS]]:
            continue
        place = min(filled, CONTENDERS)
        while place > 0 and values[order[place - 1]] < value:
            order[place] = order[place - 1]
            place -= 1
        order[place] = i
        filled = min(filled + 1, CONTENDERS + 1)
    if filled <= CONTENDERS:
        return filled
    worst = values[order[CONTENDERS]]
    while filled > 0 and values[order[filled - 1]] == worst:
        filled -= 1
    return filled
