"""The decision to resign: after several hopeless moves in a row, but not too early."""

from engine.go.board import BLACK, WHITE
from engine.go.history import Game
from engine.player.candidates import Endgame
from engine.player.decision import Decision
from engine.player.levels import LevelOptions, is_lost

IN_A_ROW = 3  # own hopeless moves after which a player resigns


class Resigning:
    """A counter of the hopeless moves of each color."""

    def __init__(self) -> None:
        self._hopeless = {BLACK: 0, WHITE: 0}

    def considered(
        self, decision: Decision, end: Endgame, threshold: float | None, level: LevelOptions | None
    ) -> Decision:
        """Return a decision, marked if the player resigns instead of playing it.

        Where nothing is left to play, only a level resigns, unless its pass ends the game.
        threshold  [percent] of won roll-outs below which a move is hopeless; None: never
        """
        # The threshold was set for shares of roll-outs. The shown value is surer of losses.
        shares = {move.point: move.won for move in decision.candidates}
        won = shares.get(decision.point)  # None: without a search
        if won is None and (level is None or end.game.passes > 0):
            return decision
        hopeless = threshold is not None and (
            (won is not None and won * 100 < threshold)
            or (level is not None and is_lost(end.game, end.color, end.status))
        )
        return decision._replace(resign=self.gives_up(end.game, end.color, hopeless))

    def gives_up(self, game: Game, color: int, hopeless: bool) -> bool:
        """Count a move; return whether to resign instead of playing it.

        Never in the first half of a game with handicap stones against the mover: it starts lost.
        """
        if not hopeless:
            self._hopeless[color] = 0
            return False
        self._hopeless[color] += 1
        early = len(game.moves) < game.size * game.size // 2
        if color == WHITE and game.handicap > 0 and early:
            return False
        return self._hopeless[color] >= IN_A_ROW
