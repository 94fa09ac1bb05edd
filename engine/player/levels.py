"""The levels of play: the source of moves, the number compared, and the depth of reading.

A kyu level draws moves as people of that rank choose them (``engine.people``) and compares the few
that it drew by a small search. From 1d on all moves are searched, with a bounded number of
roll-outs and nothing else held back. Measurements are in docs/results/levels.md.
"""

from typing import NamedTuple

from engine.errors import BadSetup
from engine.people.posterior import rank_name

WEAKEST, STRONGEST = 20, -4  # 20k and 5d, as numbers of kyu: 1k is 1, 1d 0, 2d -1


class LevelModel(NamedTuple):
    """How levels differ."""

    least_searching: int = 0  # 1d: the weakest level that searches all moves
    # Factor a level of the moves that are compared, from 20k, which compares nothing, to 1k
    idea_growth: float = 1.14
    kyu_growth: float = 1.4  # factor a level of the roll-outs from ``steady`` to 1d
    dan_growth: float = 1.6  # the same beyond 1d
    # 6k: up to it the logarithm of the roll-outs grows with the square of the way from 20k.
    steady: int = 6
    fewest_playouts: int = 100  # roll-outs of 20k
    steady_playouts: int = 529  # roll-outs of ``steady``


LEVEL = LevelModel()


class LevelOptions(NamedTuple):
    """The settings of a level."""

    name: str  # "20k" to "5d"
    kyu: int  # rank of the people whose moves come to mind: 1k is 1, 1d 0, 2d -1
    ideas: float | None  # mean number of moves drawn and compared; None: all moves are searched
    playouts: int  # roll-outs a move on 9x9; see ``playouts_on``

    def playouts_on(self, size: int) -> int:
        """Return the roll-outs a move on a board: in proportion to its side.

        On 19x19 a roll-out tells less, and the gain from few of them is soon lost again.
        """
        return max(1, round(self.playouts * size / 9))


def level_number(name: str) -> int:
    """Return a level as a number of kyu: 12k is 12, 1d 0, 2d -1. Raises BadSetup otherwise."""
    if name.lower() not in LEVELS:
        raise BadSetup(f"no such level: {name[:40]} (20k to 1k, 1d to 5d)")
    return WEAKEST - LEVELS.index(name.lower())


LEVELS = tuple(rank_name(number) for number in range(WEAKEST, STRONGEST - 1, -1))
"""All levels, the weakest first."""


def level_options(name: str) -> LevelOptions:
    """Return the settings of a level, "20k" to "5d". Raises BadSetup for any other name."""
    kyu = level_number(name)
    ideas = LEVEL.idea_growth ** (WEAKEST - kyu) if kyu > LEVEL.least_searching else None
    return LevelOptions(rank_name(kyu), kyu, ideas, round(_playouts(kyu)))


def _playouts(kyu: int) -> float:
    """Return the roll-outs a move on 9x9 of a level."""
    if kyu > LEVEL.steady:
        way = (WEAKEST - kyu) / (WEAKEST - LEVEL.steady)
        ratio = LEVEL.steady_playouts / LEVEL.fewest_playouts
        return float(LEVEL.fewest_playouts * ratio**way**2)
    steps = LEVEL.steady - max(kyu, LEVEL.least_searching)
    dans = LEVEL.least_searching - min(kyu, LEVEL.least_searching)
    return float(LEVEL.steady_playouts * LEVEL.kyu_growth**steps * LEVEL.dan_growth**dans)
