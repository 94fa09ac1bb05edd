"""Growth and training of trees against plain loops, and their table."""

from itertools import islice, pairwise

import numpy as np
import pytest

from engine import Game
from engine.errors import ModelFormatError
from engine.go.board import empty_board, place
from engine.patterns.choice import MEAN, VARIANCE, group_candidates, new_choice
from engine.patterns.contender_facts import rank_moves
from engine.patterns.contenders import CONTENDERS, FACTS
from engine.patterns.context import CONTEXT_ROWS
from engine.patterns.evidence import new_memory, remember_move
from engine.patterns.matching import list_slots, new_candidates, new_matcher
from engine.patterns.position import Position
from engine.patterns.predictor import Predictor
from engine.patterns.ranking import learn_from_move
from engine.patterns.trees import DEPTH, FACT, LEAVES, THRESHOLD
from engine.patterns.valuing import CONTEXT_SUMMANDS, EVIDENCE_ROWS, beliefs_of, summands_into
from patterns_db.patterns.evaluation import LOG_EVIDENCE, EvaluatedModel, evaluate
from patterns_db.patterns.training import TOLERANCE
from patterns_db.patterns.tree_growing import (
    GROWING,
    FactSample,
    add_up_bins,
    best_cut,
    grow_trees,
)
from patterns_db.patterns.tree_table import read_trees, write_trees
from patterns_db.patterns.tree_training import TREES, sample_facts, train_trees
from patterns_db.records.archive import pack_games
from tests.patterns.test_predictor import random_knowledge
from tests.patterns.test_trees import random_trees
from tests.patterns_db.collections import random_collection


@pytest.fixture(scope="module")
def games():
    return random_collection(4, size=7, length=20)


@pytest.fixture(scope="module")
def knowledge():
    rng = np.random.default_rng(7)
    context = np.stack([rng.normal(size=CONTEXT_ROWS), np.full(CONTEXT_ROWS, 0.1)], axis=1)
    return random_knowledge()._replace(context=context)


@pytest.fixture(scope="module")
def learned(games, knowledge):
    return train_trees(pack_games(games), knowledge, random_trees())


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
        for questions, beliefs in zip(trees.questions, trees.beliefs, strict=True):
            for lane in range(CONTENDERS):
                answers = [facts[lane, fact] > threshold for fact, threshold in questions]
                sums[lane] += beliefs[sum(a << level for level, a in enumerate(answers)), MEAN]
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
    np.testing.assert_array_equal(again.beliefs, trees.beliefs)


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
        assert trees.beliefs[0, number, MEAN] == pytest.approx(expected)


def test_the_best_cut_is_the_best_of_all():
    rng = np.random.default_rng(4)
    bins = rng.integers(0, 6, 300).astype(np.uint8)
    leaves = rng.integers(0, 4, 300).astype(np.uint8)
    gradients = np.stack([rng.normal(size=300) + (bins > 2), rng.uniform(0.1, 1, 300)], axis=1)
    sums = np.ones((LEAVES, 64, 2))
    add_up_bins(bins, leaves, gradients, np.int64(4), sums)
    gain, place = best_cut(sums, np.int64(4), np.int64(5), np.full(63, np.nan))
    gains = []
    for cut in range(5):
        parts = [gradients[(leaves == n) & (s == (bins > cut))] for n in range(4) for s in (0, 1)]
        gains.append(
            sum(p[:, 0].sum() ** 2 / (p[:, 1].sum() + GROWING.leaf_precision) for p in parts)
        )
    assert place == np.argmax(gains)
    assert gain == pytest.approx(max(gains))


def test_a_sample_holds_the_models_probabilities(games, knowledge):
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


