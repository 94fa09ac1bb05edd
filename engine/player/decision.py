"""A move with its reasons, and the course of thinking about it."""

from collections.abc import Generator, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine.belief.report import SearchReport
from engine.belief.root_moves import MoveBelief

LEAST_PLAYOUTS = 8  # least number for a move whose win rate counts


class Decision(NamedTuple):
    """A move and its reasons. The player decides whether to resign instead.

    candidates      moves that were looked at, the best first
    reasons         reasons to play each of them, by point
    advice          facts known about a move before the search, by point; only where there are any
    likely_margins  as in ``SearchReport``
    """

    point: int
    resign: bool
    reason: str
    win_rate: float
    playouts: int
    candidates: tuple[MoveBelief, ...] = ()
    reasons: Mapping[int, str] = MappingProxyType({})
    advice: Mapping[int, str] = MappingProxyType({})
    likely_margins: tuple[float, float] | None = None

    def instead(self, move: MoveBelief, reason: str) -> "Decision":
        """Return a decision for another move, with the same candidates."""
        return self._replace(point=move.point, reason=reason, win_rate=move.win_rate)


def decide(report: SearchReport, reasons: Mapping[int, str]) -> Decision:
    """Return the decision for the first move of a report.

    reasons  reasons to play each of its moves, by point
    """
    moves = report.moves
    point, rate = moves[0].point, moves[0].win_rate
    return Decision(
        point=point, resign=False, reason=reasons[point], win_rate=rate, playouts=report.playouts,
        candidates=moves, reasons=reasons,
    )  # fmt: skip


class Deliberation:
    """Thinking about one move: iteration gives reports on the way, ``decision`` the move.

    There is at least one report, and the decision rests on the last one. Iterate once.
    """

    def __init__(self, thoughts: Generator[SearchReport, None, Decision]) -> None:
        self._decision: Decision | None = None
        # Held here: a listener that stops early would otherwise end the thinking.
        self._reports = self._listen(thoughts)

    def _listen(self, thoughts: Generator[SearchReport, None, Decision]) -> Iterator[SearchReport]:
        self._decision = yield from thoughts

    def __iter__(self) -> Iterator[SearchReport]:
        return self._reports

    @property
    def decision(self) -> Decision:
        """The move; unfinished thinking is finished first."""
        if self._decision is None:
            for _ in self:
                pass
        assert self._decision is not None
        return self._decision
