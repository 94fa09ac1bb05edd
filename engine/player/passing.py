"""The decision to pass: the one place that weighs a pass against the moves that cost a point.

In a closed position the count decides, and not the win rates of roll-outs: many random invasions
succeed. A pass is checked by searches for points (``PointSearch``), equally long for every player
and budget. If they find no gain of either side, or by territory no defense, no move is played that
costs a point. Dame and moves that the count requires come first. A pass that a thinker proposes in
an open position is checked in the same way.
"""

import math
import time
from collections.abc import Generator, Set
from dataclasses import replace
from typing import NamedTuple

from engine.belief.game_search import GameSearch
from engine.belief.report import SearchReport
from engine.belief.root_moves import MoveBelief
from engine.explain.kinds import Effect, Kind
from engine.facts.final_status import STATUS, FinalStatus
from engine.go.board import BLACK
from engine.go.geometry import PASS, lines_apart
from engine.go.history import Game
from engine.player.candidates import (
    Endgame,
    margin_of,
    report_of_fates,
    sensible_moves,
    wins_by_passing,
)
from engine.player.decision import LEAST_PLAYOUTS, Decision
from engine.player.thinker import Limits, Thinker


class PassLimits(NamedTuple):
    """The searches that decide about a pass."""

    point_playouts: int = 2000  # roll-outs of a search for points; 500 missed gains of 12 and 19
    sure: float = 0.63  # share won; in 190 finished games needless moves won up to 0.62
    # The same by area, where a status is in doubt. Elsewhere such a gain counts if the other side's
    # first move there takes away ``decisive`` of its roll-outs. In those games that was 0.30 to 0.6
    # where points were at stake, else up to 0.30, but for one. A defense has to do so, too.
    likely: float = 0.4
    decisive: float = 0.33
    decisive_if_sure: float = 0.15  # the same of a sure threat: 0.19 to 0.3 saved 20 points
    # The same where a proof says so: 0.29 to 0.4 saved 10 points, 0.14 to 0.18 cost one
    decisive_if_proved: float = 0.25
    saved: float = 0.5  # share of roll-outs in which a defense that costs nothing keeps the points
    # The share of a threat from which on any defense is played: the count does not hold. In those
    # games it was needed in four, for 5 to 50 points, and needless in one.
    certain: float = 0.8
    time_share: float = 0.25  # of a move's remaining time, for one search
    shortest: int = 200  # roll-outs below which a search that ran out of time says nothing
    # Of the search for a needed move inside settled ground of an open position
    needed_playouts: int = 64
    needed: float = 0.3  # by which such a move wins more of its roll-outs


PASSING = PassLimits()


class PointFinding(NamedTuple):
    """The finding of a search for points that are still at stake."""

    point: int | None  # the move to play; None: no move is clearly right
    why: Effect


