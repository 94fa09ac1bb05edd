"""Figures of a game by side: mean loss and agreement by phase."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from engine.go.board import BLACK, WHITE
from engine.go.symmetry import equal_moves
from engine.review.judging import Judgement, Review

# Phases end at these shares of the board's points in moves, as in KaTrain's report.
PHASES = (("opening", 0.14), ("middle game", 0.4), ("endgame", math.inf))


class SideFigures(NamedTuple):
    """Figures of some moves of one side."""

    moves: int  # their number
    mean: float  # points that they lost per move
    agreed: float  # share of moves that the first search of their position would play too


def by_phase(review: Review) -> list[tuple[str, dict[int, SideFigures]]]:
    """Return the figures of both colors in each phase that the game reached, then in all."""
    points = review.thoughts[0].game.size ** 2
    ends = [0.0, *(end * points for _, end in PHASES)]
    rows = []
    for (name, _), low, high in zip(PHASES, ends, ends[1:], strict=False):
        some = [j for j in review.judgements if low <= review.thoughts[j.before].number < high]
        if some:
            rows.append((name, side_figures(review, some)))
    return [*rows, ("all", side_figures(review, review.judgements))]


def side_figures(review: Review, judgements: Sequence[Judgement]) -> dict[int, SideFigures]:
    """Return the figures of some moves by color."""
    moves, agreed = {BLACK: 0, WHITE: 0}, {BLACK: 0, WHITE: 0}
    totals = {BLACK: 0.0, WHITE: 0.0}
    for judgement in judgements:
        thought, color = review.thoughts[judgement.before], judgement.play.color
        best = thought.look.decision.point
        moves[color] += 1
        agreed[color] += equal_moves(thought.game, best, judgement.play.point)
        totals[color] += judgement.loss.points
    figures = {}
    for color, count in moves.items():
        each = max(count, 1)
        figures[color] = SideFigures(count, totals[color] / each, agreed[color] / each)
    return figures
