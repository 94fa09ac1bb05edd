"""A move with its reasons, and thinking about it as it goes on."""

from collections.abc import Generator, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine.search.report import SearchReport
from engine.search.root_moves import MoveBelief

LEAST_PLAYOUTS = 8  # of a move, for its win rate to count


class Decision(NamedTuple):
    """A move and its reasons. Whether to resign instead is up to the player.

    candidates      moves that were looked at, the best first
    reasons         why each of them would be played, by point
    known           what was known of a move before the search, by point; only where something was
    likely_margins  as ``SearchReport`` has it
    """

    point: int
    resign: bool
    reason: str
    win_rate: float
    playouts: int
    candidates: tuple[MoveBelief, ...] = ()
    reasons: Mapping[int, str] = MappingProxyType({})
    known: Mapping[int, str] = MappingProxyType({})
    likely_margins: tuple[float, float] | None = None

    def instead(self, move: MoveBelief, reason: str) -> "Decision":
        """Return a decision for another move, with the same candidates."""
        return self._replace(point=move.point, reason=reason, win_rate=move.win_rate)


def decide(report: SearchReport, reasons: Mapping[int, str]) -> Decision:
    """Return the decision for the first move of a report.

    reasons  why each of its moves would be played, by point
    """
    moves = report.moves
    point, rate = moves[0].point, moves[0].win_rate
    return Decision(point, False, reasons[point], rate, report.playouts, moves, reasons)


class Deliberation:
    """Thinking about one move: iterating gives reports on the way, ``decision`` the move.

    There is at least one report; the last one is what the decision rests on. Iterate once.
    """

    def __init__(self, thoughts: Generator[SearchReport, None, Decision]) -> None:
        self._decision: Decision | None = None
        # Held here, or a listener that goes early would end it.
        self._reports = self._listen(thoughts)

    def _listen(self, thoughts: Generator[SearchReport, None, Decision]) -> Iterator[SearchReport]:
        self._decision = yield from thoughts

    def __iter__(self) -> Iterator[SearchReport]:
        return self._reports

    @property
    def decision(self) -> Decision:
        """The move; what is left to think is thought first."""
        if self._decision is None:
            for _ in self:
                pass
        assert self._decision is not None
        return self._decision
