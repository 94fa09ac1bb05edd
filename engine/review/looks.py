"""What searches say of positions, as observations of the chance to win and of the lead.

Every search starts from nothing, so that what two of them find is independent; their systematic
errors are not, hence the deviations below, chosen so that what is said of mistakes comes true about
as often as it says (``scripts.check.mistakes``, 9x9 and 19x19).
"""

import threading
from dataclasses import replace
from statistics import NormalDist
from typing import NamedTuple

from engine.go.board import BLACK, Ownership
from engine.go.geometry import PASS
from engine.go.history import Game
from engine.go.symmetry import orbit, symmetries_of
from engine.path.losses import Observation, observed, times
from engine.player import Player
from engine.player_options import PlayerOptions
from engine.review.equal_moves import share_evidence
from engine.search.knowledge import Knowledge
from engine.thinkers.decision import Decision

WIN, LEAD = 0, 1  # the tracks: probit of Black's chance to win; Black's lead in points
LONGER = 4  # times the playouts, for moves that look like mistakes; again for those that still do
SURER = 0.85  # times the systematic deviations, where two moves are compared longer still
SURE = 2.0**-8  # chances nearer to 0 or 1 count as this
BIAS = (0.3, 4.0)  # deviations of what is systematic, by track
COUNTED_DEVIATIONS = (0.1, 1.0)  # all deviations of a position that was counted, not searched

_NORMAL = NormalDist()


class Stopped(Exception):  # noqa: N818 - nothing went wrong
    """A review was ended from outside."""


def pair_bias(size: int) -> tuple[float, float]:
    """Return the deviations of what is systematic when two moves of one position are compared."""
    return 0.2, 3.5 + 0.1 * max(size - 9, 0)


class PositionLook(NamedTuple):
    """What one search says of a position.

    decision   the mover's; candidates that a symmetry makes equal are one
    seen       by track, Black's: probit, points; without the systematic error
    ownership  (AREA,) -1 White .. 1 Black
    """

    color: int
    decision: Decision
    seen: tuple[Observation, Observation]
    ownership: Ownership

    @property
    def counted(self) -> bool:
        """Whether the position was counted, not searched."""
        return not self.decision.candidates


class Comparison(NamedTuple):
    """A move beside the one that a long search prefers; None if it prefers the same.

    losses       by track, what the move lost against the better one, the mover's
    after        look at the position after the move, as long; None if there is no better one
    alternative  look at the position after the better move
    known        what was proved of the better move before any roll-out; vain: of the move itself
    """

    better: int | None
    losses: tuple[Observation, Observation]
    after: PositionLook | None = None
    alternative: PositionLook | None = None
    known: str = ""
    vain: str = ""


class Lookout:
    """Looks at positions, quickly or long.

    options  of the quick searches; the long ones have LONGER times the playouts
    stop     when set, the next look raises Stopped
    """

    def __init__(
        self, options: PlayerOptions, knowledge: Knowledge, stop: threading.Event | None = None
    ) -> None:
        # A review wants an opinion of lost positions as well.
        quick = replace(options, resign_percent=None)
        self._quick = Player(quick, knowledge)
        self._long, self._longest = (
            Player(replace(quick, playouts=times_longer * (options.playouts or 0)), knowledge)
            for times_longer in (LONGER, LONGER**2)
        )
        self._stop = stop or threading.Event()

    def look(self, game: Game) -> PositionLook:
        """Look at a position quickly."""
        return self._look(self._quick, game)

    def compare(self, game: Game, played: int) -> Comparison:
        """Look long at a position, and at those after a move and after the best one."""
        symmetries = symmetries_of(game)
        decision = self._look(self._long, game).decision
        best = decision.point
        if orbit(best, game.size, symmetries) == orbit(played, game.size, symmetries):
            win, lead = (observed(0.0, 2.0 * bias**2) for bias in pair_bias(game.size))
            return Comparison(None, (win, lead))
        return self.compare_with(game, played, best)._replace(
            known=decision.known.get(best, ""), vain=decision.known.get(played, "")
        )

    def compare_with(self, game: Game, played: int, best: int) -> Comparison:
        """Look long at the positions after a move and after a better one.

        Both are searched as long, with the same side to move: what such searches get wrong, they
        mostly get wrong alike.
        """
        return self._compared(self._long, game, played, best)

    def compare_again(self, game: Game, played: int, found: Comparison) -> Comparison:
        """Compare a move with the same better one once more and longer; both comparisons count."""
        if found.better is None:
            return found
        again = self._compared(self._longest, game, played, found.better, SURER)
        win, lead = (
            times(one, other) for one, other in zip(found.losses, again.losses, strict=True)
        )
        return again._replace(losses=(win, lead), known=found.known, vain=found.vain)

    def _compared(
        self, player: Player, game: Game, played: int, best: int, surer: float = 1.0
    ) -> Comparison:
        after = self._look(player, after_move(game, played))
        alternative = self._look(player, after_move(game, best))
        sign = 1 if game.to_play == BLACK else -1
        biases = (surer * bias for bias in pair_bias(game.size))
        win, lead = (
            observed(sign * (better.mean - worse.mean), 1.0 / better.pi + 1.0 / worse.pi + bias**2)
            for better, worse, bias in zip(alternative.seen, after.seen, biases, strict=True)
        )
        return Comparison(best, (win, lead), after, alternative)

    def _look(self, player: Player, game: Game) -> PositionLook:
        if game.passes >= 2:
            status = player.status(game)
            if status.clear:
                return _counted(game, player.final_score(game), status.ownership)
        # From nothing: what the tree remembers of the position before is no new evidence.
        player.new_game()
        deliberation = player.deliberate(game, game.to_play, stop=self._stop)
        *_, report = deliberation
        if self._stop.is_set():
            raise Stopped
        shared = share_evidence(deliberation.decision, game)
        deviation = report.margin_deviation / max(report.playouts, 1) ** 0.5
        return PositionLook(
            game.to_play,
            shared,
            _observations(shared, game.to_play, report.margin, deviation),
            report.ownership,
        )


def after_move(game: Game, point: int) -> Game:
    """Return the game after one more move of the side to move."""
    after = game.copy()
    after.play(game.to_play, point)
    return after


def _counted(game: Game, margin: float, ownership: Ownership) -> PositionLook:
    """Return the look at a game that is over, where a search would play on."""
    own = margin if game.to_play == BLACK else -margin
    rate = 1.0 if own > 0.0 else 0.5 if own == 0.0 else 0.0
    decision = Decision(PASS, False, "the game is over", rate, 0)
    return PositionLook(
        game.to_play, decision, _observations(decision, game.to_play, margin, 0.0), ownership
    )


def _observations(
    decision: Decision, color: int, margin: float, deviation: float
) -> tuple[Observation, Observation]:
    """Return Black's probit and lead as a search observed them.

    margin  Black's, of the whole search; deviation: of its mean
    """
    sign = 1 if color == BLACK else -1
    rate = min(max(decision.win_rate, SURE), 1.0 - SURE)
    probit = _NORMAL.inv_cdf(rate)
    if not decision.candidates:
        return observed(sign * probit, COUNTED_DEVIATIONS[WIN] ** 2), observed(
            margin, COUNTED_DEVIATIONS[LEAD] ** 2
        )
    best = decision.candidates[0]
    # The deviation of a win rate is the probit's times the density there.
    spread = best.win_rate_deviation / _NORMAL.pdf(probit)
    return (
        observed(sign * probit, max(spread, 1e-3) ** 2),
        observed(sign * best.margin, max(deviation, 1e-2) ** 2),
    )
