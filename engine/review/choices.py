"""The moves that a player could have chosen in a position, with the points that each loses."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.belief.root_moves import MoveBelief
from engine.go.board import BLACK
from engine.go.symmetry import equal_moves
from engine.player.decision import LEAST_PLAYOUTS
from engine.review.judging import Judgement, Review, better_of
from engine.review.looks import LEAD

MOST = 10  # choices of a position


class MoveChoice(NamedTuple):
    """One move of a position."""

    point: int
    loss: float  # points lost to the best move; of the move of the game, that of its judgement
    line: tuple[int, ...]  # the expected continuation, this move first
    expected: float | None  # probability of it by the ranking model; None: unknown


def choices_of(review: Review, step: int) -> list[MoveChoice]:
    """Return at most MOST moves that searches looked at in a position, the smallest loss first.

    Among them are the move of the game and the better one. A counted position has none.
    """
    thought = review.thoughts[step]
    searched = thought.look.decision.candidates
    if not searched:
        return []
    judged = next((one for one in review.judgements if one.before == step), None)
    moves = [m for m in searched if m.playouts >= LEAST_PLAYOUTS] or list(searched[:1])
    closer = {} if judged is None else _closer(review, judged)
    choices = [
        MoveChoice(m.point, _loss(m, searched, judged), m.line, thought.chances.get(m.point))
        for m in moves
        if not any(equal_moves(thought.game, m.point, point) for point in closer)
    ]
    choices.sort(key=lambda choice: choice.loss)
    own = [
        MoveChoice(point, loss, line, thought.chances.get(point))
        for point, (loss, line) in closer.items()
    ]
    # The sort is stable: of equal losses the better move comes first.
    return sorted([*own, *choices[: MOST - len(own)]], key=lambda choice: round(choice.loss, 1))


def _closer(review: Review, judged: Judgement) -> dict[int, tuple[float, tuple[int, ...]]]:
    """Return losses and lines by point: of compared moves, then of the move of the game."""
    after = review.thoughts[judged.after].look
    closer = {}
    comparison = judged.comparison
    if comparison is not None and judged.has_better:
        sign = 1.0 if judged.play.color == BLACK else -1.0
        rivals = {side.point: side for side in comparison.rivals if side.look is not None}
        most = max((sign * side.values[LEAD].mean for side in rivals.values()), default=0.0)
        # The judgement weighs all searches of the game, so its loss differs from the comparison's.
        scale = judged.loss.points / comparison.losses[LEAD].mean
        for point, side in rivals.items():
            assert side.look is not None
            loss = scale * (most - sign * side.values[LEAD].mean)
            closer[point] = loss, (point, *_following(side.look.decision.candidates))
        if comparison.alternative is not None:
            line = _following(comparison.alternative.decision.candidates)
            closer[better_of(judged)] = 0.0, (better_of(judged), *line)
        after = comparison.after or after
    played = judged.play.point
    closer[played] = judged.loss.points, (played, *_following(after.decision.candidates))
    return closer


def _following(candidates: Sequence[MoveBelief]) -> tuple[int, ...]:
    return candidates[0].line if candidates else ()


def _loss(move: MoveBelief, searched: Sequence[MoveBelief], judged: Judgement | None) -> float:
    """Return the loss of a move that was looked at once, on the scale of the judgement."""
    # The first search and the closer ones may disagree. So margins of the first one are mapped
    # linearly: the game's move and the better one have the losses of the judgement.
    margins = {other.point: other.margin for other in searched}
    if judged is None or not judged.has_better or judged.play.point not in margins:
        return max(searched[0].margin - move.margin, 0.0)
    loss, played = judged.loss.points, margins[judged.play.point]
    better = margins.get(better_of(judged), played)
    if move.margin <= played or better <= played:
        return max(loss + played - move.margin, 0.0)
    return loss * max(better - move.margin, 0.0) / (better - played)
