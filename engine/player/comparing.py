"""A comparison of two moves: the gains of one over the other."""

from engine.belief.game_search import GameSearch
from engine.explain.effects import effects_of
from engine.explain.wording import sentences_of
from engine.facts.position_facts import Facts
from engine.go.board import Ownership
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.go.symmetry import equal_moves
from engine.player.candidates import sensible_moves

# Roll-outs for a comparison: a chain's share of lives deviates by at most 4 %.
COMPARING_PLAYOUTS = 200
LEAST_EFFECT, MOST_EFFECTS = 1.0, 3  # points of an effect that is told, and how many are


def compare(
    search: GameSearch, facts: Facts, game: Game, color: int, moves: tuple[int, int]
) -> list[str]:
    """Return what one move of a color brings and another one does not, as sentences.

    A short search after each of them says who owns what then; the game stays as it is.
    search  apart from that of the game
    facts   whom it asks what is proved of the positions
    moves   the one, and the other one
    """
    if equal_moves(game, *moves):
        return []
    first, second = (_owners_after(search, game, color, move) for move in moves)
    effects = effects_of(game, color, moves, (first, second), facts)
    return sentences_of(effects, LEAST_EFFECT, MOST_EFFECTS)


def _owners_after(search: GameSearch, game: Game, color: int, move: int) -> Ownership:
    """Return who owns each point after a move, by a short search."""
    after = game.copy()
    after.play(color, move)
    moves = sensible_moves(after, 3 - color) or frozenset({PASS})
    searcher = search.enter(after, 3 - color, moves)
    searcher.run(COMPARING_PLAYOUTS, None)
    return searcher.report().ownership
