"""The observations of a search about a position: the chance to win and the lead.

Every search starts from nothing, on one thread, with a seed of its own. So it depends on its
request alone, and a review is the same with any number of threads.
"""

import math
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from statistics import NormalDist
from typing import NamedTuple

from engine.belief.knowledge import Knowledge
from engine.belief.losses import Observation, observed
from engine.belief.report import SearchReport
from engine.belief.root_moves import MoveBelief
from engine.explain.kinds import Effect, Kind
from engine.facts.chain_facts import ChainFacts
from engine.gaussian import NINETY_PERCENT
from engine.go.board import BLACK, Ownership
from engine.go.geometry import PASS, board_points
from engine.go.history import Game
from engine.player.decision import Decision, decide
from engine.player.options import PlayerOptions
from engine.player.player import Player
from engine.player.prior_steps import reading_budget

WIN, LEAD = 0, 1  # the tracks: probit of Black's chance to win; Black's lead in points


class LookModel(NamedTuple):
    """The errors of a position's search in a review, and its roll-outs."""

    sure: float = 2.0**-8  # chances nearer to 0 or 1 count as this
    # Deviations of the systematic error of a position, by track. Chosen, not fitted: more than
    # twice those of a comparison, whose searches have the same side to move and mostly err alike.
    bias: tuple[float, float] = (0.6, 7.0)
    # Most deviation of a count that is believed [points]: a mistaken fate of two stones
    surely_counted: float = 4.0
    # Least deviations, by track, of a position that was counted
    counted_deviations: tuple[float, float] = (0.1, 1.0)
    # Least share of a move's roll-outs in its line: then 44 of 51 lines lose no 3 points, uncut 23
    line_share: float = 0.6
    line_rollouts: int = 30  # their least number
    least_reach: float = 0.5  # [points]; no lead is more certain, counted or not
    # Roll-outs of the first look at a position, where the options name none: on 19x19. On smaller
    # boards they grow with this power of the lines, up to a limit.
    playouts: int = 500
    growth: float = 2.4
    most_playouts: int = 4000


LOOKS = LookModel()
_NORMAL = NormalDist()


class Stopped(Exception):  # noqa: N818 - nothing went wrong
    """A review was ended from outside."""


class LookRequest(NamedTuple):
    """A position that is to be searched."""

    game: Game
    playouts: int
    seed: int  # of the random numbers: two searches of a position with one seed are the same search
    moves: frozenset[int] | None = None  # the only moves that are considered; None: all
    # Black's lead [points] that counts as none, in whole points. Searches look for wins, so once a
    # game is decided they do not care for points. A game that is over is counted as it is.
    even: int = 0


class PositionLook(NamedTuple):
    """The findings of one search about a position."""

    color: int
    decision: Decision  # the mover's
    # By track, Black's: probit (of more than the lead that counts as none), points; without the
    # systematic error
    observations: tuple[Observation, Observation]
    ownership: Ownership  # (AREA,) -1 White .. 1 Black
    deviation: float  # of the game's final margin; 0: the game is over, and no fate is in doubt
    reach: float  # half of the 90 % interval of the lead [points]

    @property
    def counted(self) -> bool:
        """Whether the game is over, and was counted instead of searched."""
        return not self.decision.candidates


