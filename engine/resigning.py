"""The decision to resign: after several hopeless moves in a row, but not too early."""

from engine.go.board import BLACK, WHITE
from engine.go.history import Game

IN_A_ROW = 3  # own hopeless moves after which a player resigns


class Resigning:
    """A counter of the hopeless moves of each color."""

    def __init__(self) -> None:
        self._hopeless = {BLACK: 0, WHITE: 0}

    def gives_up(self, game: Game, color: int, won: float, threshold: float | None) -> bool:
        """Count a move; return whether to resign instead of playing it.

        Never in the first half of a game with handicap stones against the mover: it starts lost.
        won        share of the roll-outs through the move that were won
        threshold  [percent] below which a move is hopeless; None: never
        """
        if threshold is None or won * 100 >= threshold:
            self._hopeless[color] = 0
            return False
        self._hopeless[color] += 1
        early = len(game.moves) < game.size * game.size // 2
        if color == WHITE and game.handicap > 0 and early:
            return False
        return self._hopeless[color] >= IN_A_ROW
