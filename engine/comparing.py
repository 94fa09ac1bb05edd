"""A comparison of two moves: the gains of one over the other."""

from collections.abc import Iterable

from engine.endgame import sensible_moves
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.life.links import LinkFacts
from engine.search.game_search import GameSearch
from engine.thinkers.explaining import changes, links

# Roll-outs for a comparison: a chain's share of lives deviates by at most 4 %.
COMPARING_PLAYOUTS = 200


def compare(
    search: GameSearch, pairs: Iterable[LinkFacts], game: Game, color: int, moves: tuple[int, int]
) -> list[str]:
    """Return the advantages of one move of a color over another, in terms of Go.

    A short search after each move finds the owners of all points; the game is not changed.
    search  separate from the game's search
    pairs   proofs about links in the position
    moves   the first and the second move
    """
    outlooks = []
    for move in moves:
        after = game.copy()
        after.play(color, move)
        searcher = search.enter(
            after, 3 - color, sensible_moves(after, 3 - color) or frozenset({PASS})
        )
        searcher.run(COMPARING_PLAYOUTS, None)
        outlooks.append(searcher.report().ownership)
    point, rival = moves
    said = links(pairs, color)
    linked = [said[point]] if point in said and said[point] != said.get(rival) else []
    return linked + changes(game, color, *outlooks)