class Lookout:
    """Searches positions, several at a time, until ``stop`` is set.

    options  ``playouts`` are those of the first look at a position; None: as many as suit the board
    """

    def __init__(
        self, options: PlayerOptions, knowledge: Knowledge, stop: threading.Event | None = None
    ) -> None:
        self.seed = options.seed or 0
        self.threads = options.thread_count
        self.knowledge = knowledge
        # A review wants an opinion of lost positions as well.
        self._options = replace(
            options,
            resign_percent=None,
            threads=1,
            memory_mib=max(8, options.memory_mib // self.threads),
        )
        self._local = threading.local()
        self._stop = stop or threading.Event()
        self.reader = self._new_player()  # for facts; it never searches

    def playouts(self, size: int) -> int:
        """Return the roll-outs of the first look at a position on a board of some size."""
        usual = int(LOOKS.playouts * (19 / size) ** LOOKS.growth)
        return self._options.playouts or min(usual, LOOKS.most_playouts)

    def look_all(self, requests: Sequence[LookRequest]) -> list[PositionLook]:
        """Return what searches find, in the order of the requests. Raises Stopped."""
        if self.threads == 1 or len(requests) < 2:
            return [self.look(request) for request in requests]
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(self.look, requests))

    def look(self, request: LookRequest) -> PositionLook:
        """Return what a search of one position finds. Raises Stopped."""
        if not hasattr(self._local, "player"):
            self._local.player = self._new_player()
        player: Player = self._local.player
        if self._stop.is_set():
            raise Stopped
        game, color = request.game, request.game.to_play
        if game.is_over:
            (report,) = player.analyze(game, color, math.inf, self._stop)
            if report.posterior.deviation <= LOOKS.surely_counted:
                return _counted(game, report, player.status(game).ownership)
            # The count of a game with fates in doubt may be false. So it is searched as if the last
            # pass did not end it.
            game = game.copy()
            game.undo()
            game.set_to_play(color)
        if request.even:
            game = game.copy()
            game.komi += request.even
        # From nothing: the tree of the position before is no new evidence.
        player.new_game(self.seed + request.seed)
        player.set_options(replace(player.options, playouts=request.playouts))
        avoid: frozenset[int] = frozenset()
        if request.moves is not None:
            avoid = frozenset([*board_points(game.size), PASS]) - request.moves
        # A game that goes on is searched even if all seems settled: the status of a group may be
        # wrong, and a count would claim to be exact.
        *_, report = player.analyze(
            game, game.to_play, math.inf, self._stop, avoid, playouts=request.playouts
        )
        decision = decide(report, game.to_play)
        decision = decision._replace(candidates=tuple(map(_backed, decision.candidates)))
        if self._stop.is_set():
            raise Stopped
        deviation = report.margin_deviation / max(report.playouts, 1) ** 0.5
        win, lead = _observations(decision, game.to_play, report.margin, deviation)
        return PositionLook(
            color=game.to_play, decision=decision,
            observations=(win, observed(lead.mean + request.even, 1.0 / lead.pi)),
            ownership=report.ownership, deviation=report.posterior.deviation,
            reach=max(report.posterior.reach, LOOKS.least_reach),
        )  # fmt: skip

    def chains(self, game: Game) -> list[ChainFacts]:
        """Return what is proved of the chains of a position."""
        budget = reading_budget(game.size, self.playouts(game.size))
        return self.reader.facts.chains(game.board, budget)

    def _new_player(self) -> Player:
        return Player(self._options, self.knowledge)


def _backed(move: MoveBelief) -> MoveBelief:
    """Return a candidate with its line as far as many of its roll-outs follow it."""
    least = max(LOOKS.line_share * move.playouts, LOOKS.line_rollouts)
    return move._replace(line=move.line[: max(sum(n >= least for n in move.line_visits), 1)])


def after_move(game: Game, point: int) -> Game:
    """Return the game after one more move of the side to move, as if no pass ended it."""
    after = game.copy()
    after.play(game.to_play, point, forced=True)  # a record may force a move (KO)
    if after.is_over:
        after.undo()
        after.set_to_play(3 - game.to_play)
    return after


def _counted(game: Game, report: SearchReport, ownership: Ownership) -> PositionLook:
    """Return the look at a game that is over, as it is counted; a search would play on."""
    decision = Decision(PASS, False, (Effect(Kind.GAME_OVER, 0.0),), report.moves[0].win_rate, 0)
    margin, deviation = report.margin, report.posterior.deviation
    observations = _observations(decision, game.to_play, margin, deviation)
    return PositionLook(
        color=game.to_play, decision=decision, observations=observations, ownership=ownership,
        deviation=deviation, reach=max(NINETY_PERCENT * deviation, LOOKS.least_reach),
    )  # fmt: skip


def _observations(
    decision: Decision, color: int, margin: float, deviation: float
) -> tuple[Observation, Observation]:
    """Return Black's probit and lead as a search observed them, with the deviation of a margin."""
    sign = 1 if color == BLACK else -1
    if not decision.candidates:
        # A counted game is won or lost. Where the count is in doubt, it does not say which.
        rate, surest = decision.win_rate, _NORMAL.inv_cdf(1.0 - LOOKS.sure)
        errors = 2.0 * surest * math.sqrt(rate * (1.0 - rate)), deviation
        win, lead = map(max, LOOKS.counted_deviations, errors)
        return observed(sign * surest * (2.0 * rate - 1.0), win**2), observed(margin, lead**2)
    rate = min(max(decision.win_rate, LOOKS.sure), 1.0 - LOOKS.sure)
    probit = _NORMAL.inv_cdf(rate)
    best = decision.candidates[0]
    # The deviation of a win rate is the probit's times the density there.
    spread = best.win_rate_deviation / _NORMAL.pdf(probit)
    return (
        observed(sign * probit, max(spread, 1e-3) ** 2),
        observed(sign * best.margin, max(deviation, 1e-2) ** 2),
    )


def widened(observation: Observation, bias: float) -> Observation:
    """Return an observation with a systematic error of some deviation added."""
    return observed(observation.mean, 1.0 / observation.pi + bias**2)
