"""Turns shared out among moves, and the invariances of utility and relevance."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.search.utility import (
    CHANGES,
    OCCUPIED,
    PHASES,
    bins_of,
    chances_into,
    later_values,
    normal_opinions,
    phase_of,
    relevances,
    share_out,
    utility_of,
)
from tests.reference import sharing as twin
from tests.search.test_utility import opinions, two_changes

NORMAL = normal_opinions()
MOVES = st.lists(
    st.tuples(st.floats(-4, 4), st.floats(0.2, 3)), min_size=2, max_size=5, unique_by=lambda m: m[0]
)


# Quarters of a power of two in all: shares are exact in floating point, too.
@given(st.lists(st.integers(0, 64), min_size=1, max_size=8), st.integers(0, 64))
def test_turns_are_the_twins(weights, count):
    weights = [*weights, 1024 - sum(weights)]
    found = share_out(np.array(weights, float) / 4.0, count)
    assert found.tolist() == twin.share_out(weights, count)


@given(st.integers(1, 9), st.integers(0, 100))
def test_equal_weights_share_alike_and_the_first_come_first(n, count):
    turns = share_out(np.ones(n), count).tolist()
    assert turns == sorted(turns, reverse=True)
    assert max(turns) - min(turns) <= 1
    assert sum(turns) == count


@given(st.integers(1, 9), st.integers(0, 100))
def test_without_weights_the_first_gets_all(n, count):
    assert share_out(np.zeros(n), count).tolist() == [count] + [0] * (n - 1)


@given(MOVES, st.randoms(use_true_random=False))
def test_the_order_of_the_moves_does_not_matter(moves, random):
    best = max(move[0] for move in moves)
    assume(sum(move[0] > best - 1e-6 for move in moves) == 1)  # else the favorite is a choice
    order = random.sample(range(len(moves)), len(moves))
    plain = opinions(*zip(*moves, strict=True), played=0)
    mixed = opinions(*zip(*[moves[i] for i in order], strict=True), played=order.index(0))
    assert utility_of(mixed, NORMAL) == pytest.approx(utility_of(plain, NORMAL), abs=1e-12)
    assert relevances(mixed, NORMAL) == pytest.approx(relevances(plain, NORMAL)[order], abs=1e-9)


@given(MOVES, st.floats(-3, 3), st.floats(0.5, 2.0))
def test_relevance_is_in_the_unit_of_the_values(moves, by, scale):
    means, deviations = np.array(moves).T
    plain = relevances(opinions(means, deviations), NORMAL)
    other = relevances(opinions(means * scale + by, deviations * scale), NORMAL)
    assert other == pytest.approx(scale * plain, rel=1e-6, abs=1e-9)


@given(MOVES, st.floats(10, 200), st.floats(1.1, 3.0))
def test_utility_is_a_chance_of_winning(moves, length, scale):
    """Scores and deviations in proportion to the root of the length therefore change nothing."""
    means, deviations = np.array(moves).T
    plain = utility_of(opinions(means, deviations, length=length), NORMAL)
    scaled = opinions(means * scale, deviations * scale, length=length * scale**2)
    assert utility_of(scaled, NORMAL) == pytest.approx(plain, abs=1e-12)
    assert 0.0 <= plain < 1.0


@given(MOVES)
def test_a_hopeless_move_more_is_not_worth_a_look(moves):
    plain = opinions(*zip(*moves, strict=True))
    more = opinions(*zip(*[*moves, (-300.0, 0.2)], strict=True))
    assert utility_of(more, NORMAL) == pytest.approx(utility_of(plain, NORMAL), abs=1e-9)
    assert relevances(more, NORMAL)[-1] == pytest.approx(0.0, abs=1e-12)


@given(MOVES, st.floats(0.05, 0.95))
def test_later_values_are_todays_and_a_change(moves, share):
    found = opinions(*zip(*moves, strict=True))
    table = two_changes(-1.0, 2.0, share)
    for (value, deviation), later in zip(moves, later_values(found, table), strict=True):
        likely = later.masses > 0.0
        assert later.values[likely] == pytest.approx([value - deviation, value + 2.0 * deviation])
        assert later.masses[likely] == pytest.approx([1.0 - share, share])
        assert len(later.values) == len(CHANGES)


def test_bins_tell_visits_the_best_and_the_phase():
    visits = [0, 3, 15, 63, 255, 1000]
    found = opinions(range(6), [1.0] * 6, visits=visits)
    bins = bins_of(found)
    assert len(set(bins)) == 6
    again = opinions(range(6), [1.0] * 6, visits=[*visits[:-1], 256])
    assert bins_of(again) == bins  # within a bin
    assert set(bins_of(found._replace(occupied=0.9))).isdisjoint(bins)
    swapped = bins_of(found._replace(means=np.arange(6.0)[::-1]))
    assert [one == other for one, other in zip(bins, swapped, strict=True)] == [
        False, True, True, True, True, False,
    ]  # fmt: skip


@given(st.floats(0, 1))
def test_phases_follow_each_other(occupied):
    phase = phase_of(occupied)
    assert 0 <= phase < PHASES
    assert phase == sum(edge < occupied for edge in OCCUPIED)


@given(st.lists(st.integers(-400, 400), min_size=1, max_size=20, unique=True), st.floats(0.01, 2))
def test_chances_rise_strictly_even_where_they_are_certain(values, scale):
    chances = np.zeros(len(values))
    chances_into(np.array(sorted(values), float), scale, chances)
    assert (np.diff(chances) > 0.0).all()
    assert chances[0] >= 0.0
    assert chances[-1] <= 1.0 + 1e-10
