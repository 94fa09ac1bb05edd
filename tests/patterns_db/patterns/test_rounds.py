"""patterns_db.patterns.rounds: merging, and rounds of one shard."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from patterns_db.patterns import rounds
from patterns_db.patterns.harvest import harvest
from patterns_db.patterns.rounds import (
    Part,
    ShardLearner,
    merge,
    merge_beliefs,
    merge_counts,
    next_round,
    take_step,
)
from patterns_db.patterns.training import (
    Learned,
    Trainer,
    TrainingSettings,
    new_learned,
    place_classes,
)
from patterns_db.records.archive import cut_games, pack_games
from tests.patterns_db.collections import random_collection
from tests.reference.rounds import product_of_posteriors


@pytest.fixture(scope="module")
def games():
    return pack_games(random_collection(8, size=4, length=10))


@pytest.fixture(scope="module")
def classes(games):
    return place_classes(harvest(games))


def part_of(beliefs):
    """Return a part from {row: (mean, variance)}."""
    rows = sorted(beliefs)
    values = np.array([beliefs[row] for row in rows], float).reshape(-1, 2)
    return Part(np.array(rows, np.int32), values)


# Learning only adds precision, so a posterior's variance is a share of the prior's.
shards = st.lists(
    st.dictionaries(
        st.integers(0, 4), st.tuples(st.floats(-3, 3), st.floats(0.05, 0.999)), max_size=5
    ),
    min_size=1,
    max_size=4,
)


@given(shards, st.randoms(use_true_random=False))
def test_merging_is_the_product_of_likelihoods_kept_within_reach(found, rng):
    prior = np.array([[rng.uniform(-2, 2), rng.uniform(0.01, 1.0)] for _ in range(5)])
    parts = [
        part_of({row: (mean, share * prior[row, 1]) for row, (mean, share) in one.items()})
        for one in found
    ]
    merged = prior.copy()
    part = merge_beliefs(merged, parts)
    assert part.rows.tolist() == sorted({row for one in found for row in one})
    for row in range(5):
        told = [p.values[p.rows == row][0] for p in parts if row in p.rows]
        if not told:
            assert merged[row].tolist() == prior[row].tolist()
        elif len(told) == 1:
            assert merged[row].tolist() == told[0].tolist()  # bit for bit
        else:
            mean, variance = product_of_posteriors(prior[row], told)
            means = [one[0] for one in told]
            assert merged[row, 1] == pytest.approx(variance)
            assert merged[row, 0] == pytest.approx(min(max(mean, min(means)), max(means)), abs=1e-9)


@given(shards)
def test_counts_add_up_in_any_order(found):
    start = np.arange(10.0).reshape(5, 2)
    parts = [
        part_of({row: start[row] + np.round(np.abs(v), 0) for row, v in one.items()})
        for one in found
    ]
    one, other = start.copy(), start.copy()
    merge_counts(one, parts)
    merge_counts(other, parts[::-1])
    assert (one == other).all()
    for row in range(5):
        added = sum((p.values[p.rows == row][0] - start[row] for p in parts if row in p.rows), 0.0)
        assert (one[row] == start[row] + added).all()


def test_a_step_that_would_be_improper_is_damped():
    old = np.array([[1.0, 0.5], [1.0, 0.5], [1.0, 0.5], [2.0, 0.25]])
    precision = np.array([1.0, -3.0, -np.inf, np.nan])
    new = take_step(old, precision, np.array([0.5, -1.0, 0.0, 0.0]))
    assert new[0].tolist() == pytest.approx([2.5 / 3.0, 1 / 3.0])
    assert new[1].tolist() == pytest.approx([(2.0 - 0.5) / 0.5, 2.0])  # half the step
    assert new[2:].tolist() == old[2:].tolist()  # no share of it would do


def copy_of(learned):
    return Learned._make(field.copy() for field in learned)


@pytest.mark.parametrize("independent", [False, True])
def test_rounds_of_one_shard_are_the_serial_training(games, classes, monkeypatch, independent):
    monkeypatch.setattr(rounds, "SIZES", rounds.SIZES._replace(warm_up=2))
    monkeypatch.setattr(rounds, "SIZES", rounds.SIZES._replace(first_shard=1))
    serial, learned = (new_learned(len(classes.keys), independent) for _ in range(2))
    settings = TrainingSettings((), independent=independent)
    Trainer(games, classes, serial, settings).run()
    learner = ShardLearner(classes, copy_of(learned), settings)
    done, count = 0, 0
    while done < games.games:
        [shard] = next_round(games, done, 1, 2)
        learner.update(merge(learned, [learner.work(cut_games(games, *shard))], shard[1]))
        done, count = shard[1], count + 1
    assert count > 3
    for one, other in zip(serial, learned, strict=True):
        assert (one == other).all()


def test_a_learner_forgets_a_shard_until_it_is_told(games, classes):
    learner = ShardLearner(classes, new_learned(len(classes.keys)), TrainingSettings(()))
    first = learner.work(cut_games(games, 0, 3))
    learner.work(cut_games(games, 3, 6))
    again = learner.work(cut_games(games, 0, 3))
    for one, other in zip(first[:3], again[:3], strict=True):
        assert (one.rows == other.rows).all()
        assert (one.values == other.values).all()
    assert (first.tally == again.tally).all()


@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 5))
def test_rounds_take_every_game_once(shards, most, warm_up):
    archive = pack_games(random_collection(9, size=4, length=8))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds, "SIZES", rounds.SIZES._replace(warm_up=warm_up))
        patch.setattr(rounds, "SIZES", rounds.SIZES._replace(first_shard=1))
        done, seen = 0, []
        while done < archive.games:
            found = next_round(archive, done, shards, most)
            assert 1 <= len(found) <= shards
            seen += [game for first, last in found for game in range(first, last)]
            done = found[-1][1]
    assert seen == list(range(archive.games))
