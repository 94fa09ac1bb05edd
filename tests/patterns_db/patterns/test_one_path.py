"""Evaluation and play agree: one path from a table to the probability of a move.

`yomi evaluate` prepares the positions of whole games and unpacks the whole table. The player
follows a board and unpacks only the beliefs of a position. The search wants only mean values. All
three must agree on every legal move, to the last bit where the arithmetic is the same.
"""

import numpy as np
import pytest

from engine import Game
from engine.jit import JIT_ENABLED
from engine.patterns.choice import fetch_beliefs, group_candidates, new_choice
from engine.patterns.matching import new_candidates
from engine.patterns.prediction import GRID_POINTS, predict
from engine.patterns.predictor import Predictor, new_prediction_work
from engine.patterns.valuing import (
    CONTEXT_SUMMANDS,
    MOVE_SUMMANDS,
    NESTED_SUMMANDS,
    beliefs_of,
    summands_into,
)
from patterns_db.patterns.checkpoints import add_up, export, gather
from patterns_db.patterns.evaluation import LOG_EVIDENCE, evaluate, open_model, predict_position
from patterns_db.patterns.harvest import harvest
from patterns_db.patterns.positions import (
    MOVES,
    new_positions,
    prepare_games,
    recall_candidates,
    room_for,
)
from patterns_db.patterns.training import Trainer, new_learned, place_classes
from patterns_db.records.archive import pack_games
from patterns_db.shipped import load_knowledge
from patterns_db.store.table_files import read_patterns
from tests.patterns_db.collections import random_collection

SIZE, BETA_SQUARED = 7, 0.8


@pytest.fixture(scope="module")
def games():
    """Return games that the models meet for the first time."""
    return random_collection(3, size=SIZE, length=24, seed=40)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Return the file of a table, with the classes and beliefs in training that it came from."""
    archive = pack_games(random_collection(6, size=SIZE, length=24))
    found = harvest(archive)
    classes = place_classes(found)
    learned = new_learned(len(classes.keys))
    Trainer(archive, classes, learned, BETA_SQUARED, models=("evidence",)).run()
    file = tmp_path_factory.mktemp("tables") / "small.table"
    export(file, found, gather(learned, classes), {}, BETA_SQUARED, ("evidence",))
    return file, found, classes, learned


@pytest.fixture(scope="module")
def table(trained):
    return read_patterns(trained[0]).knowledge


def prepared(games, keys, with_context=False):
    """Return the positions of some games as evaluation and training have them."""
    archive = pack_games(games)
    positions = new_positions(*room_for(archive, 1 << 20), with_context)
    prepare_games({}, keys, archive, 0, archive.games, positions)
    return positions


def played_positions(games):
    """Yield (game before the move, color, move) for every move."""
    for record in games:
        game = Game(record.size)
        for color, move in zip(record.colors.tolist(), record.moves.tolist(), strict=True):
            yield game, color, move
            game.play(color, move)


def evaluated(games, keys, beliefs, beta_squared, summands=MOVE_SUMMANDS):
    """Yield the probabilities that evaluation gives to the candidates of each position."""
    positions = prepared(games, keys, summands == CONTEXT_SUMMANDS)
    work = new_prediction_work(summands)
    for index in range(positions.meta[MOVES]):
        count = predict_position(work, positions, index, len(keys), beliefs, beta_squared)
        yield work.probability[:count].tolist(), int(positions.played[index])


def assert_evaluated_is_played(games, knowledge):
    """Compare the two to the last bit: they add the same numbers in the same order."""
    beliefs = beliefs_of(knowledge)
    predictor, positions = Predictor(knowledge), 0
    model = knowledge.keys, beliefs, knowledge.beta_squared, knowledge.summands
    judged = evaluated(games, *model)
    for (game, color, move), (chances, played) in zip(played_positions(games), judged, strict=True):
        expected = predictor.of_game(game, color)
        assert list(expected.values()) == chances
        assert list(expected)[played] == move
        positions += 1
    assert positions > 20


def test_evaluation_and_play_agree(games, table):
    assert_evaluated_is_played(games, table)


@pytest.mark.skipif(not JIT_ENABLED, reason="unpacking millions of beliefs takes long")
def test_evaluation_and_play_agree_with_the_shipped_table(games):
    patterns = load_knowledge().patterns
    assert patterns is not None
    assert_evaluated_is_played(games[:1], patterns)


def test_the_report_is_about_these_probabilities(games, trained, table):
    predictor = Predictor(table)
    outcomes = evaluate(pack_games(games), open_model(trained[0], "evidence")).outcomes
    expected = [
        predictor.of_game(game, color)[move] for game, color, move in played_positions(games)
    ]
    assert outcomes[:, LOG_EVIDENCE] == pytest.approx(np.log(expected), rel=1e-12)


def test_evaluation_equals_training_before_it_learns(games, trained):
    """Summands of the nested classes, by the beliefs about differences, and the sums of these.

    A sum of 14 differences of its own and the difference of two such sums are rounded differently,
    and candidates of one class are one group either way. So the values are nearly the same, not the
    same bits.
    """
    _, found, classes, learned = trained
    whole = learned.evidence.copy()
    add_up(whole, found, classes.rows)
    positions, slots = prepared(games, classes.keys), len(classes.keys)
    candidates, summands = new_candidates(), np.zeros((SIZE**2, NESTED_SUMMANDS), np.int64)
    choice, chances = new_choice(SIZE**2, NESTED_SUMMANDS), np.zeros(SIZE**2)
    for index, (expected, _) in enumerate(evaluated(games, classes.keys, whole, BETA_SQUARED)):
        count = recall_candidates(positions, index, candidates)
        summands_into(candidates, count, slots, True, summands)
        group_candidates(choice, summands, count)
        fetch_beliefs(choice, learned.evidence)
        predict(choice, count, BETA_SQUARED, GRID_POINTS, chances)
        assert chances[:count].tolist() == pytest.approx(expected, abs=1e-9)
