"""Utility and relevance of root moves: against Monte-Carlo, the enumerating twin, and by hand."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, Game
from engine.arrays import ROOT
from engine.search.model import GULP, OPTIMISTIC, RELEVANCE, THOMPSON
from engine.search.utility import (
    BINS,
    CHANGES,
    PHASES,
    Opinions,
    OpinionTable,
    normal_opinions,
    relevances,
    share_out,
    utility_of,
)
from engine.thinkers.limits import PricePatience
from patterns_db.search_tables.opinion_training import (
    OpinionSample,
    new_lesson,
    record_changes,
    record_gain,
    to_table,
)
from patterns_db.shipped import OPINION_TABLE, read_opinions
from tests.reference import bpip as twin
from tests.search.growing import UNIFORM
from tests.search.test_searcher import root_of, searcher_of

NORMAL = normal_opinions()


def opinions(means, deviations, visits=None, length=50.0, occupied=0.2, played=0) -> Opinions:
    visits = np.full(len(means), 10) if visits is None else np.array(visits)
    merits = np.eye(len(means))[played]
    return Opinions(
        np.array(means, float), np.array(deviations, float), visits, length, occupied, 0.0, merits
    )


def two_changes(low: float, high: float, share: float) -> OpinionTable:
    """A table in which every change is one of two."""
    masses = np.zeros((BINS.count, len(CHANGES)))
    masses[:, int(np.argmin(np.abs(CHANGES - low)))] = 1.0 - share
    masses[:, int(np.argmin(np.abs(CHANGES - high)))] += share
    return OpinionTable(masses, np.ones(PHASES))


@given(
    st.lists(st.tuples(st.floats(-8, 8), st.floats(0.1, 3)), min_size=2, max_size=4),
    st.floats(0.1, 0.9),
    st.integers(0, 1),
)
def test_utility_is_the_twins(moves, share, played):
    found = opinions(*zip(*moves, strict=True), played=played)
    table = two_changes(-1.0, 1.5, share)
    root = []
    for value, deviation in moves:
        leaf: dict[float, float] = {}
        for change, mass in ((-1.0, 1.0 - share), (1.5, share)):
            chance = 0.5 * math.erfc(-(value + deviation * change) / math.sqrt(2 * 50.0))
            leaf[chance] = leaf.get(chance, 0.0) + mass
        root.append(leaf)
    assert utility_of(found, table) == pytest.approx(
        max(twin.utility(root, played=played), 0.0), abs=1e-9
    )


def test_a_move_that_is_played_though_another_looks_better_costs_the_difference():
    means, deviations = [1.0, 0.5], [1.0, 1.0]
    best = utility_of(opinions(means, deviations), NORMAL)
    other = utility_of(opinions(means, deviations, played=1), NORMAL)
    chances = []
    for value in means:
        later = (value + CHANGES) / math.sqrt(50.0)
        chances.append(sum(NORMAL.masses[0] * [0.5 * math.erfc(-x / math.sqrt(2)) for x in later]))
    assert other - best == pytest.approx(chances[0] - chances[1])
    assert other > 2 * best > 0


@given(st.lists(st.tuples(st.floats(-4, 4), st.floats(0.5, 3)), min_size=2, max_size=4))
def test_relevance_is_nearly_the_twins(moves):
    """Nearly equal, because the grid splits a value that lies between two of its points."""
    table = two_changes(-1.0, 1.5, 0.4)
    found = relevances(opinions(*zip(*moves, strict=True)), table)
    root = [{value - deviation: 0.6, value + 1.5 * deviation: 0.4} for value, deviation in moves]
    lowest = max(min(leaf) for leaf in root)
    highest = max(max(leaf) for leaf in root)
    for i in range(len(root)):
        expected, _ = twin.ess_and_metagreedy(root, (i,))
        assert found[i] == pytest.approx(expected, abs=0.1 * (highest - lowest) + 0.05)


def test_moves_with_few_visits_do_not_count():
    two = utility_of(opinions([1.0, 0.5], [1.0, 1.0]), NORMAL)
    more = opinions([1.0, 0.5, 0.9, 0.9], [1.0, 1.0, 2.0, 2.0], [10, 10, 3, 0])
    assert utility_of(more, NORMAL) == two


def test_nothing_to_choose_is_worth_nothing():
    assert utility_of(opinions([1.0], [2.0]), NORMAL) == 0.0
    assert relevances(opinions([1.0], [2.0]), NORMAL).tolist() == [0.0]


def test_utility_falls_with_certainty_and_with_the_lead():
    close = utility_of(opinions([1.0, 0.9], [1.0, 1.0]), NORMAL)
    sure = utility_of(opinions([1.0, 0.9], [0.1, 0.1]), NORMAL)
    far = utility_of(opinions([6.0, 0.9], [1.0, 1.0]), NORMAL)
    lost = utility_of(opinions([-30.0, -30.1], [1.0, 1.0]), NORMAL)
    assert close > 5 * sure > 0
    assert close > 50 * far
    assert close > 50 * lost


@given(st.lists(st.floats(0, 10), min_size=1, max_size=9), st.integers(0, 200))
def test_turns_are_shared_out_in_proportion(weights, count):
    turns = share_out(np.array(weights), count)
    assert turns.sum() == count
    total = sum(weights)
    if total > 0:
        assert np.abs(turns - np.array(weights) / total * count).max() <= 1.0 + 1e-9


@pytest.mark.parametrize("policy", [OPTIMISTIC, RELEVANCE])
def test_policies_repeat_themselves_and_keep_the_count(policy):
    results = []
    for _ in range(2):
        searcher = searcher_of(model=UNIFORM._replace(policy=policy))
        searcher.set_root(root_of(Game(4), BLACK), None)
        searcher.run(3 * GULP + 5, None)
        report = searcher.report()
        assert report.playouts == 3 * GULP + 5 == sum(move.playouts for move in report.moves)
        results.append(report.moves)
    assert results[0] == results[1]


@pytest.mark.parametrize("policy", [THOMPSON, OPTIMISTIC, RELEVANCE])
def test_utility_counts_from_the_move_that_is_reported_first(policy):
    searcher = searcher_of(model=UNIFORM._replace(policy=policy))
    searcher.set_root(root_of(Game(4), BLACK), None)
    for _ in range(6):
        searcher.run(GULP, None)
        points = list(searcher.root_moves())
        played = points[searcher.current_opinions().played]
        assert played == searcher.report().moves[0].point


def test_without_lateral_evidence_it_is_not_looked_at():
    searcher = searcher_of(model=UNIFORM._replace(lateral=False))
    searcher.set_root(root_of(Game(4), BLACK), None)
    searcher.run(40, None)
    tree = searcher._tree
    before = searcher.report().moves
    tree.lateral[:] = 0.0
    assert searcher.report().moves == before
    assert tree.visits[ROOT] == 40


def test_a_search_knows_its_utility():
    searcher = searcher_of()
    searcher.set_root(root_of(Game(4), BLACK), None)
    searcher.run(64, None)
    assert 0.0 < searcher.utility() < 0.5


def test_patience_ends_when_the_gain_no_longer_pays():
    patience = PricePatience(share=2.0, price=0.02)
    gains, pays_little = (SimpleNamespace(utility=lambda gain=gain: gain) for gain in (0.03, 0.01))
    assert not patience.is_enough(gains, 100, 2.0)
    assert patience.is_enough(pays_little, 100, 2.0)
    assert not patience.is_enough(gains, 100, 2.9)
    assert patience.is_enough(gains, 100, 3.1)


def test_changes_are_recorded_in_deviations():
    lesson = new_lesson()
    changes = lesson.changes
    before = opinions([0.0, 1.0], [2.0, 0.5], [0, 100])
    after = opinions([1.0, 1.0], [1.0, 0.1], [8, 800])
    record_changes(changes, before, after)
    never, favorite = BINS.index((0.0, 0.0, 0.2)), BINS.index((100.0, 1.0, 0.2))
    assert CHANGES[int(changes.counts[never].argmax())] == 0.5
    assert CHANGES[int(changes.counts[favorite].argmax())] == 0.0
    assert changes.counts.sum() == 2
    table = to_table(lesson)
    assert table.masses.sum(axis=1) == pytest.approx(np.ones(BINS.count))
    assert table.masses[favorite] @ CHANGES < table.masses[never] @ CHANGES


def test_gains_of_longer_searches_are_counted_by_phase():
    lesson = new_lesson()
    before = opinions([1.0, 0.9], [1.0, 1.0], occupied=0.4)
    after = opinions([-1.0, 2.0], [0.1, 0.1], length=100.0, occupied=0.4, played=1)
    record_gain(lesson, OpinionSample(before, 0.05), OpinionSample(after, 0.0))
    gain = 0.5 * (math.erfc(-0.2 / math.sqrt(2)) - math.erfc(0.1 / math.sqrt(2)))
    assert lesson.gains.tolist() == [0.0, 0.0, pytest.approx(gain), 0.0]
    assert lesson.hopes.tolist() == [0.0, 0.0, 0.05, 0.0]
    earned = to_table(lesson).earned
    assert earned.tolist() == [1.0, 1.0, pytest.approx(gain / 0.05), 1.0]
    found = opinions([1.0, 0.5], [1.0, 1.0], occupied=0.4)
    plain = utility_of(found, NORMAL)
    assert utility_of(found, NORMAL._replace(earned=earned)) == pytest.approx(plain * earned[2])


def test_the_shipped_opinions_can_be_read():
    table = read_opinions(OPINION_TABLE)
    assert table.masses.sum(axis=1) == pytest.approx(np.ones(BINS.count))
