"""The moves that may be better than the one that was played, beyond a search's own favorites.

A search does not see what it does not look at. So beside its favorite stand the moves that the
ranking model likes best, proved captures and rescues, and the opponent's best reply: the key point
is often the same for both sides.
"""

from collections.abc import Iterable, Mapping

from engine.facts.chain_facts import ChainFacts
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.review.looks import PositionLook


def alternatives(
    game: Game,
    played: int,
    look: PositionLook,
    reply: int | None,
    chances: Mapping[int, float],
    chains: Iterable[ChainFacts],
) -> frozenset[int]:
    """Return the moves to be compared in a position; the played one is among them.

    reply    the opponent's best reply to the played move by a search; None: unknown
    chances  probability of each legal move by the ranking model
    """
    favorites = [move.point for move in look.decision.candidates[:3]]
    likely = sorted(chances, key=lambda point: (-chances[point], point))[:8]
    points = {played, look.decision.point, *favorites}
    points |= {point for point in likely if chances[point] >= 0.003}
    points |= {point for chain in chains for point in proved_moves(chain, game.to_play)}
    if reply is not None:
        points.add(reply)
    legal = set(game.legal_points(game.to_play)) | {PASS}
    return frozenset(points & legal)


def proved_moves(chain: ChainFacts, color: int) -> tuple[int, ...]:
    """Return the moves of a color that are proved to capture or to save a chain."""
    if chain.status not in ("critical", "attackable"):
        return ()
    return chain.defenses if chain.color == color else chain.attacks
