"""A stand-in for the searches of a review, where files are under test."""

import numpy as np

from engine import PASS, Decision, MoveBelief
from engine.belief.losses import observed
from engine.go.geometry import AREA
from engine.review.looks import PositionLook


def look_at_once(self, request):
    """Return a possible result of a search."""
    game = request.game
    points = game.legal_points(game.to_play)[:3] or [PASS]
    moves = tuple(
        MoveBelief(point, 8, 0.5, 0.0, 0.5 - 0.01 * place, 0.1, 0.0, 0.0, 0.0, 0.1, (point,))
        for place, point in enumerate(points)
    )
    decision = Decision(points[0], False, (), 0.5, 8, moves)
    seen = observed(0.0, 0.1), observed(0.0, 4.0)
    return PositionLook(game.to_play, decision, seen, np.zeros(AREA), 10.0, 8.0)
