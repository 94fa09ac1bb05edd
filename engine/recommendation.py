"""Recommended settings for a machine, from the measured speed of its search."""

from collections.abc import Mapping
from typing import TypedDict

SECONDS = (1, 5, 30)  # per move: a quick game, the default, a slow game
WORTHWHILE = 1.2  # minimal ratio to the descents of one thread that justifies the extra heat


class Recommendation(TypedDict):
    """The recommended ``--threads`` and ``--playouts``; keys are text, as in JSON.

    playouts  by board size, and by seconds per move
    """

    threads: int
    playouts: dict[str, dict[str, int]]


def recommend(
    alone: Mapping[str, float], together: Mapping[str, float], threads: int
) -> Recommendation:
    """Return the settings for SECONDS per move.

    alone     descents per second of one thread, by board size
    together  the same of ``threads`` threads
    """
    gains = [together[size] / max(alone[size], 1.0) for size in alone]
    # The mean of all sizes: for a single one the noise may be as large as the gain.
    worthwhile = sum(gains) >= WORTHWHILE * len(gains)
    rates = together if worthwhile else alone
    playouts = {
        size: {str(seconds): two_digits(rate * seconds) for seconds in SECONDS}
        for size, rate in rates.items()
    }
    return Recommendation(threads=threads if worthwhile else 1, playouts=playouts)


def two_digits(number: float) -> int:
    """Return a number rounded down to two digits, and at least 1: more would be false precision.

    >>> two_digits(12987.6)
    12000
    """
    whole = str(int(number))
    return max(int(whole[:2].ljust(len(whole), "0")), 1)
