"""Moves that a symmetry of the position makes equal, taken together."""

from engine.belief.root_moves import MoveBelief
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.go.symmetry import equal_groups, symmetries_of
from engine.player.decision import Decision


def share_evidence(decision: Decision, game: Game) -> Decision:
    """Return a decision in which candidates that a symmetry of the position makes equal are one.

    The one that was looked at most stands for all. All have one win rate and margin
    (``with_equal_moves``). Its roll-outs are those of all, and its P(best) is the sum, so no corner
    of an empty board is better.
    """
    symmetries = symmetries_of(game)
    if len(symmetries) == 1 or not decision.candidates:
        return decision
    moves = decision.candidates
    groups = equal_groups([move.point for move in moves], game.size, symmetries)
    merged = [_pooled([moves[place] for place in group]) for group in groups]
    merged.sort(key=lambda move: move.playouts, reverse=True)
    best = merged[0]
    return decision._replace(
        point=best.point if decision.point != PASS else PASS,
        win_rate=best.win_rate,
        candidates=tuple(merged),
    )


def _pooled(moves: list[MoveBelief]) -> MoveBelief:
    return moves[0]._replace(
        playouts=sum(move.playouts for move in moves),
        best=min(sum(move.best for move in moves), 1.0),
    )