class PointSearch:
    """Searches for points, apart from the game's search, in a position whose count is known."""

    def __init__(self, search: GameSearch, end: Endgame, limits: Limits) -> None:
        self._search, self._end = search, end
        # They are not stopped early, because an answer at the end of the input must be right, too.
        self._limits = limits._replace(stopped=lambda: False)
        self.was_short = False  # whether time ended a search too early

    def find(self) -> PointFinding | None:
        """Return a move that gains points or prevents the opponent's gain; None: none is needed."""
        game, color, status = self._end.game, self._end.color, self._end.status
        moves, by_area = self._end.moves | self._end.wasteful, game.rules.scoring == "area"
        # Under territory rules a try costs a point if the opponent does not answer it.
        if by_area or not 0 < margin_of(game, color, status) < 2:
            gain = self._best(game_for_points(game, color, status), color, moves)
            reply = self._best_after(PASS, color) if gain and gain.won >= PASSING.likely else None
            # By area a try costs nothing, and one of several moves may prevent the gain.
            turns = _turn_share(gain, reply, anywhere=by_area) >= PASSING.decisive
            if gain and (turns or self._is_gain(gain)):
                return PointFinding(gain.point, _effect(Kind.AT_STAKE, color, gain.point))
        threat = self._best_after(PASS, 3 - color)
        if threat is None or threat.won < PASSING.likely:
            return None
        why = _effect(Kind.DEFENDS, color, PASS)._replace(places=(threat.point,))
        if not by_area:  # an invasion is no defense, and may cost a point
            moves = frozenset(point for point in moves if status.owner[point] != 3 - color)
        defense = self._best(game_for_points(game, 3 - color, status), color, moves)
        is_sure = self._is_gain(threat)
        least = PASSING.decisive_if_sure if is_sure else PASSING.decisive
        # Proofs outweigh roll-outs that are not sure. By area the first move is not proved.
        if not by_area and not is_sure and (proofs := self._proofs(threat, defense)):
            if min(proofs) >= STATUS.clear:
                return None
            is_sure, least = True, PASSING.decisive_if_proved  # the first move decides, as in a ko
        is_free = is_sure and by_area and defense is not None and defense.won >= PASSING.saved
        turns = is_free or _turn_share(threat, defense, anywhere=is_sure) >= least
        if defense and (turns or threat.won >= PASSING.certain):
            return PointFinding(defense.point, why._replace(moves=(defense.point, PASS)))
        # By territory a stone that does not help costs a point.
        return PointFinding(None, why) if is_sure and by_area else None

    def is_threatened_after(self, move: int) -> bool:
        """Return whether the opponent gains points after a move."""
        return self._is_gain(self._best_after(move, 3 - self._end.color))

    def _best_after(self, move: int, winner: int) -> MoveBelief | None:
        """Return the opponent's best reply to a move, in the game for a color's points."""
        game, color = self._end.game, self._end.color
        after = game_for_points(game, winner, self._end.status)
        after.play(color, move)
        return self._best(after, 3 - color, sensible_moves(after, 3 - color))

    def _proofs(self, *moves: MoveBelief | None) -> list[float]:
        """Return how sure proofs are, from 0 to 1, that opposing stones beside moves are dead."""
        status, opponent = self._end.status, 3 - self._end.color
        return [
            abs(float(status.ownership[stone]))
            for stone in status.dead_stones() & status.proved
            if status.picture.colors[stone] == opponent
            if any(move and lines_apart(stone, move.point) <= 1 for move in moves)
        ]

    def _is_gain(self, best: MoveBelief | None) -> bool:
        """Return whether the best move of a search gains points, by enough of its roll-outs."""
        # In doubt a try costs nothing by area, nor for a side that loses unless it gains points.
        game, color, status = self._end.game, self._end.color, self._end.status
        may_win = -2 < margin_of(game, color, status) <= 0 and not status.settled
        may_try = may_win or (game.rules.scoring == "area" and not status.clear)
        return best is not None and best.won >= (PASSING.likely if may_try else PASSING.sure)

    def _best(self, game: Game, color: int, moves: Set[int]) -> MoveBelief | None:
        """Return the best of some moves that is not a pass; None if there is none."""
        moves = frozenset(moves - {PASS})
        if not moves:
            return None
        # A share of the time that is left: other searches and the thinker need some, too.
        seconds = PASSING.time_share * (self._limits.deadline - time.monotonic())
        end, playouts = time.monotonic() + seconds, PASSING.point_playouts
        limits = self._limits._replace(playouts=playouts, deadline=end)
        best, done = best_of(self._search, game, color, moves, limits)
        # Less than a full search may be trusted only if it is nearly certain.
        enough = PASSING.certain if done >= PASSING.shortest else math.inf
        is_doubtful = best is not None and done < playouts and PASSING.likely <= best.won < enough
        self.was_short |= done < PASSING.shortest or is_doubtful
        # Where time cut the search short, its gain may cost a point by territory.
        return None if is_doubtful and self._end.game.rules.scoring == "territory" else best


def _turn_share(gain: MoveBelief | None, defense: MoveBelief | None, *, anywhere: bool) -> float:
    """Return the share of roll-outs of a gain that the side to move first decides."""
    if gain is None or defense is None:
        return 0.0
    # Where nothing is at stake likely moves lie apart, because roll-outs err anywhere.
    is_there = anywhere or lines_apart(gain.point, defense.point) <= 1
    return gain.won + defense.won - 1.0 if is_there else 0.0


def best_of(
    search: GameSearch, game: Game, color: int, moves: frozenset[int], limits: Limits
) -> tuple[MoveBelief | None, int]:
    """Return the most visited of some moves by a new search, if well tried, and its roll-outs."""
    search.forget()
    searcher = search.enter(game, color, moves)
    searcher.run(limits.playouts, limits.deadline, limits.stopped)
    report = searcher.report()
    best = max(report.moves, key=lambda move: move.playouts)
    return (best if best.playouts >= LEAST_PLAYOUTS else None), report.playouts


