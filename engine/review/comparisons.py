"""A move beside better ones: searches of the positions after them, with equal budgets."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.belief.losses import NOTHING, Observation, observed, times
from engine.go.board import BLACK, Ownership
from engine.go.history import Game
from engine.review.looks import LEAD, WIN, PositionLook, widened

# This and the deviations below are chosen, not fitted, so that a move said to be a mistake with
# some probability is one about as often (scripts.check.mistakes).
# Comparisons that find much err by a share of it: a race or a group was misread.
ERROR_SHARE = 0.3
SURE = 0.5  # deviations of its error that a loss must have before another move is called better


def pair_bias(size: int) -> tuple[float, float]:
    """Return the deviations of a comparison, by track, that no number of searches makes smaller."""
    return 0.15, 2.0 + 0.1 * max(size - 9, 0)


def search_error(size: int) -> tuple[float, float]:
    """Return the deviations, by track, between comparisons of the same moves by other searches."""
    return 0.2, 3.0 + 0.1 * max(size - 9, 0)


Owners = tuple[Ownership, ...]
"""Of all points in some searches, float64[AREA] each, -1 White .. 1 Black."""


class Side(NamedTuple):
    """The findings of some searches after one move."""

    point: int
    # By track, Black's, without the systematic error
    values: tuple[Observation, Observation] = (NOTHING, NOTHING)
    # In each of the searches, and in other searches of the position after the move
    owners: Owners = ()
    look: PositionLook | None = None  # the last of them; None before the first
    times: int = 0  # number of searches

    def with_look(self, look: PositionLook, size: int, share: float = 1.0) -> "Side":
        """Return the findings with one more search, with a share of the usual error's variance."""
        # Half of the error between comparisons is of either side.
        win, lead = (
            times(value, widened(observation, error * math.sqrt(share / 2.0)))
            for value, observation, error in zip(
                self.values, look.observations, search_error(size), strict=True
            )
        )
        owners = (*self.owners, look.ownership)
        return Side(self.point, (win, lead), owners, look, self.times + 1)


class Comparison(NamedTuple):
    """A move beside a better one."""

    # The best of its rivals; None: a search prefers the move itself to all of them
    better: int | None
    # By track, the loss of the move against the better one, the mover's
    losses: tuple[Observation, Observation]
    # The last look at the position after the move; None if there is no better one
    after: PositionLook | None = None
    alternative: PositionLook | None = None  # the last look at the position after the better move
    # In the searches with the better move, and in those with the move itself
    owners: tuple[Owners, Owners] = ((), ())
    # By track, what the searches alone say of the loss, without the systematic error
    searched: tuple[Observation, Observation] = (NOTHING, NOTHING)
    times: int = 1  # number of comparisons so far
    played: Side = Side(0)  # the findings after the move itself
    rivals: tuple[Side, ...] = ()  # the findings after the moves that it was compared with

    @property
    def finds_better(self) -> bool:
        """Whether the move loses points to the best of its rivals."""
        return self.better is not None and self.losses[LEAD].mean > 0.0

    def better_moves(self, color: int) -> tuple[int, ...]:
        """Return the moves of which one is better, the best first; (): none surely is.

        A rival within a deviation of the best one may be it.
        """
        loss = self.losses[LEAD]
        if not self.finds_better or loss.mean * math.sqrt(loss.pi) < SURE:
            return ()
        assert self.better is not None
        sign, values = (1 if color == BLACK else -1), {s.point: s.values[LEAD] for s in self.rivals}
        best, own = values.get(self.better, NOTHING), self.played.values[LEAD].mean
        equal = (
            point
            for point, value in values.items()
            if point != self.better
            and sign * (best.mean - value.mean) < math.hypot(best.pi**-0.5, value.pi**-0.5)
            and sign * (value.mean - own) > 0.0
        )
        return (self.better, *equal)


def compared(
    game: Game, played: Side, rivals: Sequence[Side], count: tuple[Observation, ...] | None = None
) -> Comparison:
    """Return the comparison of a move with the best of some rivals, given searches after them.

    After a pass that ended the game they let the opponent move, who cannot use it any more: it
    loses no more than its count says.

    game   before the move
    count  by track, of the game that the move ended; None: it went on
    """
    sign = 1 if game.to_play == BLACK else -1
    best = max(rivals, key=lambda rival: sign * rival.values[LEAD].mean)
    lost = [
        sign * (right.mean - wrong.mean)
        for right, wrong in zip(best.values, played.values, strict=True)
    ]
    if count is not None:
        by_count = (
            sign * (right.mean - end.mean) for right, end in zip(best.values, count, strict=True)
        )
        lost = list(map(min, lost, by_count))
    win, lead = (
        observed(loss, 1.0 / right.pi + 1.0 / wrong.pi)
        for loss, right, wrong in zip(lost, best.values, played.values, strict=True)
    )
    bias = pair_bias(game.size)
    losses = (
        widened(win, math.hypot(bias[WIN], ERROR_SHARE * win.mean)),
        widened(lead, math.hypot(bias[LEAD], ERROR_SHARE * lead.mean)),
    )
    return Comparison(
        better=best.point, losses=losses, after=played.look, alternative=best.look,
        owners=(best.owners, played.owners), searched=(win, lead),
        times=played.times, played=played, rivals=tuple(rivals),
    )  # fmt: skip


def agreed_owners(comparison: Comparison) -> tuple[Ownership, Ownership]:
    """Return the owners after the better move and after the move, as far as searches agree.

    One search of a position may misjudge a whole group. So the owners are the means of all
    searches, brought nearer to each other by their deviations. They are equal where they overlap.
    """
    better, played = (np.stack(searched) for searched in comparison.owners)
    means = better.mean(axis=0), played.mean(axis=0)
    gap, middle = means[0] - means[1], (means[0] + means[1]) / 2
    reach = better.std(axis=0) + played.std(axis=0)
    remainder = np.sign(gap) * np.maximum(np.abs(gap) - reach, 0.0)
    return middle + remainder / 2, middle - remainder / 2


def none_better(size: int) -> Comparison:
    """Return the comparison of a move that a search of it and of others prefers."""
    win, lead = (
        observed(0.0, bias**2 + error**2)
        for bias, error in zip(pair_bias(size), search_error(size), strict=True)
    )
    return Comparison(None, (win, lead))


def added_precision(size: int, comparison: Comparison | None, variance: float) -> float:
    """Return by how much one more comparison raises the precision of the lead's loss [1/points^2].

    variance  of the roll-outs' part of the next comparison [points^2]
    """
    bias, error = pair_bias(size)[LEAD], search_error(size)[LEAD]
    pi = 0.0
    if comparison is not None:
        pi = comparison.searched[LEAD].pi
        bias = math.hypot(bias, ERROR_SHARE * comparison.searched[LEAD].mean)
    now = 1.0 / (1.0 / pi + bias**2) if pi > 0.0 else 0.0
    return 1.0 / (1.0 / (pi + 1.0 / (variance + error**2)) + bias**2) - now
