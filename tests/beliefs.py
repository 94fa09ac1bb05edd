"""Beliefs about moves, as a search might have them, for tests."""

from engine import MoveBelief


def believed(
    point: int, playouts: int, won: float, won_by: float, prior: float = 0.1
) -> MoveBelief:
    """Return a belief from roll-outs alone."""
    return MoveBelief(
        point, playouts, won, won_by, won, 0.1, value=0.0, deviation=0.0, margin=won_by,
        prior=prior, line=(point,),
    )  # fmt: skip
