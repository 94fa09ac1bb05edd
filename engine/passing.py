"""A pass is looked at twice, since it may end the game with points on the board.

Where all seems settled, a last look searches for points (``LastLook``). Where a thinker proposes a
pass, another move that is as good is played instead; where it was not asked about moves that cost a
point, one of them may be needed (``think_twice``).
"""

import math
from collections.abc import Generator, Set
from dataclasses import replace

from engine.endgame import Endgame, margin_of, report_of_fates, sensible_moves
from engine.facts.final_status import FinalStatus
from engine.go.board import BLACK
from engine.go.geometry import PASS, format_vertex
from engine.go.history import Game
from engine.search.report import SearchReport
from engine.search.root_moves import MoveBelief
from engine.thinkers.decision import LEAST_PLAYOUTS, Decision
from engine.thinkers.limits import Limits
from engine.thinkers.thinker import Thinker

# Of a look at what could be played instead of a pass, or inside settled ground: a few candidates
# are looked at well.
ASIDE_PLAYOUTS = 64
# Of a last look for points before a pass: roll-outs, but no more than so many times a move's, and
# the share of them to be won. Before 206 passes on 9x9 the best move of either side won two points
# in more than 0.63 of them seven times (five are right, one is neutral, one is misjudged), with
# most of seven seeds each; in less than 0.43 elsewhere.
LAST_PLAYOUTS = 3000
LAST_FACTOR = 3
LAST_SHARE = 0.55
# By how much a move may look worse than a pass and be played instead of it, in win rate and points:
# where all fates are clear, no more than roll-outs differ by chance; where one is in doubt, less
# than a chain in seki is worth.
CLEAR_DOUBT, CLEAR_SLACK = 0.1, 1.0
UNCLEAR_DOUBT, UNCLEAR_SLACK = 0.3, 5.0
LOST = 0.1  # win rate of a pass below which points do not count either where a fate is in doubt
# Of some move beside a pass, for the pass to be preferred to it: with eight, two or three of them
# won, a pass once gave points away.
LOOKED_AT = 32


class LastLook:
    """Looks for points where all seems settled, before a pass.

    Roll-outs that are sure who owns what may all miss what takes several right moves.
    """

    def __init__(self) -> None:
        self._tried_at: int | None = None  # after so many moves one more was found

    def deliberate(
        self, thinker: Thinker, end: Endgame, limits: Limits, avoid: Set[int]
    ) -> Generator[SearchReport, None, Decision]:
        """Report what the final status says, and pass, unless there are points to gain."""
        found = None if end.dead else self._find(thinker, end, limits, avoid)
        point = PASS if found is None else found.point
        report = report_of_fates(end.game, end.color, end.status, point)
        yield report
        reason = "no sensible move is left" if end.is_pointless else "the position is settled"
        if found is not None:
            reason = f"points are at stake: it wins them in {found.won:.0%} of the roll-outs"
        return Decision(point, False, reason, report.moves[0].win_rate, 0)

    def _find(
        self, thinker: Thinker, end: Endgame, limits: Limits, avoid: Set[int]
    ) -> MoveBelief | None:
        """Return a move that gains points, or keeps the opponent from it, if a search is sure."""
        game, color, status = end.game, end.color, end.status
        if game.passes > 0 and self._tried_at == len(game.moves) - 2:
            return None  # tried, and answered by a pass
        # By territory a try costs a point, where it is not answered.
        if game.rules.scoring == "area" or not 0 < margin_of(game, color, status) < 2:
            won = game_for_points(game, color, status)
            gain = _best_for_points(thinker, won, color, limits, avoid)
            if gain is not None and gain.won >= LAST_SHARE:
                return self._found(game, gain)
        lost = game_for_points(game, 3 - color, status)
        passed = lost.copy()
        passed.play(color, PASS)
        threat = _best_for_points(thinker, passed, 3 - color, limits)
        if threat is None or threat.won < LAST_SHARE:
            return None
        defense = _best_for_points(thinker, lost, color, limits, avoid)
        return self._found(game, defense) if defense is not None and defense.won >= 0.5 else None

    def _found(self, game: Game, move: MoveBelief) -> MoveBelief:
        self._tried_at = len(game.moves)
        return move


def _best_for_points(
    thinker: Thinker, game: Game, color: int, limits: Limits, avoid: Set[int] = frozenset()
) -> MoveBelief | None:
    """Return the best move that is no pass; None where there is none."""
    moves = sensible_moves(game, color) - avoid - {PASS}
    playouts = min(LAST_PLAYOUTS, LAST_FACTOR * (limits.playouts or LAST_PLAYOUTS))
    return thinker.glance(game, color, moves, playouts, limits)