class Passing:
    """Passes, or plays what has to be played before."""

    def __init__(self) -> None:
        self._tried_at: int | None = None  # number of moves when a search found one more

    def deliberate(
        self, thinker: Thinker, search: GameSearch, end: Endgame, limits: Limits, interval: float
    ) -> Generator[SearchReport, None, Decision]:
        """Let the count decide if it can, else a thinker; report and return as it does."""
        points = PointSearch(search, end, limits)
        if end.is_over:
            decision = yield from self._by_count(thinker, points, end, limits, interval)
            if decision is not None:
                return decision
        decision = yield from thinker.think(end.request(), limits, interval)
        if decision.point == PASS and not end.dead and not end.is_over:
            by_count = yield from self._by_count(thinker, points, end, limits, interval)
            return decision if by_count is None or by_count.point == PASS else by_count
        if end.wasteful and thinker.reads_ahead:
            # Roll-outs do not see the cost of these moves, but may see that one of them is needed.
            brief = limits._replace(playouts=PASSING.needed_playouts, deadline=math.inf)
            needed, _ = best_of(search, end.game, end.color, end.wasteful, brief)
            decision = rather_than_lose(decision, needed, end.color)
        return decision

    def _by_count(
        self, thinker: Thinker, points: PointSearch, end: Endgame, limits: Limits, interval: float
    ) -> Generator[SearchReport, None, Decision | None]:
        """Decide by the count, or None: a thinker has to.

        It does for a player that does not read ahead, and where no move is clearly right.
        """
        game, status = end.game, end.status
        # By territory, a move that a search found and the opponent did not answer cost a point: no
        # other one follows.
        is_unanswered = game.passes > 0 and self._tried_at == len(game.moves) - 2
        if game.rules.scoring == "area" or not is_unanswered:
            finding = points.find()
            if finding is not None and finding.point is not None and thinker.reads_ahead:
                self._tried_at = len(game.moves)
                return (yield from _decided(end, finding.point, finding.why))
            # A thinker without time for a search plays needless stones, which cost by territory.
            was_short = points.was_short and game.rules.scoring == "area"
            # Roll-outs that are sure of everything were right without a search, too.
            if (finding is not None or was_short) and not status.settled:
                return None
        if end.required and game.rules.scoring == "territory":
            point = min(end.required)
            return (yield from _decided(end, point, _effect(Kind.FILLS, end.color, point)))
        if end.free and not wins_by_passing(game, end.color, status):
            request = end.request()._replace(moves=end.free)
            decision = yield from thinker.think(request, limits, interval)
            if not points.is_threatened_after(decision.point):
                return decision
        return (yield from _decided(end, PASS, _why_pass(end)))


def _decided(end: Endgame, point: int, why: Effect) -> Generator[SearchReport, None, Decision]:
    """Report the final status, and return the decision for a move that follows from it."""
    report = report_of_fates(end.game, end.color, end.status, point)
    yield report
    return Decision(point, False, (why,), report.moves[0].win_rate, 0)


def _why_pass(end: Endgame) -> Effect:
    """Return the reason of a pass."""
    if end.is_pointless:
        kind = Kind.NO_MOVE
    elif end.status.settled:
        kind = Kind.SETTLED
    else:
        wins = wins_by_passing(end.game, end.color, end.status)
        kind = Kind.COUNT_WINS if wins else Kind.NO_GAIN
    return _effect(kind, end.color, PASS)


def _effect(kind: Kind, color: int, point: int, other: int = PASS) -> Effect:
    return Effect(kind, 0.0, (), color, (point, other))


def game_for_points(game: Game, color: int, status: FinalStatus) -> Game:
    """Return the same position as a game that a color wins if it gains two points or more.

    In a game long won or lost a search plays anything, so a komi makes the points decide. The
    game has area rules, under which playing on costs nothing. One point alone may be dame, and
    unfinished borders bring another point each.
    """
    played, gain = game.copy(), 1.5 + len(status.unfinished)
    played.rules = replace(game.rules, scoring="area")
    played.komi += played.score(*status.counted) + (gain if color == BLACK else -gain)
    return played


def rather_than_lose(decision: Decision, needed: MoveBelief | None, color: int) -> Decision:
    """Return a decision, or the best move that costs a point if much more is lost without it."""
    if needed is None:
        return decision
    best = next(move for move in decision.candidates if move.point == decision.point)
    if needed.won < best.won + PASSING.needed:
        return decision
    why = _effect(Kind.DEFENDS_GROUND, color, needed.point, best.point)
    moves = needed, *decision.candidates
    rate = needed.win_rate
    return decision._replace(point=needed.point, win_rate=rate, why=(why,), candidates=moves)
