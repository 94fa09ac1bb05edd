"""The purpose of a move in plain words, from the classes of its features.

The words say why a player would think of the move, not whether it is good.
"""

from collections.abc import Sequence

from engine.patterns.context import DISTANCES
from engine.people.features import (
    ATARI,
    CAPTURE,
    CONTACT,
    EXTENSION,
    FIRST_ROWS,
    KO_FIGHT,
    LADDER,
    LAST,
    LINKS,
    PLACE,
    PLACES,
    REGION,
    SELF_ATARI,
)

_STONES = ("a stone", "two or three stones", "four stones or more")


def describe_move(rows: Sequence[int]) -> str:
    """Return the effect of a move, as "it captures a stone"; only the most urgent one.

    rows  of one candidate, by group
    """
    classes = [row - first + 1 if row else 0 for row, first in zip(rows, FIRST_ROWS, strict=True)]
    if classes[CAPTURE]:
        return f"it captures {_STONES[(classes[CAPTURE] - 1) % 3]}"
    if classes[EXTENSION]:
        ladder = ", into a ladder" if classes[LADDER] == 1 else ""
        return f"it saves {_STONES[(classes[EXTENSION] - 1) % 3]} from atari{ladder}"
    if classes[ATARI]:
        if classes[ATARI] == 7:
            return "it is a double atari"
        return f"it puts {_STONES[(classes[ATARI] - 1) % 3]} into atari"
    if classes[KO_FIGHT] == 1:
        return "it takes the ko"
    if classes[SELF_ATARI]:
        return "it is a self-atari"
    if 1 <= classes[REGION] <= 5:
        return "it is inside its player's own territory"
    if 6 <= classes[REGION] <= 10:
        return "it is inside the opponent's territory"
    if classes[CONTACT] in (1, 2, 4, 5):
        return "it takes a liberty of the stones just played"
    last = (classes[LAST] - 1) % DISTANCES + 1 if classes[LAST] else 0
    # Classes of LAST up to this one are answers to the last move.
    if 1 <= last <= 5:
        return "it answers the last move nearby"
    if classes[LINKS] > 1:
        return "it touches stones away from the last move"
    # Classes in PLACE: second line to fourth. On large boards the class of the fourth line holds
    # more lines, up to the middle of a side.
    if (classes[PLACE] - 1) % PLACES + 1 in (3, 5, 6, 8, 9, 10):
        return "it is a move in a corner or on a side"
    return "it is a move in an open area"
