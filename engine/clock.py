"""The game clock: what the time settings are, what is left, and what one move may take.

Kinds of overtime after the main time: none (absolute), Canadian (a period for a number of stones),
byo-yomi (some periods, each of which starts anew when a move was made within it); or, with
Fischer's clock, none but an increment after every move. The clock runs by itself, since some
controllers never say what is left, and believes them when they do. All times are seconds; negative
ones, which controllers do send, count as zero.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

LONGEST_MOVE_SECONDS = 3600.0  # however large the clock: waits take no larger numbers everywhere
# Overstepping a period once loses the game; a tenth covers what lag_seconds does not.
_OVERTIME_SHARE = 0.9  # of an overtime period's move; the rest is a reserve
_LONG_GAME_MOVES = 0.25  # own moves a point that a game may go on for when it should be over
_PATIENCE = 3.0  # a hard move may take so many times its share
_PLAN_KEPT = 0.7  # of what equal shares would leave, so much stays after a hard move
_MAIN_TIME_SHARE = 0.25  # no move takes more than this of what is left without overtime behind it
_OVERRUN_KEPT = 0.8  # of what a move took beyond its time, so much is feared of the next one
_LATE_RESERVE = 0.4  # of what is left, so much at most is reserved for that in a long game
_OVERRUN_SHARE = 0.75  # of a move's time, so much at most is kept free for that


class Overtime(Enum):
    """What comes after the main time; NO_LIMIT: there is no clock at all."""

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
    most_main: float = math.inf  # increments add up to no more
    longest_move: float = LONGEST_MOVE_SECONDS


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What one side has left: main time, then the current overtime period.

    count  stones still to be played in a Canadian period, or byo-yomi periods left
    """

    main_seconds: float
    period_seconds: float
    count: int


class Allotment(NamedTuple):
    """The seconds of thinking that one move may take.

    share  what it gets if all moves are treated alike
    most   what a hard move may take; the same as ``share`` where time not used is lost
    """

    share: float
    most: float

    def longest(self, patient: bool) -> float:
        """Return the seconds after which the move is made: a patient player's may take the most."""
        return self.most if patient else self.share


