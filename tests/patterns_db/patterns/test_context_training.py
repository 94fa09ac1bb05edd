"""Training of the context: a plain loop that puts all other beliefs back, and its table."""

import numpy as np
import pytest

from engine import Game
from engine.errors import ModelFormatError
from engine.go.board import empty_board, place
from engine.patterns.choice import VARIANCE, group_candidates, new_choice
from engine.patterns.context import CONTEXT_ROWS, write_context
from engine.patterns.evidence import new_memory, remember_move
from engine.patterns.matching import (
    CONTEXT_GROUPS,
    list_slots,
    match_moves_into,
    new_candidates,
    new_matcher,
)
from engine.patterns.predictor import Predictor
from engine.patterns.ranking import learn_from_move
from engine.patterns.valuing import CONTEXT_SUMMANDS, EVIDENCE_ROWS, beliefs_of, summands_into
from patterns_db.patterns import context_training
from patterns_db.patterns.context_table import read_context, write_context_table
from patterns_db.patterns.context_training import new_context, train_context
from patterns_db.patterns.evaluation import LOG_EVIDENCE, EvaluatedModel, evaluate
from patterns_db.patterns.training import TOLERANCE
from patterns_db.records.archive import pack_games
from tests.patterns.test_predictor import random_knowledge
from tests.patterns_db.collections import random_collection


@pytest.fixture(scope="module")
def games():
    return random_collection(4, size=7, length=20)


@pytest.fixture(scope="module")
def knowledge():
    return random_knowledge()


@pytest.fixture(scope="module")
def learned(games, knowledge):
    return train_context(pack_games(games), knowledge)


def test_training_is_a_loop_that_puts_all_other_beliefs_back(games, knowledge, learned):
    slots = len(knowledge.keys)
    start = beliefs_of(knowledge._replace(context=new_context()))
    fixed, beliefs = slots + EVIDENCE_ROWS, start.copy()
    choice, found = new_choice(49, CONTEXT_SUMMANDS), new_candidates()
    rows = np.zeros((49, CONTEXT_SUMMANDS), np.int64)
    for game in games:
        board, memory, matcher = empty_board(7), new_memory(), new_matcher(7)
        for color, move in zip(game.colors, game.moves, strict=True):
            count = match_moves_into(matcher, knowledge.keys, board, memory, color, True, found)
            list_slots(matcher, color, found, count)
            write_context(matcher, board, memory, color, found, count)
            summands_into(found, count, slots, False, rows)
            context = found.context[: count * CONTEXT_GROUPS].reshape(count, -1)
            own = np.where(context < 0, -1, fixed + context)
            assert (rows[:count, -CONTEXT_GROUPS:] == own).all()
            group_candidates(choice, rows, count)
            played = found.points[:count].tolist().index(move)
            learn_from_move(choice, beliefs, played, knowledge.beta_squared, TOLERANCE)
            beliefs[:fixed] = start[:fixed]
            place(board, move, color)
            remember_move(board, memory, move)
    np.testing.assert_array_equal(learned, beliefs[fixed:])
    changed = (learned != new_context()).any(axis=1)
    assert 50 < changed.sum() < CONTEXT_ROWS
    assert (learned[changed, VARIANCE] < context_training.PRIOR_VARIANCE).all()


def test_games_are_learned_in_blocks_of_any_size(games, knowledge, learned, monkeypatch):
    monkeypatch.setattr(context_training, "BLOCK_CANDIDATES", 1)
    np.testing.assert_array_equal(train_context(pack_games(games), knowledge), learned)


def test_what_was_learned_makes_its_games_more_probable_in_evaluation_and_play(
    games, knowledge, learned
):
    informed, archive = knowledge._replace(context=learned), pack_games(games[:1])
    means = []
    for model in (knowledge, informed):
        known = EvaluatedModel("evidence", model, beliefs_of(model))
        assert known.summands == model.summands
        logs = evaluate(archive, known).outcomes[:, LOG_EVIDENCE]
        means.append(logs.mean())
    assert means[1] > means[0]
    predictor, game = Predictor(informed), Game(7)
    moves = zip(games[0].colors.tolist(), games[0].moves.tolist(), strict=True)
    for index, (color, move) in enumerate(moves):
        if index % 5 == 4:
            chance = predictor.of_game(game, color)[move]
            assert np.log(chance) == pytest.approx(logs[index], abs=1e-6)
        game.play(color, move)


def test_the_table_keeps_beliefs_and_refuses_other_files(tmp_path, learned):
    path = tmp_path / "context.table"
    write_context_table(path, learned, {"games": 4})
    np.testing.assert_allclose(read_context(path), learned, rtol=1e-6)
    assert path.with_name("context.table.MANIFEST").exists()
    for damage in (path.read_bytes()[:-1], b"no table"):
        path.write_bytes(damage)
        with pytest.raises(ModelFormatError, match=r"context\.table"):
            read_context(path)


def test_improper_beliefs_are_refused(tmp_path, learned):
    for wrong in (-1.0, np.nan):
        beliefs = learned.copy()
        beliefs[3, VARIANCE] = wrong
        write_context_table(tmp_path / "x.table", beliefs, {})
        with pytest.raises(ModelFormatError, match="contains a number"):
            read_context(tmp_path / "x.table")
