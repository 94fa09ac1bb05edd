"""Training of the context and of leaves: a plain loop that puts all other beliefs back, tables."""

import numpy as np
import pytest

from engine import Game
from engine.errors import ModelFormatError
from engine.go.board import empty_board, place
from engine.patterns.choice import MEAN, VARIANCE, group_candidates, new_choice
from engine.patterns.contender_facts import rank_moves
from engine.patterns.contenders import FACTS, LANES, RESPONSES
from engine.patterns.context import CONTEXT_ROWS
from engine.patterns.evidence import new_memory, remember_move
from engine.patterns.matching import list_slots, new_candidates, new_matcher
from engine.patterns.position import Position
from engine.patterns.predictor import Predictor, load_moves, new_prediction_work
from engine.patterns.ranking import learn_from_move
from engine.patterns.responses import Responses, write_keys
from engine.patterns.table import find_slot
from engine.patterns.trees import FACT, LEAVES, THRESHOLD, Trees, no_trees
from engine.patterns.valuing import CONTEXT_SUMMANDS, EVIDENCE_ROWS, summands_into
from patterns_db.patterns import added_training
from patterns_db.patterns.added_tables import (
    read_context,
    read_responses,
    read_trees,
    write_context_table,
    write_responses,
    write_trees,
)
from patterns_db.patterns.added_training import (
    ADDED,
    new_context,
    train_context,
    train_responses,
    train_trees,
)
from patterns_db.patterns.evaluation import LOG_EVIDENCE, EvaluatedModel, evaluate
from patterns_db.patterns.training import TOLERANCE
from patterns_db.records.archive import pack_games
from tests.patterns.keys import all_beliefs
from tests.patterns.test_predictor import random_knowledge
from tests.patterns.test_trees import random_trees
from tests.patterns_db.collections import random_collection


def informed_knowledge():
    """Return a model with a random context."""
    rng = np.random.default_rng(7)
    context = np.stack([rng.normal(size=CONTEXT_ROWS), np.full(CONTEXT_ROWS, 0.1)], axis=1)
    return random_knowledge()._replace(context=context)


@pytest.fixture(scope="module")
def games():
    return random_collection(4, size=7, length=20)


@pytest.fixture(scope="module")
def context(games):
    return train_context(pack_games(games), random_knowledge())


@pytest.fixture(scope="module")
def trees(games):
    return train_trees(pack_games(games), informed_knowledge(), random_trees())


def learned_by_a_loop(games, knowledge, added):
    """Return beliefs after learning all of them from each move and putting the first ones back.

    added  float64[n, 2], the prior of the beliefs that are learned, after those of the table
    """
    questions, slots = knowledge.trees.questions.tolist(), len(knowledge.keys)
    # A row without effect a lane makes each contender a group of its own, as in play.
    start = np.concatenate([all_beliefs(knowledge), added, np.zeros((LANES, 2))])
    fixed, own = slots + EVIDENCE_ROWS, np.zeros((49, CONTEXT_SUMMANDS), np.int64)
    if questions:
        fixed += CONTEXT_ROWS
    else:
        start = np.concatenate([start[:fixed], added, np.zeros((LANES, 2))])
    beliefs, width = start.copy(), CONTEXT_SUMMANDS + len(questions) + 1
    choice, found, behind = new_choice(49, width), new_candidates(), np.zeros(49)
    for game in games:
        board, memory, matcher = empty_board(7), new_memory(), new_matcher(7)
        for color, move in zip(game.colors, game.moves, strict=True):
            position = Position(board, memory, color, 0, 0.0, True)
            count = rank_moves(knowledge, knowledge.trees, matcher, position, found, behind)
            list_slots(matcher, color, found, count)
            summands_into(found, count, slots, False, own)
            rows = np.full((49, width), -1)
            rows[:, :CONTEXT_SUMMANDS] = own
            contenders = found.contenders
            for lane in range(contenders.count[0]):
                for tree, asked in enumerate(questions):
                    answers = [contenders.facts[q[FACT], lane] > q[THRESHOLD] for q in asked]
                    leaf = sum(answer << level for level, answer in enumerate(answers))
                    row = fixed + tree * LEAVES + leaf
                    rows[contenders.order[lane], CONTEXT_SUMMANDS + tree] = row
                rows[contenders.order[lane], -1] = len(start) - LANES + lane
            group_candidates(choice, rows, count)
            played = found.points[:count].tolist().index(move)
            learn_from_move(choice, beliefs, played, knowledge.beta_squared, TOLERANCE)
            beliefs[:fixed], beliefs[-LANES:] = start[:fixed], 0.0
            place(board, move, color)
            remember_move(board, memory, move)
    return beliefs[fixed:-LANES]


