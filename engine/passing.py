"""Second checks before a pass, which may end the game with points on the board.

When all seems settled, a last look searches for points (``LastLook``). When a thinker proposes a
pass, an equally good move is played instead. Moves that lose a point were not considered at first,
but one of them may be needed (``think_twice``).
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

# Settings of the search for a move instead of a pass, or inside settled ground: a few candidates
# are examined well.
ASIDE_PLAYOUTS = 64
# Settings of a last look for points before a pass: the number of roll-outs, its limit as a multiple
# of a move's, and the share to be won. They were measured before 206 passes on 9x9 with seven seeds
# each. Seven times the best move of either side won two points in more than 0.63 of the roll-outs
# with most of the seeds. Five of these are right, one is neutral, one is misjudged. Elsewhere it
# won them in less than 0.43.
LAST_PLAYOUTS = 3000
LAST_FACTOR = 3
LAST_SHARE = 0.55
# A move is played instead of a pass if it looks worse by at most this, in win rate and points. If
# all fates are clear, this is the noise of roll-outs. If one is in doubt, it is less than the value
# of a chain in seki.
CLEAR_DOUBT, CLEAR_SLACK = 0.1, 1.0
UNCLEAR_DOUBT, UNCLEAR_SLACK = 0.3, 5.0
LOST = 0.1  # win rate of a pass below which points are ignored if a fate is in doubt
# Roll-outs of some other move before the pass is preferred to it. A pass once gave
# points away with eight roll-outs: two or three of these were won.
LOOKED_AT = 32


class LastLook:
    """A search for points before a pass, when all seems settled.

    Roll-outs may agree on every owner and all miss a gain that takes several right moves.
    """

    def __init__(self) -> None:
        self._tried_at: int | None = None  # number of moves when one more was found

    def deliberate(
        self, thinker: Thinker, end: Endgame, limits: Limits, avoid: Set[int]
    ) -> Generator[SearchReport, None, Decision]:
        """Report the final status and pass, unless there are points to gain."""
        found = None if end.dead else self._find(thinker, end, limits, avoid)
        point = PASS if found is None else found.point
        report = report_of_fates(end.game, end.color, end.status, point)
        yield report
        reason = "the position is settled"
        if not end.status.settled:
            reason = "the opponent passed, and the count wins the game"
        if end.is_pointless:
            reason = "no sensible move is left"
        if found is not None:
            reason = (
                f"points are at stake: it wins them in {100 * found.won:.0f} % of the roll-outs"
            )
        return Decision(point, False, reason, report.moves[0].win_rate, 0)

    def _find(
        self, thinker: Thinker, end: Endgame, limits: Limits, avoid: Set[int]
    ) -> MoveBelief | None:
        """Return a move that gains points, or prevents the opponent's gain, if a search is sure."""
        game, color, status = end.game, end.color, end.status
        if game.passes > 0 and self._tried_at == len(game.moves) - 2:
            return None  # tried, and the opponent passed
        # Under territory rules a try costs a point if the opponent does not answer it.
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
    """Return the best move that is not a pass; None if there is none."""
    moves = sensible_moves(game, color) - avoid - {PASS}
    playouts = min(LAST_PLAYOUTS, LAST_FACTOR * (limits.playouts or LAST_PLAYOUTS))
    return thinker.glance(game, color, moves, playouts, limits)


def game_for_points(game: Game, color: int, status: FinalStatus) -> Game:
    """Return the same position as a game that a color wins if it gains two points or more.

    In a game long won or lost a search plays anything, so a komi makes the points decide. The
    game has area rules, under which playing on costs nothing. One point alone may be dame.
    status  of the position, which gives its present score
    """
    played = game.copy()
    played.rules = replace(game.rules, scoring="area")
    margin = played.score(status.dead_stones(), status.seki_stones())
    played.komi += margin + (1.5 if color == BLACK else -1.5)
    return played


