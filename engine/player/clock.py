"""The game clock: the time settings, the remaining time, and the time for one move [seconds].

The clock runs by itself, unless a controller sends the remaining time.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from engine.explain.kinds import Kind


class TimeModel(NamedTuple):
    """How the time of a game is shared among its moves [seconds, shares]."""

    longest_move_seconds: float = 3600.0  # some platforms' waits take no larger numbers
    # Overstepping a period once loses the game. A tenth covers what lag_seconds does not.
    overtime_share: float = 0.9  # of an overtime period's move; the rest is a reserve
    least_reserve: float = 0.2  # of a period: on a busy machine a search ends up to 0.1 s late
    # An opening on a large board takes little time: in own games on 19x19 moves up to the 20th lose
    # 0.2 points, up to the 60th 1.1, later ones 2.2. With little time up to the 100th, those from
    # the 40th on lost more.
    opening_board: int = 19  # smallest such board
    opening_pace: float = 0.15  # time of an opening move, where a later one takes 1
    # Moves per point up to which it is an opening, and wholly over
    opening_parts: tuple[float, float] = (0.06, 0.16)
    long_game_moves: float = 0.25  # own moves per point that are allowed for late in a game
    patience: float = 3.0  # a hard move may take this many times its share
    plan_share: float = 0.7  # of the time planned for later moves, left by a hard move
    main_time_share: float = 0.25  # of the rest, most for one move without overtime
    expected_overrun: float = 0.8  # share of a move's overrun expected of the next one
    late_reserve: float = 0.4  # of the rest, most reserved for overruns in a long game
    overrun_share: float = 0.75  # of a move's time, most kept free for overruns
    # Surveys, reading and the report of a move on 19x19 take 30 to 60 ms; the search needs as much.
    # In less time the ranking model moves alone.
    search_seconds: float = 0.06
    search_board: int = 19  # lines of this board; smaller ones need less time, by their points
    first_instant: float = 0.02  # of a move without a search, before one was measured
    instant_news: float = 0.1  # weight of the latest such move in the mean of all


TIMING = TimeModel()


class Overtime(Enum):
    """The kind of overtime after the main time; NO_LIMIT: there is no clock."""

    NO_LIMIT = "no limit"
    ABSOLUTE = "absolute"
    CANADIAN = "canadian"
    BYO_YOMI = "byo-yomi"
    FISCHER = "fischer"


@dataclass(frozen=True, slots=True)
class _Settings:
    overtime: Overtime = Overtime.NO_LIMIT
    main_seconds: float = 0.0
    period_seconds: float = 0.0
    count: int = 0  # stones of a Canadian period, or number of byo-yomi periods
    increment: float = 0.0  # seconds, after each move
    most_main: float = math.inf  # limit of the main time after increments
    longest_move: float = TIMING.longest_move_seconds


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The remaining time of one side; count as in ``_Settings``, of the current period."""

    main_seconds: float
    period_seconds: float
    count: int


class Allotment(NamedTuple):
    """The seconds of thinking that one move may take; zero if there is no time for a search."""

    share: float  # time of this move if all of its phase are treated alike
    most: float  # limit for a hard move; the same as ``share`` if unused time is lost
    cause: Kind = Kind.NO_TIME  # of doing without a search if there is no time for one


class MoveTime:
    """The running estimate of the time that a move without a search takes on this machine."""

    def __init__(self) -> None:
        self._mean, self._variance = TIMING.first_instant, 0.0

    @property
    def seconds(self) -> float:
        """The mean and one deviation: load that slows one move slows the next ones, too."""
        return self._mean + math.sqrt(self._variance)

    def observe(self, seconds: float) -> None:
        """Take one more move into account."""
        gap = seconds - self._mean
        self._mean += TIMING.instant_news * gap
        self._variance = (1.0 - TIMING.instant_news) * (
            self._variance + TIMING.instant_news * gap * gap
        )


