"""A move beside a better one: searches of the positions after both, with equal budgets."""

import math
from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, Ownership
from engine.go.history import Game
from engine.path.losses import Observation, observed, times
from engine.review.looks import LEAD, WIN, PositionLook, widened

# Comparisons that find much err by a share of it: a race or a group was misread.
ERROR_SHARE = 0.3


def pair_bias(size: int) -> tuple[float, float]:
    """Return the systematic deviations of a comparison of two moves, by track.

    No number of searches makes this part smaller.
    """
    return 0.15, 2.0 + 0.1 * max(size - 9, 0)


def search_error(size: int) -> tuple[float, float]:
    """Return the deviations, by track, between comparisons of the same moves by other searches.

    Two searches of one position follow different lines, so they err by more than the scatter of
    their roll-outs.
    """
    return 0.2, 3.0 + 0.1 * max(size - 9, 0)


Owners = tuple[Ownership, ...]
"""Of all points in some searches, float64[AREA] each, -1 White .. 1 Black."""


class Comparison(NamedTuple):
    """A move beside a better one.

    better       None: a search of both and of other moves prefers the move itself
    losses       by track, the loss of the move against the better one, the mover's
    after        the last look at the position after the move; None if there is no better one
    alternative  the last look at the position after the better move
    owners       in the searches with the better move, and in those with the move itself
    searched     by track, what the searches alone say of the loss, without the systematic error
    times        number of comparisons so far
    """

    better: int | None
    losses: tuple[Observation, Observation]
    after: PositionLook | None = None
    alternative: PositionLook | None = None
    owners: tuple[Owners, Owners] = ((), ())
    searched: tuple[Observation, Observation] = (Observation(), Observation())
    times: int = 1


def compared(
    game: Game,
    better: int,
    looks: tuple[PositionLook, PositionLook],
    before: Comparison | None = None,
) -> Comparison:
    """Return the comparison of a move with a better one, given searches after both of them.

    Both positions are searched as long, with the same side to move: searches mostly err alike
    there.

    looks   after the move, and after the better one
    before  an earlier comparison of the same two moves, by other searches; its evidence is added
    """
    sign = 1 if game.to_play == BLACK else -1
    after, alternative = looks
    win, lead = (
        observed(sign * (right.mean - wrong.mean), 1.0 / right.pi + 1.0 / wrong.pi + error**2)
        for right, wrong, error in zip(
            alternative.seen, after.seen, search_error(game.size), strict=True
        )
    )
    first: Owners = (alternative.ownership,)
    second: Owners = (after.ownership,)
    number = 1
    if before is not None:
        win, lead = times(win, before.searched[WIN]), times(lead, before.searched[LEAD])
        first, second = before.owners[0] + first, before.owners[1] + second
        number = before.times + 1
    bias = pair_bias(game.size)
    losses = (
        widened(win, math.hypot(bias[WIN], ERROR_SHARE * win.mean)),
        widened(lead, math.hypot(bias[LEAD], ERROR_SHARE * lead.mean)),
    )
    return Comparison(better, losses, after, alternative, (first, second), (win, lead), number)


def agreed_owners(comparison: Comparison) -> tuple[Ownership, Ownership]:
    """Return the owners after the better move and after the move, as far as searches agree.

    One search of a position may misjudge a whole group. So the owners are the means of all
    searches, brought nearer to each other by their deviations. They are equal where they overlap.
    """
    better, played = (np.stack(searched) for searched in comparison.owners)
    means = better.mean(axis=0), played.mean(axis=0)
    gap, middle = means[0] - means[1], (means[0] + means[1]) / 2
    reach = better.std(axis=0) + played.std(axis=0)
    left = np.sign(gap) * np.maximum(np.abs(gap) - reach, 0.0)
    # Both move by the same amount, so their middle stays.
    return middle + left / 2, middle - left / 2


def none_better(size: int) -> Comparison:
    """Return the comparison of a move that a search of it and of others prefers."""
    win, lead = (
        observed(0.0, bias**2 + error**2)
        for bias, error in zip(pair_bias(size), search_error(size), strict=True)
    )
    return Comparison(None, (win, lead))


def added_precision(size: int, found: Comparison | None, variance: float) -> float:
    """Return by how much one more comparison raises the precision of the lead's loss [1/points^2].

    found     comparisons of the move so far; None: there was none
    variance  of the roll-outs' part of the next comparison [points^2]
    """
    bias, error = pair_bias(size)[LEAD], search_error(size)[LEAD]
    pi = 0.0
    if found is not None:
        pi = found.searched[LEAD].pi
        bias = math.hypot(bias, ERROR_SHARE * found.searched[LEAD].mean)
    now = 1.0 / (1.0 / pi + bias**2) if pi > 0.0 else 0.0
    return 1.0 / (1.0 / (pi + 1.0 / (variance + error**2)) + bias**2) - now
