"""Training of the values of proofs about chains."""

import numpy as np
import pytest

from engine import BLACK, Game, to_point
from engine.patterns.context import CONTEXT_ROWS
from engine.patterns.position import position_of
from engine.patterns.valuing import no_patterns
from patterns_db.patterns.chain_value_training import PRIOR_VARIANCE, ChainValueLearner

KNOWLEDGE = no_patterns()._replace(context=np.zeros((CONTEXT_ROWS, 2)))
PLAYED, OTHER = to_point(2, 2), to_point(3, 2)
CLASSES = {PLAYED: [1, 0, 0, 0], OTHER: [0, 0, 0, 2]}


def test_a_played_class_gains_and_all_other_beliefs_stay():
    learner, position = ChainValueLearner(KNOWLEDGE), position_of(Game(3), BLACK)
    for _ in range(3):
        without, informed = learner.probabilities(position, CLASSES)
        assert list(without.values()) == pytest.approx([1 / 9] * 9, rel=0.02)
        assert sum(informed.values()) == pytest.approx(1.0)
        learner.learn(PLAYED)
    without, informed = learner.probabilities(position, CLASSES)
    assert informed[PLAYED] > 1.2 / 9
    assert informed[OTHER] < 1 / 9
    means, variances = learner.beliefs[..., 0], learner.beliefs[..., 1]
    assert (means[0, 0], means[3, 1]) == (means.max(), means.min())
    assert np.count_nonzero(means) == np.count_nonzero(variances < PRIOR_VARIANCE) == 2
    assert not KNOWLEDGE.context.any()


def test_values_change_nothing_where_no_proof_does():
    values = np.full((4, 4), 2.0)
    learner, position = ChainValueLearner(KNOWLEDGE, values), position_of(Game(3), BLACK)
    without, informed = learner.probabilities(position, CLASSES)
    assert informed[PLAYED] > without[PLAYED]
    without, informed = learner.probabilities(position, {})
    assert informed == without