class Clock:
    """The clock of both sides.

    lag_seconds  time of a move beyond its thinking: pipes, network, a slow controller
    On a busy machine moves may take longer than planned; they increase the lag of later ones. Time
    for all moves to come, played without a search, is never spent on a search.
    """

    def __init__(self, lag_seconds: float = 0.0, now: Callable[[], float] = time.monotonic) -> None:
        self.lag_seconds = max(0.0, lag_seconds)
        self._now = now
        self._settings = _Settings()
        self._assumed = True  # no controller has sent settings
        self._left: dict[int, TimeLeft] = {}
        self._running: tuple[int, float] | None = None  # color, start
        self._before: dict[int, float] = {}  # seconds of a side's turn before its clock was started
        self._expected: float | None = None  # planned time of the running move's end
        self._searches = True  # whether the running move is planned to take time at all
        self._instant = MoveTime()
        self._overrun = 0.0  # seconds that recent moves took beyond their plan

    # -- settings -----------------------------------------------------------------------------

    @property
    def overtime(self) -> Overtime:
        """The kind of clock in use."""
        return self._settings.overtime

    @property
    def is_limited(self) -> bool:
        """Whether there is a clock."""
        return self.overtime is not Overtime.NO_LIMIT

    def set_no_limit(self) -> None:
        """Remove the clock."""
        self._set(_Settings())

    def set_absolute(self, main_seconds: float) -> None:
        """Set a main time without overtime."""
        self._set(_Settings(Overtime.ABSOLUTE, _sane(main_seconds)))

    def set_canadian(self, main_seconds: float, period_seconds: float, stones: int) -> None:
        """Set a main time, then ``period_seconds`` for every ``stones`` stones.

        A period without stones means no limit (GTP 2 draft, time_settings), as do zeros alone.
        """
        main, period = _sane(main_seconds), _sane(period_seconds)
        if period > 0 and stones > 0:
            self._set(_Settings(Overtime.CANADIAN, main, period, stones))
        elif period > 0 or main == 0:
            self.set_no_limit()
        else:
            self.set_absolute(main)

    def set_byo_yomi(self, main_seconds: float, period_seconds: float, periods: int) -> None:
        """Set a main time, then ``periods`` periods for one move each; 0 periods: absolute."""
        main, period = _sane(main_seconds), _sane(period_seconds)
        if period > 0 and periods > 0:
            self._set(_Settings(Overtime.BYO_YOMI, main, period, periods))
        else:
            self.set_absolute(main)

    def set_fischer(
        self,
        main_seconds: float,
        increment: float,
        most_main: float = math.inf,
        longest_move: float = TIMING.longest_move_seconds,
    ) -> None:
        """Set a main time that grows, up to ``most_main``, by an increment after each move."""
        main, added = _sane(main_seconds), _sane(increment)
        most, longest = max(most_main, main), min(_sane(longest_move), TIMING.longest_move_seconds)
        fischer = Overtime.FISCHER
        self._set(_Settings(fischer, main, increment=added, most_main=most, longest_move=longest))

    def restart(self) -> None:
        """Reset both sides to their full time: a new game under the same settings."""
        self._left = {}
        self._running = None
        self._before = {}
        if self._assumed:  # the settings came from the remaining time in the last game
            self._settings = _Settings()

    def _set(self, settings: _Settings) -> None:
        self._settings = settings
        self._assumed = False
        self.restart()

    # -- remaining time -----------------------------------------------------------------------

    def left(self, color: int) -> TimeLeft:
        """Return a side's remaining time without the running move."""
        s = self._settings
        return self._left.get(color, TimeLeft(s.main_seconds, s.period_seconds, s.count))

    def set_left(self, color: int, seconds: float, count: int) -> None:
        """Take a controller's value: ``count`` 0 is main time, else stones or periods left.

        A time longer than a whole period can only be main time for any count. Taking it for
        overtime made another engine think for half an hour about its first move. Without settings,
        the remaining time gives them: of main time, or for ``count`` stones. Only zeros then mean
        no clock.
        """
        seconds = _sane(seconds)
        if self._assumed and (seconds > 0 or self.is_limited):
            if count > 0:
                self._settings = _Settings(Overtime.CANADIAN, 0.0, seconds, count)
            else:
                self._settings = _Settings(Overtime.ABSOLUTE, seconds)
        s = self._settings
        self._before.pop(color, None)
        # Some controllers send a count along with the main time.
        if count <= 0 or seconds > s.period_seconds:
            self._left[color] = TimeLeft(seconds, s.period_seconds, s.count)
        else:
            self._left[color] = TimeLeft(0.0, seconds, count)

    def start(self, color: int, already: float = 0.0) -> None:
        """Start a side's clock, ``already`` seconds ago, and discard an earlier run."""
        self._running = (color, self._now() - self._before.pop(color, 0.0) - already)

    def expect(self, seconds: float) -> None:
        """Set the planned thinking time of the running move, from now on; 0: no search."""
        self._expected, self._searches = self._now() + seconds, seconds > 0.0

    def count_before(self, color: int, seconds: float) -> None:
        """Charge time to the side's next move that began before its clock was started.

        A remaining time sent later by a controller already includes it.
        """
        self._before[color] = max(0.0, seconds)

    def stop(self, charge: bool = True) -> float:
        """Stop the running clock and return its time; charge it to its side unless told not to."""
        if self._running is None:
            return 0.0
        color, started = self._running
        self._running = None
        now = self._now()
        spent = max(0.0, now - started)
        self._overrun *= TIMING.expected_overrun
        if self._expected is not None and self._searches:
            self._overrun = max(now - self._expected, self._overrun)
        elif self._expected is not None:
            self._instant.observe(spent)
        self._expected = None
        if charge:
            self._charge(color, spent)
        return spent

    def _charge(self, color: int, spent: float) -> None:
        s, rest = self._settings, self.left(color)
        over = spent - rest.main_seconds
        if s.overtime is Overtime.NO_LIMIT:
            return
        if over < 0 or s.overtime in (Overtime.ABSOLUTE, Overtime.FISCHER):
            main = min(max(0.0, -over) + s.increment, s.most_main)
            self._left[color] = TimeLeft(main, rest.period_seconds, rest.count)
        elif s.overtime is Overtime.CANADIAN:
            period, stones = rest.period_seconds - over, rest.count - 1
            if period <= 0 or stones <= 0:  # a new period; or a loss, and the value is irrelevant
                period, stones = s.period_seconds, s.count
            self._left[color] = TimeLeft(0.0, period, stones)
        else:
            used_up = 0
            # A period is not used up by a move within it: it starts again for the next move.
            if over >= rest.period_seconds:
                used_up = 1 + int((over - rest.period_seconds) // s.period_seconds)
            self._left[color] = TimeLeft(0.0, s.period_seconds, max(1, rest.count - used_up))

    # -- one move -----------------------------------------------------------------------------

    def allot(self, color: int, size: int, move_number: int) -> Allotment | None:
        """Return the thinking time for this move in seconds, from now on; None: no limit.

        move_number  moves played so far, by both sides
        """
        if self._settings.overtime is Overtime.NO_LIMIT:
            return None
        already = 0.0
        if self._running is not None and self._running[0] == color:
            already = max(0.0, self._now() - self._running[1])
        rest = self.left(color)
        main = rest.main_seconds - already
        # Time that the running move took beyond the main time is subtracted from its period.
        overtime = self._overtime_move(rest, -min(0.0, main))
        main = max(0.0, main)
        pace, work = _pace(size, move_number), _work_left(size, move_number)
        moves = work / pace  # that many like this one would take all the time
        if overtime > 0:  # every move has this much; the main time is extra
            share = overtime + main / moves
            most = overtime + min(TIMING.patience * main / moves, main)
        else:
            # Time of moves after the game should be over: no overtime follows this time.
            long_game = size * size * TIMING.long_game_moves
            reserve = min(main / 2, self.lag_seconds * long_game)
            # Overruns will certainly occur. Lag may not.
            late = max(0.0, self._overrun - self.lag_seconds)
            reserve += min(TIMING.late_reserve * main, late * long_game)
            # The lag of a move is the same at any pace.
            to_come = _own_moves_left(size, move_number)
            # Every later move takes at least this time. It is certain, so nothing limits it.
            main -= min(main, self._instant.seconds * (long_game + to_come))
            reserve = min(reserve, main)
            lag = min(self.lag_seconds, (main - reserve) / to_come)
            each = lag + (main - reserve - lag * to_come) / moves
            # An increment comes after the move: it is certain, but not available yet.
            each += TIMING.overtime_share * self._settings.increment
            share = min(each, main * TIMING.main_time_share)
            plan = self._settings.main_seconds * (work - pace) / _work_left(size, 0)
            # In a hurry, only lag counts.
            patience = TIMING.patience if share > 4.0 * self.lag_seconds else 1.0
            most = max(share, min(patience * share, main - TIMING.plan_share * plan))
        share, most = self._without_lag(share), self._without_lag(most)
        if share < TIMING.search_seconds * (size / TIMING.search_board) ** 2:
            return Allotment(0.0, 0.0)
        return Allotment(share, most)

    def _without_lag(self, seconds: float) -> float:
        # Even after a very slow move, the next one gets some time to think.
        lag = max(self.lag_seconds, min(self._overrun, TIMING.overrun_share * seconds))
        return min(max(0.0, seconds - lag), self._settings.longest_move)

    def _overtime_move(self, rest: TimeLeft, already: float) -> float:
        """Return the seconds that overtime gives to one move; zero without overtime."""
        period = max(0.0, rest.period_seconds - already)
        usable = max(min(TIMING.overtime_share * period, period - TIMING.least_reserve), period / 2)
        if self._settings.overtime is Overtime.CANADIAN:
            return usable / max(1, rest.count)
        return usable if self._settings.overtime is Overtime.BYO_YOMI else 0.0


def _sane(seconds: float) -> float:
    """Return a usable time: not negative, in whole milliseconds."""
    return max(0.0, round(seconds, 3))


def _own_moves_left(size: int, move_number: int) -> float:
    """Return a guess, on the high side, of a player's number of remaining moves.

    A game takes about three moves for four points. A long one goes on, so the result is never 0.
    """
    points = size * size
    return max((0.75 * points - move_number) / 2, points / 16, 2.0)


def _pace(size: int, move_number: float) -> float:
    """Return the time of a move relative to a move late in the game; less in openings."""
    if size < TIMING.opening_board:
        return 1.0
    begin, end = TIMING.opening_parts
    over = min(max((move_number / size**2 - begin) / (end - begin), 0.0), 1.0)
    return TIMING.opening_pace + (1.0 - TIMING.opening_pace) * over


def _work_left(size: int, move_number: int) -> float:
    """Return the sum of the paces of a player's remaining moves."""
    moves = _own_moves_left(size, move_number)
    whole = int(moves)
    paces = [_pace(size, move_number + 2 * later) for later in range(whole + 1)]
    return sum(paces[:-1]) + (moves - whole) * paces[-1]
