"""Two moves beside each other: what the one brings that the other one does not."""

from collections.abc import Iterable

from engine.endgame import sensible_moves
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.life.links import LinkFacts
from engine.search.game_search import GameSearch
from engine.thinkers.explaining import changes, links

# Of a look at what a move changes: a chain's share of lives deviates by 4 % at most.
COMPARING_PLAYOUTS = 200


def compare(
    search: GameSearch, pairs: Iterable[LinkFacts], game: Game, color: int, moves: tuple[int, int]
) -> list[str]:
    """Return what one move of a color brings that another one does not, in terms of Go.

    A short search after each of them says who owns what then; the game stays as it is.
    search  apart from that of the game
    pairs   what is proved of links in the position
    moves   the one, and the other one
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