def think_twice(
    thinker: Thinker, end: Endgame, limits: Limits, interval: float
) -> Generator[SearchReport, None, Decision]:
    """Let a thinker choose; if it passes, or wasteful moves were excluded, check once more.

    Reports and returns like ``Thinker.think``.
    """
    request = end.request()
    decision = yield from thinker.think(request, limits, interval)
    # Under area rules dame are points, and the roll-outs see them without help.
    if end.game.rules.scoring == "territory" and not end.dead:
        if passes_unlooked(decision) and request.moves != {PASS}:
            # If no move changes the winner, a search may examine only the pass.
            request = request._replace(moves=request.moves - {PASS})
            limits = Limits(ASIDE_PLAYOUTS, None, math.inf, limits.stopped)
            aside = yield from thinker.think(request, limits, interval)
            decision = beside_pass(decision, aside)
        decision = rather_than_pass(decision, end.status.clear)
    if end.wasteful:
        # Roll-outs do not see the cost of these moves, but may see that one of them is needed.
        in_time = limits._replace(deadline=math.inf)
        needed = thinker.glance(end.game, end.color, end.wasteful, ASIDE_PLAYOUTS, in_time)
        decision = rather_than_lose(decision, needed)
    return decision


def passes_unlooked(decision: Decision) -> bool:
    """Return whether a search chose a pass without examining another move well enough."""
    others = [move for move in decision.candidates if move.point != PASS]
    searched = len(others) < len(decision.candidates)
    unlooked = all(move.playouts < LOOKED_AT for move in others)
    return decision.point == PASS and searched and unlooked


def beside_pass(decision: Decision, aside: Decision) -> Decision:
    """Return a decision to pass with the candidates of a search of all other moves added."""
    passing = tuple(move for move in decision.candidates if move.point == PASS)
    others = tuple(move for move in aside.candidates if move.point != PASS)
    return decision._replace(
        candidates=passing + others,
        reasons={**aside.reasons, **decision.reasons},
        known={**aside.known, **decision.known},
    )


def rather_than_pass(decision: Decision, clear: bool) -> Decision:
    """Return the move to play instead of a pass while points are open: dame if nothing else.

    In a game that is won or lost, a pass looks as good as any move but ends it with points on the
    board. If a fate is in doubt, the opponent may count it differently. But a player is not forced
    to a move that loses much, as in a seki, unless the game is lost.
    clear  whether all fates are beyond doubt
    """
    if decision.point != PASS:
        return decision
    doubt, slack = (CLEAR_DOUBT, CLEAR_SLACK) if clear else (UNCLEAR_DOUBT, UNCLEAR_SLACK)
    passing = next(move for move in decision.candidates if move.point == PASS)
    # A threat for a ko that would have turned the game once cost eight points in roll-outs.
    lost = not clear and passing.won < LOST
    # Margins count as well: a win rate near 0 or 1 says nothing about points.
    for move in decision.candidates:
        as_good = move.won >= passing.won - doubt and move.won_by >= passing.won_by - slack
        if move.point != PASS and move.playouts >= LEAST_PLAYOUTS and (as_good or lost):
            return decision.instead(move, decision.reasons[move.point])
    return decision


def rather_than_lose(decision: Decision, needed: MoveBelief | None) -> Decision:
    """Return a decision, replaced by a move that costs a point if much more is lost without it.

    needed  the best of the moves that were excluded because they cost a point
    """
    if needed is None:
        return decision
    best = next(move for move in decision.candidates if move.point == decision.point)
    if needed.won < best.won + UNCLEAR_DOUBT:
        return decision
    rival = format_vertex(best.point)
    chance, against = f"{100 * needed.won:.0f} %", f"{100 * best.won:.0f} %"
    why = f"it wins {chance} of its roll-outs, and {rival} only {against}"
    return decision.instead(needed, why)._replace(
        candidates=(needed, *decision.candidates),
        reasons={**decision.reasons, needed.point: why},
    )
