"""The pattern player: always the ranking model's most probable move, without reading.

Stern, Herbrich & Graepel (2006), Sec. 4.2, let their model play itself in this way. Among equals
the lowest point is taken; no move is drawn at random: a draw takes a move that the model thinks
less of, and the replies of any opponent make games differ.

What is sensible at all, when to pass and when to resign is decided as for every other player.
Resigning needs a chance to win, which patterns do not tell: a few roll-outs from the position do.
"""

import math
from collections.abc import Callable, Iterator, Set

from engine.endings.chances import ChanceAdvice
from engine.endings.fights import SumAdvice
from engine.errors import BadSetup
from engine.fates import FinalStatus
from engine.go.history import Game
from engine.player import Player
from engine.reports import Limits
from engine.search.root_moves import MoveBelief
from engine.search.searcher import Searcher, SearchReport
from engine.tactics.advice import Advice

ROLLOUTS = 100


class PatternPlayer(Player):
    """Chooses the most probable sensible move. Raises BadSetup without knowledge of patterns."""

    def __post_init__(self) -> None:
        if self.knowledge.patterns is None:
            raise BadSetup("a pattern player needs a table of patterns")
        super().__post_init__()

    def _reports(
        self, searcher: Searcher, limits: Limits, interval: float
    ) -> Iterator[SearchReport]:
        """Report once, the most probable move first.

        All moves have the win rate of the position: the roll-outs are too few to tell them apart.
        """
        playouts = min(ROLLOUTS, limits.playouts or ROLLOUTS)
        searcher.run(playouts, limits.deadline, limits.stopped)
        report = searcher.report()
        playouts = max(sum(move.playouts for move in report.moves), 1)
        rate = sum(move.win_rate * move.playouts for move in report.moves) / playouts
        deviation = math.sqrt(rate * (1.0 - rate) / playouts)
        moves = [
            move._replace(playouts=playouts, win_rate=rate, win_rate_deviation=deviation)
            for move in sorted(report.moves, key=lambda move: (-move.prior, move.point))
        ]
        yield report._replace(moves=tuple(moves))

    def _advice(
        self,
        game: Game,
        color: int,
        moves: Set[int],
        seconds: float | None,
        stopped: Callable[[], bool],
    ) -> tuple[Advice, ...]:
        return ()  # patterns alone

    def _ending(
        self, game: Game, color: int, moves: Set[int], status: FinalStatus
    ) -> SumAdvice | ChanceAdvice | None:
        return None  # it would always decide: all moves have the same win rate here

    def _reason(self, move: MoveBelief) -> str:
        return f"an expert plays it with a probability of {move.prior:.1%}"
