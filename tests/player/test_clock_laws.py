"""The clock against a referee who counts ticks, and the laws of every allotment."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.player.clock import TIMING, Clock, Overtime, TimeLeft
from tests.player.test_clock import BLACK, WHITE, Time, set_clock, spend
from tests.reference.clock import TICK, Referee

KINDS = st.sampled_from(["absolute", "canadian", "byo-yomi", "fischer"])
TICKS = st.integers(0, 60)


@given(KINDS, TICKS, st.integers(1, 40), st.integers(1, 4), st.lists(TICKS, max_size=12))
def test_the_remaining_time_is_the_referees(kind, main, period, count, thoughts):
    time = Time()
    clock = Clock(now=time)
    referee = Referee(kind, main * TICK, period * TICK, count)
    set_clock(clock, kind, main * TICK, period * TICK, count)
    for ticks in thoughts:
        referee.play(ticks * TICK)
        spend(clock, time, ticks * TICK)
        if referee.lost:
            return
        left = clock.left(BLACK)
        assert left.main_seconds == referee.main
        if kind not in ("absolute", "fischer"):
            assert (left.period_seconds, left.count) == (referee.period, referee.count)
    assert clock.left(WHITE).main_seconds == main * TICK


clocks = st.tuples(KINDS, st.floats(0, 2000), st.floats(0.5, 100), st.integers(1, 25))
sizes = st.sampled_from([5, 9, 13, 19, 25])


def allotted(settings, size, move, lag=0.0, left=None):
    clock = Clock(lag_seconds=lag)
    set_clock(clock, *settings)
    if left is not None:
        clock.set_left(BLACK, left, 0)
    return clock.allot(BLACK, size, move)


@given(clocks, sizes, st.integers(0, 800), st.floats(0, 2))
def test_never_more_than_there_is(settings, size, move, lag):
    kind, main, period, _ = settings
    found = allotted(settings, size, move, lag)
    assume(found is not None)
    available = main if kind == "absolute" else main + period
    assert 0.0 <= found.share <= found.most <= min(available + 1e-3, TIMING.longest_move_seconds)


@given(clocks, sizes, st.integers(0, 400), st.floats(0, 2), st.floats(0.01, 2))
def test_a_longer_way_to_the_server_leaves_less_thought(settings, size, move, lag, more):
    near, far = allotted(settings, size, move, lag), allotted(settings, size, move, lag + more)
    assume(near is not None)
    assert far.share <= near.share
    assert far.most <= near.most


@given(clocks, sizes, st.integers(0, 400), st.floats(0, 1000), st.floats(0, 1000))
def test_more_main_time_is_more_thought(settings, size, move, left, more):
    less = allotted(settings, size, move, left=left)
    assume(less is not None)
    assert allotted(settings, size, move, left=left + more).share >= less.share - 1e-3


@given(st.floats(10, 2000), sizes)
def test_later_moves_get_larger_shares_of_the_same_time(main, size):
    """Fewer moves are to come; in the end the number stays, as games may go on."""
    shares = [
        allotted(("absolute", main, 0.0, 0), size, move).share
        for move in range(0, size * size + 30, 10)
    ]
    assert all(before <= after for before, after in pairwise(shares))
    assert shares[-1] == shares[-2]


@given(st.floats(400, 2000), st.sampled_from([5, 9, 13, 19]), st.sampled_from([0.0, 0.2]))
def test_openings_of_large_boards_take_little_time_and_all_other_moves_the_same(main, size, lag):
    time = Time()
    clock = Clock(lag_seconds=lag, now=time)
    clock.set_absolute(main)
    taken = []
    for move in range(0, size * size // 2, 2):
        taken.append(clock.allot(BLACK, size, move).share)
        spend(clock, time, taken[-1] + lag)
    if size == 19:
        assert taken[:11] == pytest.approx([0.15 * taken[-1]] * 11, rel=0.01)
        assert all(before <= after * 1.01 for before, after in pairwise(taken))
    late = taken[29:] if size == 19 else taken
    assert late == pytest.approx([taken[-1]] * len(late), rel=0.01)


@given(KINDS, st.floats(100, 2000), st.sampled_from([9, 19, 25]))
def test_a_hard_opening_move_may_take_three_times_its_share_of_the_main_time(kind, main, size):
    first = allotted((kind, main, 5.0, 5), size, 0)
    period = {"canadian": 0.9, "byo-yomi": 4.5}.get(kind, 0.0)  # nine tenths of it
    assert first.most - period == pytest.approx(3.0 * (first.share - period))


@given(clocks, st.floats(0, 50))
def test_thinking_at_ones_own_expense_changes_the_own_clock_alone(settings, seconds):
    time = Time()
    clock = Clock(now=time)
    set_clock(clock, *settings)
    before = clock.left(WHITE)
    spend(clock, time, seconds)
    assert clock.left(WHITE) == before
    clock.start(WHITE)
    time.seconds += seconds
    assert clock.stop(charge=False) == pytest.approx(seconds)
    assert clock.left(WHITE) == before


@given(clocks, st.floats(0, 50))
def test_restart_gives_everything_back(settings, seconds):
    time = Time()
    clock = Clock(now=time)
    set_clock(clock, *settings)
    full, kind = clock.left(BLACK), clock.overtime
    spend(clock, time, seconds)
    clock.set_left(WHITE, 1.0, 0)
    clock.restart()
    assert clock.left(BLACK) == clock.left(WHITE) == full
    assert clock.overtime is kind


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ((25.0, 0), TimeLeft(25.0, 30.0, 5)),  # main time, the overtime untouched behind it
        ((25.0, 3), TimeLeft(0.0, 25.0, 3)),
        ((31.0, 3), TimeLeft(31.0, 30.0, 5)),  # more than a period: still main time
        ((0.0, 1), TimeLeft(0.0, 0.0, 1)),
        ((-7.0, 0), TimeLeft(0.0, 30.0, 5)),
        ((12.3456, 2), TimeLeft(0.0, 12.346, 2)),
    ],
)
@pytest.mark.parametrize("kind", ["canadian", "byo-yomi"])
def test_a_controller_is_believed(kind, told, left):
    clock = Clock()
    set_clock(clock, kind, 600.0, 30.0, 5)
    clock.set_left(BLACK, *told)
    assert clock.left(BLACK) == left
    assert clock.left(WHITE) == TimeLeft(600.0, 30.0, 5)


def test_starting_another_clock_forgets_the_one_that_ran():
    time = Time()
    clock = Clock(now=time)
    clock.set_absolute(60)
    clock.start(BLACK)
    time.seconds += 10
    clock.start(WHITE)
    time.seconds += 5
    assert clock.stop() == 5
    assert clock.left(BLACK).main_seconds == 60
    assert clock.left(WHITE).main_seconds == 55


def test_a_removed_clock_charges_no_side():
    time = Time()
    clock = Clock(now=time)
    clock.set_absolute(60)
    clock.set_no_limit()
    assert clock.overtime is Overtime.NO_LIMIT
    spend(clock, time, 1000)
    assert clock.left(BLACK) == TimeLeft(0.0, 0.0, 0)
    assert clock.allot(BLACK, 19, 0) is None