def test_the_context_is_learned_as_by_a_loop(games, context):
    knowledge = random_knowledge()._replace(context=new_context())
    expected = learned_by_a_loop(games, knowledge, new_context())
    np.testing.assert_array_equal(context, expected)
    changed = (context != new_context()).any(axis=1)
    assert 50 < changed.sum() < CONTEXT_ROWS
    assert (context[changed, VARIANCE] < ADDED.context_variance).all()


def test_leaves_are_learned_as_by_a_loop(games, trees):
    start = random_trees()
    means = ADDED.value_of_nat * start.means.ravel()
    prior = np.stack([means, np.full(len(means), ADDED.leaf_variance)], axis=1)
    expected = learned_by_a_loop(games, informed_knowledge()._replace(trees=start), prior)
    np.testing.assert_allclose(trees.means.ravel(), expected[:, MEAN], atol=1e-5)
    np.testing.assert_allclose(trees.variances.ravel(), expected[:, VARIANCE], 1e-5)
    changed = trees.variances < 0.9999 * ADDED.leaf_variance
    assert 50 < changed.sum() < changed.size


def test_responses_are_learned_as_by_a_loop(games, trees, monkeypatch):
    for name in ("CLASSES_MET", "CLASSES_KNOWN"):  # few moves have more of them
        monkeypatch.setattr(added_training, name, 1000)
    knowledge = informed_knowledge()._replace(trees=trees)
    learned = train_responses(pack_games(games), knowledge, 10**6)
    first = len(knowledge.keys) + EVIDENCE_ROWS + CONTEXT_ROWS  # then a row a lane
    beliefs = np.concatenate([all_beliefs(knowledge), np.zeros((LANES + 10**4, 2))])
    beliefs[first + LANES :, VARIANCE] = ADDED.response_variance
    start, work = beliefs.copy(), new_prediction_work(knowledge.summands)
    width = knowledge.summands + RESPONSES
    choice, met, rows = new_choice(49, width), set(), {}
    for game in games:
        board, memory, matcher = empty_board(7), new_memory(), new_matcher(7)
        for color, move in zip(game.colors, game.moves, strict=True):
            position = Position(board, memory, color, 0, 0.0, True)
            count = load_moves(knowledge, matcher, position, work)
            write_keys(matcher, position, work.candidates)
            contenders = work.candidates.contenders
            beliefs[:first] = start[:first]
            beliefs[first : first + LANES] = contenders.sums
            summands = np.full((49, width), -1)
            summands[:, : knowledge.summands] = work.summands[:49]
            keys = contenders.keys[:, : contenders.count[0]]
            for (kind, lane), key in np.ndenumerate(keys):
                summands[contenders.order[lane], kind - RESPONSES] = rows.get(key, -1)
            group_candidates(choice, summands, count)
            played = work.candidates.points[:count].tolist().index(move)
            learn_from_move(choice, beliefs, played, knowledge.beta_squared, TOLERANCE)
            for key in keys.ravel()[keys.ravel() > 0]:
                if key in met:  # and from now on known
                    rows.setdefault(key, first + LANES + len(rows))
                met.add(key)
            place(board, move, color)
            remember_move(board, memory, move)
    assert np.count_nonzero(learned.keys) == len(rows) > 200
    for key, row in rows.items():
        slot = find_slot(learned.keys, key)
        assert learned.means[slot] == pytest.approx(beliefs[row, MEAN], abs=1e-5)
        assert learned.variances[slot] == pytest.approx(beliefs[row, VARIANCE], rel=1e-4)
    few = train_responses(pack_games(games), knowledge, 50)
    told = []
    for one in (learned, few):
        means, variances = one.means[one.keys > 0], one.variances[one.keys > 0]
        told.append(np.sort(means**2 * (1.0 / variances - 1.0 / ADDED.response_variance)))
    assert told[1] == pytest.approx(told[0][-50:])
    assert len(told[1]) == 50


