"""Beliefs about moves, as a search might have them, for tests."""

from collections.abc import Iterable

from engine import Game, MoveBelief
from engine.go.symmetry import orbit, symmetries_of


def beliefs_by_orbit(game: Game, moves: Iterable[MoveBelief]) -> list[set[tuple[float, ...]]]:
    """Return the different beliefs about the moves that a symmetry of the position swaps."""
    symmetries = symmetries_of(game)
    beliefs: dict[int, set[tuple[float, ...]]] = {}
    for move in moves:
        shown = (move.win_rate, move.win_rate_deviation, move.margin, move.prior)
        beliefs.setdefault(orbit(move.point, game.size, symmetries), set()).add(shown)
    return list(beliefs.values())


def believed(
    point: int, playouts: int, won: float, won_by: float, prior: float = 0.1
) -> MoveBelief:
    """Return a belief from roll-outs alone."""
    return MoveBelief(
        point, playouts, won, won_by, won, 0.1, value=0.0, deviation=0.0, margin=won_by,
        prior=prior, line=(point,),
    )  # fmt: skip
