"""A move with its reasons, and the course of thinking about it."""

from collections.abc import Generator, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine.belief.report import SearchReport
from engine.belief.root_moves import MoveBelief
from engine.explain.kinds import Effect, Kind
from engine.explain.words import clause
from engine.go.geometry import PASS

LEAST_PLAYOUTS = 8  # least number for a move whose win rate counts


class OwnersKept(NamedTuple):
    """The owners of points that a decision keeps for its reasons."""

    moves: int = 4  # besides the chosen one
    # Roll-outs of the whole position that the owners after a move start from: few of its own prove
    # little.
    prior_rollouts: int = 10


OWNERS = OwnersKept()


class Decision(NamedTuple):
    """A move and its reasons. The player decides whether to resign instead."""

    point: int
    resign: bool
    why: tuple[Effect, ...]  # what speaks for the move, as far as it was found before the move
    win_rate: float
    playouts: int
    candidates: tuple[MoveBelief, ...] = ()  # moves that were looked at, the best first
    # Proved effects of moves from before the search, by point
    advice: Mapping[int, tuple[Effect, ...]] = MappingProxyType({})
    lead_interval: tuple[float, float] | None = None  # as in ``SearchReport``
    # float64[AREA] after a move as bytes, -1 White .. 1 Black, and the roll-outs that these rest
    # on, by point; of the move and the best others
    owners: Mapping[int, tuple[bytes, float]] = MappingProxyType({})

    @property
    def reason(self) -> str:
        """What speaks for the move, in words."""
        return "; ".join(clause(effect, "it") for effect in self.why)

    @property
    def line(self) -> tuple[int, ...]:
        """The line that the search expects, first its best candidate; empty without a search."""
        return self.candidates[0].line if self.candidates else ()

    @property
    def rival(self) -> MoveBelief | None:
        """The best other move that was tried, if there is one."""
        others = (m for m in self.candidates if m.playouts > 0 and m.point != self.point)
        return next(others, None)

    @property
    def candidate(self) -> MoveBelief | None:
        """The belief about the move, if it was looked at."""
        return next((move for move in self.candidates if move.point == self.point), None)

    @property
    def gap(self) -> float:
        """The points by which the move is better than its rival; 0.0 without one."""
        move, rival = self.candidate, self.rival
        return move.margin - rival.margin if move is not None and rival is not None else 0.0

    @property
    def equals(self) -> tuple[int, ...]:
        """The moves that a symmetry of the position makes equal to the move."""
        return self.candidate.equals if self.candidate is not None else ()


def decide(
    report: SearchReport, color: int, why: tuple[Effect, ...] = (), best: MoveBelief | None = None
) -> Decision:
    """Return the decision for ``best`` or the first move of a report; why: what speaks for it."""
    move = best or report.moves[0]
    decision = Decision(
        point=move.point, resign=False, why=why, win_rate=move.win_rate,
        playouts=report.playouts, candidates=report.moves,
        owners=dict(_owners(report, (move, *report.moves[: OWNERS.moves]))),
    )  # fmt: skip
    return decision if why else decision._replace(why=(_preference(color, decision),))


def _owners(
    report: SearchReport, moves: Iterable[MoveBelief]
) -> Iterator[tuple[int, tuple[bytes, float]]]:
    """Yield the points of some moves, with the owners after them and their roll-outs."""
    # A kept tree has visits of earlier searches, whose roll-outs are in no tally.
    fresh = report.evidence.seen / report.playouts if report.evidence is not None else 1.0
    for move in moves:
        if move.point in report.moves_ownership:
            count, prior = fresh * move.playouts / (1 + len(move.equals)), OWNERS.prior_rollouts
            owned = count * report.moves_ownership[move.point] + prior * report.ownership
            yield move.point, ((owned / (count + prior)).tobytes(), count + prior)


def expected_move(color: int, point: int, *numbers: float) -> Effect:
    """Return that the ranking model expects a move: its probability, and a level's kyu."""
    return Effect(kind=Kind.EXPECTED, points=0.0, color=color, moves=(point, PASS), numbers=numbers)


def _preference(color: int, decision: Decision) -> Effect:
    """Return that the search prefers a move to another one, which is no reason."""
    move, rival, gap = decision.point, decision.rival, decision.gap
    if rival is None:
        return Effect(Kind.ONLY, 0.0, (), color, (move, PASS))
    moves = move, rival.point
    return Effect(kind=Kind.PREFERRED, points=gap, color=color, moves=moves, numbers=(gap,))


class Deliberation:
    """Thinking about one move: a single iteration gives reports, ``decision`` the move."""

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
