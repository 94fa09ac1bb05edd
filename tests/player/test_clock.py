"""The clock: its allotments and charges, and that no game is lost on time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.player.clock import TIMING, Clock, Overtime, TimeLeft

BLACK, WHITE = 1, 2


class Time:
    """A clock that tests move by hand."""

    def __init__(self):
        self.seconds = 1000.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def time():
    return Time()


def spend(clock, time, seconds, color=BLACK):
    clock.start(color)
    time.seconds += seconds
    clock.stop()


def set_clock(clock, kind, main, period, count):
    if kind == "absolute":
        clock.set_absolute(main)
    elif kind == "canadian":
        clock.set_canadian(main, period, count)
    elif kind == "fischer":
        clock.set_fischer(main, period)
    else:
        clock.set_byo_yomi(main, period, count)


def share(clock, color, size, move_number):
    return clock.allot(color, size, move_number).share


@pytest.mark.parametrize(
    ("settings", "overtime"),
    [
        ((0, 1, 0), Overtime.NO_LIMIT),  # how GoGui switches a clock off
        ((600, 30, 0), Overtime.NO_LIMIT),
        ((0, 0, 0), Overtime.NO_LIMIT),
        ((-5, -1, -2), Overtime.NO_LIMIT),
        ((600, 0, 0), Overtime.ABSOLUTE),
        ((600, 0, 5), Overtime.ABSOLUTE),
        ((0, 5, 1), Overtime.CANADIAN),
        ((600.5, 30, 10), Overtime.CANADIAN),
    ],
)
def test_the_meaning_of_time_settings(settings, overtime):
    clock = Clock()
    clock.set_canadian(*settings)
    assert clock.overtime is overtime
    assert (clock.allot(BLACK, 19, 0) is None) == (overtime is Overtime.NO_LIMIT)


def test_the_third_number_of_time_left_is_stones_in_canadian_overtime():
    clock = Clock()
    clock.set_canadian(600, 30, 5)
    clock.set_left(BLACK, 30, 5)
    assert share(clock, BLACK, 19, 100) == pytest.approx(0.9 * 30 / 5)


def test_time_already_running_is_taken_off(time):
    clock = Clock(now=time)
    clock.set_canadian(2, 10, 1)
    clock.start(BLACK)
    time.seconds += 4  # two of them from the overtime
    assert share(clock, BLACK, 9, 0) == pytest.approx(0.9 * 8)
    assert share(clock, WHITE, 9, 0) == pytest.approx(9 + 2 / 30.375)


@pytest.mark.parametrize("seconds", [0, -3, 0.4])
def test_almost_no_time_means_no_thinking(seconds):
    clock = Clock(lag_seconds=0.5)
    clock.set_absolute(300)
    clock.set_left(BLACK, seconds, 0)
    assert share(clock, BLACK, 19, 200) == 0


def test_fischer_time_grows_up_to_its_limits(time):
    clock = Clock(now=time)
    clock.set_fischer(60, 5, most_main=62, longest_move=3)
    spend(clock, time, 10)
    assert clock.left(BLACK) == TimeLeft(55.0, 0.0, 0)
    spend(clock, time, 0)
    spend(clock, time, 0)
    assert clock.left(BLACK).main_seconds == 62.0
    assert clock.allot(BLACK, 9, 0).most == 3.0
    clock.set_left(BLACK, 20, 0)
    spend(clock, time, 1)
    assert clock.left(BLACK).main_seconds == 24.0


def test_one_slow_move_is_forgotten(time):
    clock = Clock(lag_seconds=0.2, now=time)
    clock.set_canadian(0, 10, 1)
    usual = share(clock, BLACK, 9, 0)
    clock.start(BLACK)
    clock.expect(usual)
    time.seconds += usual + 30
    clock.stop()
    assert share(clock, BLACK, 9, 0) == pytest.approx(0.25 * 9)
    for _ in range(40):
        spend(clock, time, 1)
    assert share(clock, BLACK, 9, 0) == usual


settings_strategy = st.tuples(
    st.sampled_from(["absolute", "canadian", "byo-yomi", "fischer"]),
    st.floats(0, 1000),
    st.floats(1.5, 100),
    st.integers(1, 30),
)


@given(
    settings_strategy, st.sampled_from([9, 13, 19]), st.booleans(), st.floats(0, 0.1), st.booleans()
)
def test_never_loses_on_time(settings, size, told, overhead, patient):
    """Play a long game by the referee's own arithmetic; each move overshoots by the overhead."""
    kind, main, period, count = settings
    lag = 0.1
    if kind == "canadian" and period / count < 2 * lag:
        return  # no time to answer at all
    time = Time()
    clock = Clock(lag_seconds=lag, now=time)
    main = max(main, size * size * lag) if kind == "absolute" else main
    main = max(main, 5 * lag) if kind == "fischer" else main
    set_clock(clock, kind, main, period, count)
    left, period_left, count_left = main, period, count
    for move in range(0, size * size * 3 // 2, 2):
        if told:
            whole = int(left) if left > 0 else int(period_left)
            clock.set_left(BLACK, whole, 0 if left > 0 or kind == "absolute" else count_left)
        share, most, _ = clock.allot(BLACK, size, move)
        assert 0.0 <= share <= most
        thought = most if patient else share
        spent = thought + overhead
        spend(clock, time, spent)
        left, over = max(0.0, left - spent), max(0.0, spent - left)
        if kind == "absolute":
            assert over == 0 or move > size * size
        elif kind == "fischer":
            assert over == 0
            left += period
        elif kind == "byo-yomi":
            assert over <= period  # the period is kept, all others untouched
        elif over > 0 or left == 0:
            period_left -= over
            count_left -= 1
            assert period_left >= 0
            if count_left == 0:
                period_left, count_left = period, count


any_time = st.floats(allow_nan=False, allow_infinity=False)


@given(
    st.sampled_from([Clock.set_canadian, Clock.set_byo_yomi]),
    any_time,
    any_time,
    st.integers(-5, 10**18),
    any_time,
    st.integers(-5, 10**18),
)
def test_absurd_numbers_break_nothing(set_clock, main, period, count, told, told_count):
    time = Time()
    clock = Clock(lag_seconds=0.1, now=time)
    set_clock(clock, main, period, count)
    for thought in (0.5, 1e6):
        spend(clock, time, thought)
        allotment = clock.allot(BLACK, 9, 10)
        if allotment is not None:
            assert 0 <= allotment.share <= allotment.most <= TIMING.longest_move_seconds
        clock.set_left(BLACK, told, told_count)


def test_a_turn_may_begin_before_the_clock_is_started(time):
    clock = Clock(now=time)
    clock.set_absolute(60)
    clock.count_before(BLACK, 3)
    spend(clock, time, 2, WHITE)
    assert clock.left(WHITE).main_seconds == 58
    spend(clock, time, 2)
    assert clock.left(BLACK).main_seconds == 55
    spend(clock, time, 2)  # counted once
    assert clock.left(BLACK).main_seconds == 53


def test_reported_time_includes_the_beginning_of_the_turn(time):
    clock = Clock(now=time)
    clock.set_absolute(60)
    clock.count_before(BLACK, 3)
    clock.set_left(BLACK, 50, 0)
    spend(clock, time, 2)
    assert clock.left(BLACK).main_seconds == 48


def test_reported_time_counts_without_settings(time):
    clock = Clock(now=time)
    clock.set_left(BLACK, 3, 0)
    assert clock.overtime is Overtime.ABSOLUTE
    assert clock.left(BLACK) == TimeLeft(3, 0, 0)
    assert clock.allot(BLACK, 19, 0).most < 3
    clock.set_left(BLACK, 0, 0)  # now it has run out
    assert clock.allot(BLACK, 19, 0).most == 0


def test_a_reported_period_counts_without_settings(time):
    clock = Clock(now=time)
    clock.set_left(WHITE, 10, 5)
    assert clock.overtime is Overtime.CANADIAN
    assert clock.left(WHITE) == TimeLeft(0, 10, 5)
    assert clock.allot(WHITE, 19, 0).most <= 2


def test_a_new_game_forgets_the_reported_time(time):
    clock = Clock(now=time)
    clock.set_left(BLACK, 3, 0)
    clock.restart()
    assert clock.allot(BLACK, 19, 0) is None


@pytest.mark.parametrize("main", [None, 0])
def test_zero_time_left_without_settings_is_no_clock(time, main):
    clock = Clock(now=time)
    if main is not None:  # it learned that there is none
        clock.set_canadian(main, 1, 0)
        clock.set_left(BLACK, 3, 0)
    clock.set_left(BLACK, 0, 0)
    assert clock.allot(BLACK, 19, 0) is None


def instant(clock, time, seconds, moves=1):
    """Play moves without a search that take some time all the same."""
    for _ in range(moves):
        clock.start(BLACK)
        clock.expect(0.0)
        time.seconds += seconds
        clock.stop(charge=False)


@pytest.mark.parametrize(("size", "searched"), [(19, False), (9, True)])
def test_a_share_below_the_cost_of_a_search_is_no_time(size, searched):
    """0.4 s of Canadian overtime for ten stones; a small board is surveyed in less."""
    clock = Clock()
    clock.set_canadian(0, 0.4, 10)
    share, most, _ = clock.allot(BLACK, size, 100)
    assert (share, most) == ((pytest.approx(0.02),) * 2 if searched else (0.0, 0.0))


def test_the_time_of_moves_without_a_search_is_kept_for_all_that_may_come(time):
    """195 moves of 40 ms at most: 20 s are enough for searches as well, and 12 s are not."""
    for seconds, searched in ((20, True), (12, False)):
        clock = Clock(now=time)
        clock.set_absolute(seconds)
        assert clock.allot(BLACK, 19, 60).share > 0
        instant(clock, time, 0.04, moves=100)
        assert (clock.allot(BLACK, 19, 60).share > 0) == searched


def test_a_spread_of_the_measured_time_counts_as_well(time):
    clock = Clock(now=time)
    clock.set_absolute(30)
    instant(clock, time, 0.04, moves=100)
    even = share(clock, BLACK, 19, 60)
    for _ in range(50):
        instant(clock, time, 0.01)
        instant(clock, time, 0.07)
    assert share(clock, BLACK, 19, 60) < even


def test_moves_without_a_search_are_no_overruns(time):
    clock = Clock(now=time)
    clock.set_byo_yomi(0, 10, 1)
    usual = share(clock, BLACK, 19, 0)
    instant(clock, time, 3.0, moves=5)
    assert share(clock, BLACK, 19, 0) == usual


@pytest.mark.parametrize("lag", [0.0, 0.2])
@pytest.mark.parametrize(
    ("seconds", "overhead", "size", "moves"),
    [
        (1, 0.004, 19, 300),
        (5, 0.02, 19, 300),
        (10, 0.04, 19, 300),
        (60, 0.1, 19, 300),
        (60, 0.4, 9, 82),
        (60, 0.8, 9, 82),
    ],
)
def test_the_overhead_of_moves_is_learned(time, seconds, overhead, size, moves, lag):
    """A busy machine: each move takes longer than planned, and the clock lasts all the same."""
    clock = Clock(lag_seconds=lag, now=time)
    clock.set_absolute(seconds)
    for move in range(0, moves, 2):
        thinking = share(clock, BLACK, size, move)
        clock.start(BLACK)
        clock.expect(thinking)
        time.seconds += thinking + overhead
        clock.stop()
        assert clock.left(BLACK).main_seconds > 0


def test_waiting_for_the_command_to_be_read_is_charged(time):
    clock = Clock(now=time)
    clock.set_absolute(60)
    clock.start(BLACK, 3.0)
    time.seconds += 2
    assert clock.stop() == 5


@pytest.mark.parametrize(("period", "most"), [(1.0, 0.8), (0.2, 0.1), (10.0, 9.0)])
def test_a_short_period_keeps_a_fifth_of_a_second(period, most):
    clock = Clock()
    clock.set_byo_yomi(0, period, 1)
    assert clock.allot(BLACK, 19, 100).most == pytest.approx(most)
