"""A player and a position for tests."""

from engine import RULESETS, Game, Player, PlayerOptions, parse_vertex


def player(**options) -> Player:
    return Player(PlayerOptions(**{"threads": 1, "seed": 5, "playouts": 200, **options}))


def a_position(size: int = 5) -> Game:
    game = Game(size, RULESETS["chinese"], 0.5)
    for vertex in ("C3", "C4", "D4", "D3"):
        game.play(game.to_play, parse_vertex(vertex, size))
    return game
