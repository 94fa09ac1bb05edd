"""engine.patterns.predictor: probabilities of moves in play, against sums made one by one."""

from collections import Counter

import numpy as np
import pytest

from engine import BLACK, WHITE, Game
from engine.gaussian import largest_of_normals
from engine.patterns.choice import MEAN
from engine.patterns.evidence import EVIDENCE_GROUPS, GROUP_SIZES
from engine.patterns.matching import (
    NO_MATCH,
    list_slots,
    match_moves_into,
    new_candidates,
    new_matcher,
)
from engine.patterns.position import memory_of, position_of
from engine.patterns.predictor import Predictor
from engine.patterns.table import LOG_VARIANCE_STEP, MEAN_STEP
from engine.patterns.templates import TEMPLATES
from engine.patterns.valuing import (
    EVIDENCE_ROWS,
    FIRST_ROWS,
    PatternKnowledge,
    no_patterns,
    value_moves,
)
from tests.patterns.test_matching import harvest
from tests.reference.games import random_game
from tests.reference.ranking import best_probabilities

BETA_SQUARED = 0.7


def random_knowledge(size=7, length=30, seed=3):
    """Return a model with random beliefs about half of a random game's classes."""
    rng = np.random.default_rng(seed)
    keys = harvest(size, length, seed)
    values = np.stack(
        [rng.integers(-4000, 4000, len(keys)), rng.integers(-2000, 100, len(keys))], axis=1
    ).astype(np.int16)
    evidence = np.stack([rng.normal(size=EVIDENCE_ROWS), rng.uniform(0.1, 1, EVIDENCE_ROWS)], 1)
    evidence[list(FIRST_ROWS), MEAN] = 0.0
    return PatternKnowledge(keys, values, evidence, BETA_SQUARED)


def positions(size=7, length=30, seed=3):
    """Yield a game after each move of the random one that the model knows."""
    game = Game(size)
    for turn in random_game(size, length, seed):
        yield game
        game.play(turn.color, turn.move)


def moments(knowledge, found, i):
    """Return the summed belief of candidate ``i``, as a tuple of (mean, variance) summands."""
    slot = found.slots[i * TEMPLATES + max(found.templates[i], 1) - 1]
    if slot == NO_MATCH:
        summands = [tuple(knowledge.evidence[0])]
    else:
        mean, log_variance = knowledge.values[slot]
        summands = [(mean * MEAN_STEP, np.exp(log_variance * LOG_VARIANCE_STEP))]
    row = 1
    for group in range(EVIDENCE_GROUPS):
        if klass := found.evidence[i * EVIDENCE_GROUPS + group]:
            summands.append(tuple(knowledge.evidence[row + klass]))
        row += GROUP_SIZES[group]
    return tuple(summands)


def test_probabilities_are_those_of_the_sums_of_beliefs():
    knowledge, valued = random_knowledge(), np.zeros(49)
    predictor, largest = Predictor(knowledge), largest_of_normals()
    found, matcher, tables = new_candidates(), new_matcher(7), 0
    for number, game in enumerate(positions()):
        if number % 6 != 5:
            continue
        count = match_moves_into(
            matcher, knowledge.keys, game.board, memory_of(game), game.to_play, True, found
        )
        list_slots(matcher, game.to_play, found, count)
        tables += (found.templates[:count] > 0).sum()
        values = [moments(knowledge, found, i) for i in range(count)]
        best = value_moves(knowledge, matcher, game.to_play, found, count, valued)
        sums = [sum(mean for mean, _ in summands) for summands in values]
        assert valued[:count].tolist() == pytest.approx(sums)
        assert best == max(valued[:count])
        groups = Counter(values)
        means = [
            sum(m for m, _ in group) + BETA_SQUARED**0.5 * largest[n, 0]
            for group, n in groups.items()
        ]
        variances = [
            sum(v for _, v in group) + BETA_SQUARED * largest[n, 1] for group, n in groups.items()
        ]
        chances = dict(zip(groups, best_probabilities(means, variances), strict=True))
        expected = {
            int(found.points[i]): chances[values[i]] / groups[values[i]] for i in range(count)
        }
        got = predictor.of_game(game, game.to_play)
        assert list(got) == list(expected)
        assert list(got.values()) == pytest.approx(list(expected.values()), abs=2e-4)
        assert sum(got.values()) == pytest.approx(1.0)
        behind = predictor.behind(position_of(game, game.to_play))
        assert list(behind) == list(got)
        assert list(behind.values()) == pytest.approx([best - mean for mean in sums])
    assert tables > 20


def test_positions_in_any_order_and_of_any_size():
    knowledge = random_knowledge()
    predictor = Predictor(knowledge)
    games = [game.copy() for game in positions()]
    for game in (games[20], Game(5), games[3], games[29]):
        for color in (BLACK, WHITE):
            fresh = Predictor(knowledge).of_game(game, color)
            assert predictor.of_game(game, color) == fresh


def test_a_model_without_knowledge_finds_all_moves_alike():
    chances = Predictor(no_patterns()).of_game(Game(3), BLACK)
    assert list(chances.values()) == pytest.approx([1 / 9] * 9, rel=0.02)


def test_no_legal_move():
    game = Game(2)
    game.setup([27, 28, 53], [], BLACK)
    assert Predictor(no_patterns()).of_game(game, WHITE) in ({}, {54: 1.0})
