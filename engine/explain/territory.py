"""Ground that one of two moves gains: connected empty points whose owner changes."""

import math
from typing import NamedTuple

import numpy as np

from engine.explain.outcomes import MovePair
from engine.go.board import Ownership
from engine.go.components import components
from engine.go.geometry import PASS, board_points, lines_apart


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


def grounds(
    choice: MovePair, gained: Ownership, *, stones: bool = False
) -> tuple[Ground | None, Ground | None]:
    """Return the largest ground that each move of a choice gains over the other one.

    None: it is not worth a word, or it may be noise.
    gained  float64[AREA], by how much more the mover owns each point after the first, -2 to 2
    stones  whether points with stones belong to it
    """
    first, second = choice.first.move, choice.second.move
    return _largest(choice, first, gained, stones), _largest(choice, second, -gained, stones)


def _largest(choice: MovePair, move: int, gained: Ownership, stones: bool) -> Ground | None:
    if move == PASS:
        return None
    parts = components(
        point
        for point in board_points(choice.game.size)
        if (stones or not choice.game.color_at(point))
        and gained[point] >= TERRITORY.owned
        and lines_apart(point, move) <= TERRITORY.reach
    )
    sizes = [(float(gained[part].sum()), part) for part in parts]
    points, ground = max(sizes, key=lambda pair: pair[0], default=(0.0, []))
    # The owners of one part are taken as perfectly correlated.
    noise = math.hypot(
        *(
            float(np.sqrt(np.maximum(1.0 - outcome.owners[ground] ** 2, 0.0)).sum())
            / math.sqrt(outcome.rollouts)
            for outcome in (choice.first, choice.second)
        )
    )
    if points < max(TERRITORY.least, TERRITORY.deviations * noise):
        return None
    return Ground(points, max(ground, key=lambda point: float(gained[point])))


def taken_points(first: Ownership, second: Ownership) -> Ownership:
    """Return the gain at points that are rather the mover's after one move, not after another.

    first, second  float64[AREA], owners after either move, -1 the opponent .. 1 the mover
    """
    return np.where((first > 0.0) & (second < 0.0), first - second, 0.0)
