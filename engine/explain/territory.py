"""Territory that one of two moves gains: connected empty points whose owner changes."""

from typing import NamedTuple

import numpy as np

from engine.go.board import Ownership
from engine.go.components import components
from engine.go.geometry import board_points
from engine.go.history import Game

# The least gain of a point that belongs to the territory gained by a move
OWNED = 0.1
LEAST = 1.0  # points of territory that are worth a word


class GainedTerritory(NamedTuple):
    """Connected points that a move gains.

    middle  the point of which most was gained
    """

    points: float
    middle: int


def largest_gain(game: Game, gained: Ownership, *, stones: bool = False) -> GainedTerritory | None:
    """Return the largest territory gained; None: it is not worth a word.

    gained  float64[AREA], by how much more the mover owns each point, -2 to 2
    stones  whether points with stones belong to it
    """
    points_of_it = (p for p in board_points(game.size) if stones or not game.color_at(p))
    parts = components(point for point in points_of_it if gained[point] >= OWNED)
    gains = [(float(gained[part].sum()), part) for part in parts]
    points, part = max(gains, key=lambda pair: pair[0], default=(0.0, []))
    if points < LEAST:
        return None
    return GainedTerritory(points, max(part, key=lambda point: float(gained[point])))


def territory_taken(game: Game, first: Ownership, second: Ownership) -> GainedTerritory | None:
    """Return the largest territory that is rather the mover's after one move, not after another.

    first, second  float64[AREA], owners after either move, -1 the opponent .. 1 the mover
    """
    return largest_gain(game, np.where((first > 0.0) & (second < 0.0), first - second, 0.0))


def open_elsewhere(game: Game, first: Ownership, second: Ownership) -> float:
    """Return the points in dispute whose owner two moves do not change.

    first, second  float64[AREA], owners after either move, -1 White .. 1 Black
    """
    points = list(board_points(game.size))
    same = np.abs(first[points] - second[points]) < OWNED
    return float((1.0 - np.abs(first[points]))[same].sum())
