"""Players that answer queries. The findings of one serve the next query about the same game.

A client that walks through a game sends a query for each of its positions. The player whose last
position is the nearest earlier one keeps its tree, and all players share the beliefs about
positions, which inform each other.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine import Game, Knowledge, Player, PlayerOptions, SearchReport
from gtp.katago.query import AnalysisRequest

MOST_READING = 10_000  # roll-outs for which chains are read out; pondering asks for millions


@dataclass
class _Idle:
    """A player that waits, and the last query that it answered, with the roll-outs made for it."""

    player: Player
    task: AnalysisRequest
    rollouts: int


class QueryPlayers:
    """As many players as there are searches at once.

    independent  take a new player for each query, so that its answer depends on nothing else
    """

    def __init__(self, options: PlayerOptions, knowledge: Knowledge, independent: bool) -> None:
        self._options = replace(options, independent=independent)
        self._knowledge, self._independent = knowledge, independent
        self._lock = threading.Lock()
        self._idle: list[_Idle] = []
        # Taken from a player, which has no tree yet: all others share it.
        self._beliefs = Player(self._options, knowledge).beliefs

    def reports(self, task: AnalysisRequest) -> Iterator[SearchReport]:
        """Search a query's position; see ``Player.analyze``.

        Roll-outs of an earlier query about the same position count.
        """
        before = None if self._independent else self._take(task.game)
        options = replace(self._options, playouts=min(task.visits, MOST_READING))
        if before is None:
            player, made = Player(options, self._knowledge, self._beliefs), 0
        else:
            player = before.player
            player.set_options(options)
            made = before.rollouts if _is_same(task, before.task) else 0
        for report in player.analyze(
            task.game,
            task.color,
            min(task.wanted.every, task.wanted.first),
            task.stop,
            task.avoid,
            playouts=max(task.visits - made, 0),
            seconds=task.seconds,
        ):
            yield report
        if not self._independent:
            with self._lock:
                self._idle.append(_Idle(player, task, max(made, report.playouts)))

    def expect(self, task: AnalysisRequest) -> SearchReport | None:
        """Return a report on a query's position before any search; see ``Player.expect``."""
        return Player(self._options, self._knowledge).expect(task.game, task.color, task.avoid)

    def again(self, task: AnalysisRequest, report: SearchReport) -> SearchReport:
        """Return a report with the lead that follows from all beliefs there are by now."""
        return self._beliefs.again(task.game, task.color, report) if not task.avoid else report

    def forget(self) -> None:
        """Forget all trees and beliefs."""
        with self._lock:
            self._idle.clear()
        self._beliefs.forget()

    def _take(self, game: Game) -> _Idle | None:
        """Take the idle player that was nearest to a position, or the one that waits longest."""
        with self._lock:
            if not self._idle:
                return None
            nearest = max(
                self._idle,
                key=lambda idle: (
                    len(idle.task.game.moves) if game.continues(idle.task.game) else -1
                ),
            )
            self._idle.remove(nearest)
            return nearest


def _is_same(one: AnalysisRequest, other: AnalysisRequest) -> bool:
    """Return whether two queries ask for the same moves of the same position."""
    return (
        one.game.continues(other.game)
        and len(one.game.moves) == len(other.game.moves)
        and (one.color, one.avoid) == (other.color, other.avoid)
    )
