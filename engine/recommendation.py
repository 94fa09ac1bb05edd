"""Which settings suit a machine, by what its search was measured to do."""

from collections.abc import Mapping
from typing import TypedDict

SECONDS = (1, 5, 30)  # a move: a quick game, the default, a slow game
WORTHWHILE = 1.2  # times the descents of one thread, for more threads to be worth their heat


class Recommendation(TypedDict):
    """What ``--threads`` and ``--playouts`` to give; keys are text, as in JSON.

    playouts  by board size, and by seconds a move
    """

    threads: int
    playouts: dict[str, dict[str, int]]


def recommend(
    alone: Mapping[str, float], together: Mapping[str, float], threads: int
) -> Recommendation:
    """Return the settings for SECONDS a move.

    alone     descents a second of one thread, by board size
    together  the same of ``threads`` threads
    """
    gains = [together[size] / max(alone[size], 1.0) for size in alone]
    # The mean of all sizes: of a single one the noise may be as large as the gain.
    worthwhile = sum(gains) >= WORTHWHILE * len(gains)
    rates = together if worthwhile else alone
    playouts = {
        size: {str(seconds): two_digits(rate * seconds) for seconds in SECONDS}
        for size, rate in rates.items()
    }
    return Recommendation(threads=threads if worthwhile else 1, playouts=playouts)


def two_digits(number: float) -> int:
    """Return a number cut to its first two digits, and at least 1: more would be false precision.

    >>> two_digits(12987.6)
    12000
    """
    whole = str(int(number))
    return max(int(whole[:2].ljust(len(whole), "0")), 1)
