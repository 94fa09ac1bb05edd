"""The Bernoulli model against enumeration, worked numbers and the paper's small worlds."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patterns_db.patterns import bernoulli
from tests.patterns.test_ranking import WORLDS, A, B, C, D
from tests.reference import ranking as reference


def scores(counts, candidates, prior=0.0):
    got = np.zeros(len(candidates))
    log_total = bernoulli.score_by_rates(
        np.array(counts, float), np.array(candidates)[:, np.newaxis], len(candidates), prior, got
    )
    return got, log_total


def test_worked_numbers():
    got, log_total = scores([(3, 7), (1, 9), (1, 1)], [0, 1, 2])
    assert np.exp(got) == pytest.approx((0.135, 0.035, 0.315), rel=1e-9)
    assert math.exp(log_total) == pytest.approx(0.485, rel=1e-9)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=3, max_size=3),
    st.lists(st.integers(0, 2), min_size=1, max_size=12),
)
@settings(deadline=None)
def test_against_enumeration(counts, candidates):
    got, log_total = scores(counts, candidates)
    want = reference.bernoulli_scores(counts, candidates)
    assert np.exp(got) == pytest.approx(want, rel=1e-9)
    assert math.exp(log_total) == pytest.approx(sum(want), rel=1e-9)


def test_a_certain_class_forbids_the_others():
    got, log_total = scores([(2, 0), (1, 1)], [0, 1, 1])
    assert np.exp(got).tolist() == [0.25, 0.0, 0.0]
    assert math.exp(log_total) == pytest.approx(0.25)
    got, log_total = scores([(2, 0), (3, 0)], [0, 1])
    assert log_total == -math.inf
    assert np.all(got == -math.inf)


def test_no_evidence_is_one_half():
    got, _ = scores([(0, 0)], [0])
    assert math.exp(got[0]) == 0.5


def learn_world(pairs):
    counts = np.zeros((4, 2))
    for pair in pairs:
        bernoulli.count_move(counts, np.array(pair)[:, np.newaxis], 2, 0)
    return [bernoulli.play_rate(counts, row, 0.0) for row in (A, B, C, D)]


def test_small_worlds():
    """Sec. 4: counting cannot rank the chain; it can rank the two others partly."""
    assert learn_world(WORLDS["chain"]) == [1.0, 0.5, 0.5, 0.0]
    assert learn_world(WORLDS["joseki"]) == [1.0, 1.0, 1.0, 0.0]
    assert learn_world(WORLDS["endgame"]) == pytest.approx([1.0, 2 / 3, 1 / 3, 0.0])