def game_for_points(game: Game, color: int, status: FinalStatus) -> Game:
    """Return the same position as a game that a color wins where it gains two points or more.

    In a game long won or lost a search plays anything; so a komi makes the points decide. By area
    rules, where playing on costs nothing; one point may be a neutral one.
    status  of the position, which says what it counts as now
    """
    played = game.copy()
    played.rules = replace(game.rules, scoring="area")
    margin = played.score(status.dead_stones(), status.seki_stones())
    played.komi += margin + (1.5 if color == BLACK else -1.5)
    return played


def think_twice(
    thinker: Thinker, end: Endgame, limits: Limits, interval: float
) -> Generator[SearchReport, None, Decision]:
    """Let a thinker choose; where it passes, or leaves wasteful moves aside, look once more.

    Reports and returns as ``Thinker.think``.
    """
    request = end.request()
    decision = yield from thinker.think(request, limits, interval)
    # By area dame are points, and the roll-outs see them without help.
    if end.game.rules.scoring == "territory" and not end.dead:
        if passes_unlooked(decision) and request.moves != {PASS}:
            # Where nothing changes who wins, a search may take a pass for granted.
            request = request._replace(moves=request.moves - {PASS})
            limits = Limits(ASIDE_PLAYOUTS, None, math.inf, limits.stopped)
            aside = yield from thinker.think(request, limits, interval)
            decision = beside_pass(decision, aside)
        decision = rather_than_pass(decision, end.status.clear)
    if end.wasteful:
        # Roll-outs do not see what these moves cost, but may see that one of them is needed.
        in_time = limits._replace(deadline=math.inf)
        needed = thinker.glance(end.game, end.color, end.wasteful, ASIDE_PLAYOUTS, in_time)
        decision = rather_than_lose(decision, needed)
    return decision


def passes_unlooked(decision: Decision) -> bool:
    """Return whether a search chose a pass and looked at no other move well enough to judge it."""
    others = [move for move in decision.candidates if move.point != PASS]
    searched = len(others) < len(decision.candidates)
    unlooked = all(move.playouts < LOOKED_AT for move in others)
    return decision.point == PASS and searched and unlooked


def beside_pass(decision: Decision, aside: Decision) -> Decision:
    """Return a decision to pass with the candidates of a look at all other moves beside it."""
    passing = tuple(move for move in decision.candidates if move.point == PASS)
    others = tuple(move for move in aside.candidates if move.point != PASS)
    return decision._replace(
        candidates=passing + others,
        reasons={**aside.reasons, **decision.reasons},
        known={**aside.known, **decision.known},
    )


def rather_than_pass(decision: Decision, clear: bool) -> Decision:
    """Return what to play instead of a pass while points are open: dame, where nothing else is.

    In a game that is won or lost a pass looks as good as anything, and ends it with points on the
    board; where a fate is in doubt, as it is counted then, which the opponent may do otherwise.
    But no move is forced on a player that loses much by it, as in a seki, unless all is lost.
    clear  whether all fates are beyond doubt
    """
    if decision.point != PASS:
        return decision
    doubt, slack = (CLEAR_DOUBT, CLEAR_SLACK) if clear else (UNCLEAR_DOUBT, UNCLEAR_SLACK)
    passing = next(move for move in decision.candidates if move.point == PASS)
    # Once a threat for a ko that would have turned the game cost eight points in roll-outs.
    lost = not clear and passing.won < LOST
    # Margins as well: a win rate near 0 or 1 says nothing about points.
    for move in decision.candidates:
        as_good = move.won >= passing.won - doubt and move.won_by >= passing.won_by - slack
        if move.point != PASS and move.playouts >= LEAST_PLAYOUTS and (as_good or lost):
            return decision.instead(move, decision.reasons[move.point])
    return decision


def rather_than_lose(decision: Decision, needed: MoveBelief | None) -> Decision:
    """Return a decision, or instead a move that costs a point where much more is lost without it.

    needed  the best of the moves that were not thought about because they cost a point
    """
    if needed is None:
        return decision
    best = next(move for move in decision.candidates if move.point == decision.point)
    if needed.won < best.won + UNCLEAR_DOUBT:
        return decision
    why = f"won in {needed.won:.0%} of the roll-outs, {format_vertex(best.point)} in {best.won:.0%}"
    return decision.instead(needed, why)._replace(
        candidates=(needed, *decision.candidates),
        reasons={**decision.reasons, needed.point: why},
    )
