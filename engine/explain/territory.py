"""Ground that one of two moves gains: connected empty points whose owner changes."""

import math
from typing import NamedTuple

import numpy as np

from engine.go.board import Ownership
from engine.go.components import components
from engine.go.geometry import PASS, board_points, lines_apart
from engine.go.history import Game


class TerritoryLimits(NamedTuple):
    """Thresholds of the ground that a move gains."""

    owned: float = 0.1  # the least gain of a point that belongs to the ground gained by a move
    least: float = 1.0  # points of ground that are worth a word
    reach: int = 4  # lines from a move to the ground that it gains, at most
    deviations: float = 2.5  # of the difference of two searches, from which on it is no noise


TERRITORY = TerritoryLimits()


class Ground(NamedTuple):
    """Connected points that a move gains.

    middle  the point of which most was gained
    """

    points: float
    middle: int


class Reach(NamedTuple):
    """The part of the board that a move reaches, and the noise of the searches there.

    first, second  float64[AREA], owners after the move and after another one
    rollouts       of either search
    """

    move: int
    first: Ownership
    second: Ownership
    rollouts: float

    def largest(self, game: Game, gained: Ownership, *, stones: bool = False) -> Ground | None:
        """Return the largest ground gained; None: it is not worth a word, or it may be noise.

        gained  float64[AREA], by how much more the mover owns each point, -2 to 2
        stones  whether points with stones belong to it
        """
        if self.move == PASS:
            return None
        parts = components(
            point
            for point in board_points(game.size)
            if (stones or not game.color_at(point))
            and gained[point] >= TERRITORY.owned
            and lines_apart(point, self.move) <= TERRITORY.reach
        )
        grounds = [(float(gained[part].sum()), part) for part in parts]
        points, ground = max(grounds, key=lambda pair: pair[0], default=(0.0, []))
        if points < max(TERRITORY.least, self._noise(ground)):
            return None
        return Ground(points, max(ground, key=lambda point: float(gained[point])))

    def _noise(self, part: list[int]) -> float:
        """Return the points that two searches may differ by at some points without a cause.

        The owners of one part are taken as perfectly correlated.
        """
        deviations = (
            float(np.sqrt(np.maximum(1.0 - owners[part] ** 2, 0.0)).sum())
            for owners in (self.first, self.second)
        )
        return TERRITORY.deviations * math.hypot(*deviations) / math.sqrt(self.rollouts)


def taken_points(first: Ownership, second: Ownership) -> Ownership:
    """Return the gain at points that are rather the mover's after one move, not after another.

    first, second  float64[AREA], owners after either move, -1 the opponent .. 1 the mover
    """
    return np.where((first > 0.0) & (second < 0.0), first - second, 0.0)
