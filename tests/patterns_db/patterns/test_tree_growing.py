"""Growth of trees against plain loops, and the sample that they grow from."""

from itertools import islice, pairwise

import numpy as np
import pytest

from engine import Game
from engine.patterns.contenders import CONTENDERS, FACTS
from engine.patterns.predictor import Predictor
from engine.patterns.trees import FACT, LEAVES, THRESHOLD
from patterns_db.patterns.tree_growing import GROWING, FactSample, add_up_bins, best_cut, grow_trees
from patterns_db.patterns.tree_sampling import sample_facts
from patterns_db.records.archive import pack_games
from tests.patterns_db.collections import random_collection
from tests.patterns_db.patterns.test_added_training import informed_knowledge


def made_up_sample(positions=400):
    """Return positions in which the played contender has facts 3 and 8 above 10 where it can."""
    rng = np.random.default_rng(2)
    facts = rng.integers(0, 20, (positions, CONTENDERS, FACTS)).astype(np.int16)
    both = (facts[:, :, 3] > 10) & (facts[:, :, 8] > 10)
    played = np.where(both.any(axis=1), both.argmax(axis=1), -1)
    chances = np.full((positions, CONTENDERS), np.log(0.9 / CONTENDERS), np.float32)
    chances[::7, -1] = -np.inf
    played[::7][played[::7] == CONTENDERS - 1] = -1
    return FactSample(facts, chances, np.full(positions, 0.1), played)


def nats_of(sample, trees):
    """Return the mean log likelihood of a sample, one position after the other."""
    total = 0.0
    for facts, chances, rest, played in zip(*sample, strict=True):
        sums = chances.astype(float)
        for questions, means in zip(trees.questions, trees.means, strict=True):
            for lane in range(CONTENDERS):
                answers = [facts[lane, fact] > threshold for fact, threshold in questions]
                sums[lane] += means[sum(a << level for level, a in enumerate(answers))]
        whole = rest + np.exp(sums).sum()
        total += (sums[played] if played >= 0 else 0.0) - np.log(whole)
    return total / len(sample.played)


def test_growth_finds_the_conjunction():
    sample = made_up_sample()
    grown = list(islice(grow_trees(sample, 1), 12))
    trees, _ = grown[-1]
    # A tenth of 400 positions gives the thresholds roughly, but the facts for certain.
    assert sorted(trees.questions[0, :2, FACT].tolist()) == [3, 8]
    assert trees.questions[0, :2, THRESHOLD].tolist() == pytest.approx([10, 10], abs=2)
    for (before, _), (_, nats) in pairwise(grown):
        assert nats == pytest.approx(nats_of(sample, before))
    assert grown[-1][1] > grown[0][1] + 0.3
    again = list(islice(grow_trees(sample, 1), 12))[-1][0]
    np.testing.assert_array_equal(again.means, trees.means)


def test_a_leaf_takes_a_share_of_a_newton_step():
    sample = made_up_sample()
    trees, _ = next(grow_trees(sample, 1))
    whole = sample.rest + np.exp(sample.chances.astype(float)).sum(axis=1)
    chance = np.exp(sample.chances.astype(float)) / whole[:, None]
    slope = (sample.played[:, None] == np.arange(CONTENDERS)) - chance
    leaf = np.zeros(chance.shape, np.int64)
    for level, (fact, threshold) in enumerate(trees.questions[0]):
        leaf |= (sample.facts[:, :, fact] > threshold).astype(np.int64) << level
    for number in range(LEAVES):
        own = leaf == number
        bend = (chance * (1 - chance))[own].sum() + GROWING.leaf_precision
        expected = GROWING.learning_rate * slope[own].sum() / bend
        assert trees.means[0, number] == pytest.approx(expected)


def test_the_best_cut_is_the_best_of_all():
    rng = np.random.default_rng(4)
    bins = rng.integers(0, 6, 300).astype(np.uint8)
    leaves = rng.integers(0, 4, 300).astype(np.uint8)
    gradients = np.stack([rng.normal(size=300) + (bins > 2), rng.uniform(0.1, 1, 300)], axis=1)
    sums = np.ones((LEAVES, 64, 2))
    add_up_bins(bins, leaves, gradients, np.int64(4), sums)
    gain, place = best_cut(sums, np.int64(4), np.int64(5), np.zeros(5))
    gains = []
    for cut in range(5):
        parts = [gradients[(leaves == n) & (s == (bins > cut))] for n in range(4) for s in (0, 1)]
        gains.append(
            sum(p[:, 0].sum() ** 2 / (p[:, 1].sum() + GROWING.leaf_precision) for p in parts)
        )
    assert place == np.argmax(gains)
    assert gain == pytest.approx(max(gains))


def test_a_sample_holds_the_models_probabilities():
    games, knowledge = random_collection(4, size=7, length=20), informed_knowledge()
    archive = pack_games(games)
    sample = sample_facts(archive, knowledge, 1, 1)
    assert len(sample.played) == len(archive.moves)
    predictor, index = Predictor(knowledge), 0
    for record in games:
        game = Game(7)
        for color, move in zip(record.colors.tolist(), record.moves.tolist(), strict=True):
            chances = predictor.of_game(game, color)
            used = np.exp(sample.chances[index])
            best = sorted(chances.values(), reverse=True)
            assert sample.rest[index] == pytest.approx(1.0 - used.sum(), abs=1e-5)
            assert used.sum() <= sum(best[:CONTENDERS]) + 1e-5
            if sample.played[index] >= 0:
                assert used[sample.played[index]] == pytest.approx(chances[move], rel=1e-4)
            index += 1
            game.play(color, move)
    assert (sample.played >= 0).sum() > 20
    third = sample_facts(archive, knowledge, 3, 1)
    assert len(third.played) == pytest.approx(len(archive.moves) / 3, abs=len(games))
