"""The decision to resign: after several hopeless moves in a row, but not too early."""

from typing import NamedTuple

from engine.facts.final_status import FinalStatus
from engine.facts.survey import SURVEY
from engine.go.board import BLACK, WHITE
from engine.go.history import Game
from engine.player.candidates import Endgame
from engine.player.decision import Decision
from engine.player.levels import LevelOptions


class ResigningLimits(NamedTuple):
    """The limits of hopeless games."""

    in_a_row: int = 3  # own hopeless moves after which a player resigns
    # A player of a level resigns when so far behind [points a line of the board]: 14 points on 9x9,
    # 29 on 19x19. Half of the points that nobody owns yet count as the player's own.
    far_behind: float = 1.5
    still_open: float = 0.5


RESIGNING = ResigningLimits()


def is_lost(game: Game, color: int, status: FinalStatus) -> bool:
    """Return whether people would resign: no fight is open, and the opponent is far ahead."""
    if not status.clear:
        return False
    margin = game.score(*status.counted)
    behind = (-margin if color == BLACK else margin) - status.open_ground(3 - color)
    owners, points = status.ownership, status.picture.points
    open_points = sum(abs(owners[point]) < SURVEY.secure for point in points)
    return bool(behind > RESIGNING.far_behind * game.size + RESIGNING.still_open * open_points)


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
        return self._hopeless[color] >= RESIGNING.in_a_row