def test_the_table_of_responses_refuses_other_files(tmp_path):
    path, ones = tmp_path / "responses.table", np.ones(4, np.float32)
    known = Responses(np.arange(4, dtype=np.uint32), ones, ones / 4)
    write_responses(path, known, {"games": 4})
    for written, read in zip(known, read_responses(path), strict=True):
        np.testing.assert_array_equal(written, read)
    write_responses(path, known._replace(variances=-ones), {})
    with pytest.raises(ModelFormatError, match="contains a number"):
        read_responses(path)


def test_what_was_learned_changes_evaluation_and_play_alike(games, context, trees):
    archive, logs = pack_games(games[:2]), []
    plain = random_knowledge()
    models = plain, plain._replace(context=context), informed_knowledge()._replace(trees=trees)
    for model in models:
        logs.append(evaluate(archive, EvaluatedModel("evidence", model)).outcomes[:, LOG_EVIDENCE])
        predictor, index = Predictor(model), 0
        for record in games[:2]:
            game = Game(7)
            for color, move in zip(record.colors.tolist(), record.moves.tolist(), strict=True):
                chance = predictor.of_game(game, color)[move]
                assert np.log(chance) == pytest.approx(logs[-1][index], abs=1e-9)
                index += 1
                game.play(color, move)
    assert logs[1].mean() > logs[0].mean()  # these games were learned from
    assert (logs[2] != logs[1]).mean() > 0.5


def test_the_contexts_table_refuses_other_files(tmp_path, context):
    path = tmp_path / "context.table"
    write_context_table(path, context, {"games": 4})
    np.testing.assert_allclose(read_context(path), context, rtol=1e-6)
    assert path.with_name("context.table.MANIFEST").exists()
    for damage in (path.read_bytes()[:-1], b"no table"):
        path.write_bytes(damage)
        with pytest.raises(ModelFormatError, match=r"context\.table"):
            read_context(path)


def test_an_improper_context_is_refused(tmp_path, context):
    for wrong in (-1.0, np.nan):
        beliefs = context.copy()
        beliefs[3, VARIANCE] = wrong
        write_context_table(tmp_path / "x.table", beliefs, {})
        with pytest.raises(ModelFormatError, match="contains a number"):
            read_context(tmp_path / "x.table")


def test_the_trees_table_refuses_other_files(tmp_path, trees):
    path = tmp_path / "trees.table"
    quick = Trees(trees.questions[:5], 2 * trees.means[:5], 3 * trees.variances[:5])
    write_trees(path, trees, quick, {"games": 4})
    for written, read in zip((trees, quick), read_trees(path), strict=True):
        for part, same in zip(written, read, strict=True):
            np.testing.assert_array_equal(part, same)
    assert path.with_name("trees.table.MANIFEST").exists()
    for damage in (path.read_bytes()[:-1], b"no table"):
        path.write_bytes(damage)
        with pytest.raises(ModelFormatError, match=r"trees\.table"):
            read_trees(path)


def test_improper_trees_are_refused(tmp_path, trees):
    path = tmp_path / "x.table"
    variances, questions = trees.variances.copy(), trees.questions.copy()
    variances[0, 0] = -1.0
    questions[0, 0, FACT] = FACTS
    unknown, improper = trees._replace(questions=questions), trees._replace(variances=variances)
    for pair in ((unknown, trees), (improper, trees), (trees, improper)):
        write_trees(path, *pair, {})
        with pytest.raises(ModelFormatError, match="contains a number"):
            read_trees(path)
    none = no_trees()
    more = Trees(*(np.concatenate([part, part]) for part in trees))
    for pair in ((none, none), (trees, none), (trees, more)):
        write_trees(path, *pair, {})
        with pytest.raises(ModelFormatError, match="holds no trees"):
            read_trees(path)