class Clock:
    """The clock of both sides.

    lag_seconds  what a move costs beyond its thinking: pipes, network, a slow controller
    now          a monotonic clock in seconds
    Moves that take longer than they were to, on a machine that is busy with something else, make
    the lag of the next ones larger.
    """

    def __init__(self, lag_seconds: float = 0.0, now: Callable[[], float] = time.monotonic) -> None:
        self.lag_seconds = max(0.0, lag_seconds)
        self._now = now
        self._settings = _Settings()
        self._assumed = True  # nobody has said what the settings are
        self._left: dict[int, TimeLeft] = {}
        self._running: tuple[int, float] | None = None  # color, started at
        self._before: dict[int, float] = {}  # seconds of a side's turn before its clock was started
        self._expected = math.inf  # when the running move is to be made
        self._overrun = 0.0  # seconds that moves took beyond that lately

    # -- settings -----------------------------------------------------------------------------

    @property
    def overtime(self) -> Overtime:
        """The kind of clock that is set."""
        return self._settings.overtime

    @property
    def is_limited(self) -> bool:
        """Whether there is a clock at all."""
        return self.overtime is not Overtime.NO_LIMIT

    def set_no_limit(self) -> None:
        """Take the clock away."""
        self._set(_Settings())

    def set_absolute(self, main_seconds: float) -> None:
        """Set a main time with nothing after it."""
        self._set(_Settings(Overtime.ABSOLUTE, _sane(main_seconds)))

    def set_canadian(self, main_seconds: float, period_seconds: float, stones: int) -> None:
        """Set a main time, then ``period_seconds`` for every ``stones`` stones.

        A period without stones means no limit (GTP 2 draft, time_settings), and so does a clock
        of nothing but zeros, which no one can have meant otherwise.
        """
        main, period = _sane(main_seconds), _sane(period_seconds)
        if period > 0 and stones > 0:
            self._set(_Settings(Overtime.CANADIAN, main, period, stones))
        elif period > 0 or main == 0:
            self.set_no_limit()
        else:
            self.set_absolute(main)

    def set_byo_yomi(self, main_seconds: float, period_seconds: float, periods: int) -> None:
        """Set a main time, then ``periods`` periods for one move each; none of them: absolute."""
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
        longest_move: float = LONGEST_MOVE_SECONDS,
    ) -> None:
        """Set a main time that grows by an increment after each move.

        most_main     increments do not let it grow beyond this
        longest_move  no move takes longer
        """
        main, added = _sane(main_seconds), _sane(increment)
        most, longest = max(most_main, main), min(_sane(longest_move), LONGEST_MOVE_SECONDS)
        self._set(_Settings(Overtime.FISCHER, main, 0.0, 0, added, most, longest))

    def restart(self) -> None:
        """Give both sides their full time back: a new game under the same settings."""
        self._left = {}
        self._running = None
        self._before = {}
        if self._assumed:  # from what was left in the last game
            self._settings = _Settings()

    def _set(self, settings: _Settings) -> None:
        self._settings = settings
        self._assumed = False
        self.restart()

    # -- what is left -------------------------------------------------------------------------

    def left(self, color: int) -> TimeLeft:
        """Return what a side has left, the move being thought about not counted."""
        s = self._settings
        return self._left.get(color, TimeLeft(s.main_seconds, s.period_seconds, s.count))

    def set_left(self, color: int, seconds: float, count: int) -> None:
        """Believe a controller: ``count`` 0 is main time, else stones or periods left.

        A time longer than a whole period can only be main time, whatever the count says; taking
        it for overtime made another engine think for half an hour about its first move.
        Without settings, what is left says what they are: ``seconds`` of main time, or for
        ``count`` stones. Nothing but zeros, then, means no clock.
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

    def start(self, color: int) -> None:
        """Start a side's clock; what ran before is forgotten."""
        self._running = (color, self._now() - self._before.pop(color, 0.0))

    def expect(self, seconds: float) -> None:
        """Say how long the running move is to be thought about, from now on."""
        self._expected = self._now() + seconds

    def count_before(self, color: int, seconds: float) -> None:
        """Count some time as the side's next move's, which began before its clock is started.

        What a controller says is left, later, has it counted already.
        """
        self._before[color] = max(0.0, seconds)

    def stop(self, charge: bool = True) -> float:
        """Stop the running clock, charge the time to its side unless told not to, return it."""
        if self._running is None:
            return 0.0
        color, started = self._running
        self._running = None
        now = self._now()
        spent = max(0.0, now - started)
        self._overrun = max(now - self._expected, _OVERRUN_KEPT * self._overrun)
        self._expected = math.inf
        if charge:
            self._charge(color, spent)
        return spent

    def _charge(self, color: int, spent: float) -> None:
        s, left = self._settings, self.left(color)
        over = spent - left.main_seconds
        if s.overtime is Overtime.NO_LIMIT:
            return
        if s.overtime is Overtime.FISCHER:
            main = min(max(0.0, -over) + s.increment, s.most_main)
            self._left[color] = TimeLeft(main, left.period_seconds, left.count)
        elif over < 0 or s.overtime is Overtime.ABSOLUTE:
            self._left[color] = TimeLeft(max(0.0, -over), left.period_seconds, left.count)
        elif s.overtime is Overtime.CANADIAN:
            period, stones = left.period_seconds - over, left.count - 1
            if period <= 0 or stones <= 0:  # a new period; or lost, and then it does not matter
                period, stones = s.period_seconds, s.count
            self._left[color] = TimeLeft(0.0, period, stones)
        else:
            used_up = 0
            # Within a period nothing is used up: it starts anew for the next move.
            if over >= left.period_seconds:
                used_up = 1 + int((over - left.period_seconds) // s.period_seconds)
            self._left[color] = TimeLeft(0.0, s.period_seconds, max(1, left.count - used_up))

    # -- one move -----------------------------------------------------------------------------

    def allot(self, color: int, size: int, move_number: int) -> Allotment | None:
        """Return the seconds of thinking that this move may take, from now on; None: no limit.

        size         points a side
        move_number  moves played so far, of both sides
        The time that the side's clock already runs is taken off. Never more than is safe, and
        zero when there is no time to think at all.
        """
        if self._settings.overtime is Overtime.NO_LIMIT:
            return None
        already = 0.0
        if self._running is not None and self._running[0] == color:
            already = max(0.0, self._now() - self._running[1])
        left = self.left(color)
        main = left.main_seconds - already
        # What the running move has taken beyond the main time comes off its period.
        overtime = self._overtime_move(left, -min(0.0, main))
        main = max(0.0, main)
        moves = _own_moves_left(size, move_number)
        if overtime > 0:  # every move has this much anyway, the main time comes on top
            share = overtime + main / moves
            most = overtime + min(_PATIENCE * main / moves, main)
        else:
            # Lag for moves after the game should be over: this time has nothing behind it.
            long_game = size * size * _LONG_GAME_MOVES
            reserve = min(main / 2, self.lag_seconds * long_game)
            # What moves take beyond their time is sure to be needed, as lag need not be.
            late = max(0.0, self._overrun - self.lag_seconds)
            reserve += min(_LATE_RESERVE * main, late * long_game)
            # An increment comes after the move: it may be counted on, but is not there yet.
            each = (main - reserve) / moves + _OVERTIME_SHARE * self._settings.increment
            share = min(each, main * _MAIN_TIME_SHARE)
            plan = self._settings.main_seconds * (moves - 1) / _own_moves_left(size, 0)
            patience = (
                _PATIENCE if share > 4.0 * self.lag_seconds else 1.0
            )  # in a hurry, lag is all
            most = max(share, min(patience * share, main - _PLAN_KEPT * plan))
        return Allotment(self._without_lag(share), self._without_lag(most))

    def _without_lag(self, seconds: float) -> float:
        # However long some move took, some time to think is left to the next one.
        lag = max(self.lag_seconds, min(self._overrun, _OVERRUN_SHARE * seconds))
        return min(max(0.0, seconds - lag), self._settings.longest_move)

    def _overtime_move(self, left: TimeLeft, already: float) -> float:
        """Return the seconds that overtime gives to one move, zero if there is none."""
        period = max(0.0, left.period_seconds - already)
        if self._settings.overtime is Overtime.CANADIAN:
            return _OVERTIME_SHARE * period / max(1, left.count)
        if self._settings.overtime is Overtime.BYO_YOMI:
            return _OVERTIME_SHARE * period
        return 0.0


def _sane(seconds: float) -> float:
    """Return a time as it can be reckoned with: not negative, in whole milliseconds."""
    return max(0.0, round(seconds, 3))


def _own_moves_left(size: int, move_number: int) -> float:
    """Return a guess, on the high side, of how many moves a player has still to make.

    A game takes about three moves for four points; a long one goes on, so there are always some.
    """
    points = size * size
    return max((0.75 * points - move_number) / 2, points / 16, 2.0)
