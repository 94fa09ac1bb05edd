"""Beliefs about moves, as a search might have them, for tests."""

from collections.abc import Iterable

from engine import Game, MoveBelief
from engine.go.symmetry import orbit, symmetries_of


def one_of_each(game: Game, moves: Iterable[MoveBelief]) -> set[int]:
    """Return one representative of each move, taking those that a symmetry swaps as one."""
    symmetries = symmetries_of(game)
    return {orbit(move.point, game.size, symmetries) for move in moves}


def believed(
    point: int, playouts: int, won: float, won_by: float, prior: float = 0.1
) -> MoveBelief:
    """Return a belief from roll-outs alone."""
    return MoveBelief(
        point, playouts, won, won_by, won, 0.1, value=0.0, deviation=0.0, margin=won_by,
        prior=prior, line=(point,),
    )  # fmt: skip