def test_training_is_a_loop_that_puts_all_other_beliefs_back(games, knowledge, learned):
    trees, slots = random_trees(), len(knowledge.keys)
    prior = trees.beliefs.reshape(-1, 2).copy()
    prior[:, MEAN] *= TREES.value_of_nat
    prior[:, VARIANCE] = TREES.prior_variance
    start = np.concatenate([beliefs_of(knowledge), prior])
    fixed, beliefs = slots + EVIDENCE_ROWS + CONTEXT_ROWS, start.copy()
    width = CONTEXT_SUMMANDS + len(trees.questions)
    choice, found, behind = new_choice(49, width), new_candidates(), np.zeros(49)
    rows, own = np.zeros((49, width), np.int64), np.zeros((49, CONTEXT_SUMMANDS), np.int64)
    informed = knowledge._replace(trees=trees)
    for game in games:
        board, memory, matcher = empty_board(7), new_memory(), new_matcher(7)
        for color, move in zip(game.colors, game.moves, strict=True):
            position = Position(board, memory, color, 0, 0.0, True)
            count = rank_moves(informed, matcher, position, found, behind)
            list_slots(matcher, color, found, count)
            summands_into(found, count, slots, False, own)
            rows[:] = -1
            rows[:, :CONTEXT_SUMMANDS] = own
            contenders = found.contenders
            for lane in range(contenders.count[0]):
                for tree, questions in enumerate(trees.questions.tolist()):
                    answers = [contenders.facts[q[FACT], lane] > q[THRESHOLD] for q in questions]
                    leaf = sum(answer << level for level, answer in enumerate(answers))
                    row = fixed + tree * LEAVES + leaf
                    rows[contenders.order[lane], CONTEXT_SUMMANDS + tree] = row
            group_candidates(choice, rows, count)
            played = found.points[:count].tolist().index(move)
            learn_from_move(choice, beliefs, played, knowledge.beta_squared, TOLERANCE)
            beliefs[:fixed] = start[:fixed]
            place(board, move, color)
            remember_move(board, memory, move)
    np.testing.assert_array_equal(learned.beliefs.reshape(-1, 2), beliefs[fixed:])
    changed = learned.beliefs[:, :, VARIANCE] < TREES.prior_variance
    assert 50 < changed.sum() < changed.size


def test_evaluation_and_play_agree_with_trees(games, knowledge, learned):
    informed = knowledge._replace(trees=learned)
    archive = pack_games(games[:2])
    model = EvaluatedModel("evidence", informed, beliefs_of(informed))
    logs, index = evaluate(archive, model).outcomes[:, LOG_EVIDENCE], 0
    predictor = Predictor(informed)
    for record in games[:2]:
        game = Game(7)
        for color, move in zip(record.colors.tolist(), record.moves.tolist(), strict=True):
            chance = predictor.of_game(game, color)[move]
            assert np.log(chance) == pytest.approx(logs[index], abs=1e-9)
            index += 1
            game.play(color, move)
    plain = EvaluatedModel("evidence", knowledge, beliefs_of(knowledge))
    assert (evaluate(archive, plain).outcomes[:, LOG_EVIDENCE] != logs).mean() > 0.5


def test_the_table_keeps_trees_and_refuses_other_files(tmp_path, learned):
    path = tmp_path / "trees.table"
    write_trees(path, learned, {"games": 4})
    np.testing.assert_array_equal(read_trees(path).questions, learned.questions)
    np.testing.assert_allclose(read_trees(path).beliefs, learned.beliefs, rtol=1e-6)
    assert path.with_name("trees.table.MANIFEST").exists()
    for damage in (path.read_bytes()[:-1], b"no table"):
        path.write_bytes(damage)
        with pytest.raises(ModelFormatError, match=r"trees\.table"):
            read_trees(path)


def test_improper_trees_are_refused(tmp_path, learned):
    path = tmp_path / "x.table"
    beliefs, questions = learned.beliefs.copy(), learned.questions.copy()
    beliefs[0, 0, VARIANCE] = -1.0
    questions[0, 0, FACT] = FACTS
    for wrong in (learned._replace(beliefs=beliefs), learned._replace(questions=questions)):
        write_trees(path, wrong, {})
        with pytest.raises(ModelFormatError, match="contains a number"):
            read_trees(path)
    write_trees(path, learned._replace(questions=questions[:0], beliefs=beliefs[:0]), {})
    with pytest.raises(ModelFormatError, match="holds no trees"):
        read_trees(path)
    assert DEPTH == learned.questions.shape[1]
