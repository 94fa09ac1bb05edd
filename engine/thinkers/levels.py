"""The levels of play: the source of moves, the number compared, and the depth of reading.

A kyu level draws moves as people of that rank choose them (``engine.people``) and compares the few
that it drew by a small search. So it overlooks captures as often as they do. From 1d on all moves
are searched, with a bounded number of roll-outs and nothing else held back. One draw from a rank's
model plays like a player of the rank who never reads; the number of ideas makes up for that. What
a step is worth, as far as it is measured, is in docs/results/levels.md.
"""

from typing import NamedTuple

import numpy as np

from engine.errors import BadSetup
from engine.people.posterior import rank_name

WEAKEST, STRONGEST = 20, -4  # 20k and 5d, as numbers of kyu: 1k is 1, 1d 0, 2d -1
LEAST_SEARCHING = 0  # 1d: the weakest level that searches all moves

# 1 / ideas falls in straight lines between these ranks, for the best of n moves is better than one
# by about 1 - 1 / n.
_IDEAS = ((1, 12.0), (10, 2.7), (14, 2.0), (20, 1.0))  # number of kyu, ideas
# Roll-outs of the weakest levels, and of 1d; how they grow from one level to the next.
_FEWEST_PLAYOUTS, _LAST_WITH_FEWEST = 40, 12
_KYU_GROWTH, _FASTER_FROM, _FASTER_GROWTH = 1.3, 6, 1.45
_DAN_PLAYOUTS, _DAN_GROWTH = 1454, 1.82


class LevelOptions(NamedTuple):
    """The settings of a level.

    name      "20k" to "5d"
    kyu       rank of the people whose moves come to mind: 1k is 1, 1d 0, 2d -1
    ideas     mean number of moves drawn and compared; None: all moves are searched
    playouts  roll-outs a move on 9x9; see ``playouts_on``
    """

    name: str
    kyu: int
    ideas: float | None
    playouts: int

    def playouts_on(self, size: int) -> int:
        """Return the roll-outs a move on a board: in proportion to its side.

        On 19x19 a roll-out tells less, and the gain from few of them is soon lost again.
        """
        return max(1, round(self.playouts * size / 9))


def kyu_of(grade: str) -> int | None:
    """Return a grade as a number of kyu: 12k is 12, 1d 0, 2d -1. Return None for anything else."""
    digits, unit = grade[:-1], grade[-1:].lower()
    # isascii: isdecimal takes the digits of every script.
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 2 and unit in ("k", "d")):
        return None
    if int(digits) == 0:
        return None
    return int(digits) if unit == "k" else 1 - int(digits)


def level_number(name: str) -> int:
    """Return a level as a number of kyu, see ``kyu_of``. Raises BadSetup if it does not exist."""
    number = kyu_of(name)
    if number is None or not STRONGEST <= number <= WEAKEST:
        raise BadSetup(f"no such level: {name[:40]!r} (20k to 1k, 1d to 5d)")
    return number


LEVELS = tuple(rank_name(number) for number in range(WEAKEST, STRONGEST - 1, -1))
"""All levels, the weakest first."""


def level_options(name: str) -> LevelOptions:
    """Return the settings of a level, "20k" to "5d". Raises BadSetup for any other name."""
    kyu = level_number(name)
    if kyu <= LEAST_SEARCHING:
        playouts = _DAN_PLAYOUTS * _DAN_GROWTH**-kyu
    else:
        steps = max(_LAST_WITH_FEWEST - max(kyu, _FASTER_FROM), 0)
        faster = max(_FASTER_FROM - kyu, 0)
        playouts = _FEWEST_PLAYOUTS * _KYU_GROWTH**steps * _FASTER_GROWTH**faster
    return LevelOptions(rank_name(kyu), kyu, _ideas(kyu), round(playouts))


def _ideas(kyu: int) -> float | None:
    """Return how many moves a level draws on average, None if it searches all."""
    if kyu <= LEAST_SEARCHING:
        return None
    ranks, ideas = zip(*_IDEAS, strict=True)
    return 1.0 / float(np.interp(kyu, ranks, [1.0 / n for n in ideas]))
