"""Evaluation and play agree: one path from a table to the probability of a move.

`yomi evaluate` and the player share a kernel. Training learns from nested
classes. The search wants only mean values. All must agree on every legal move.
"""

import numpy as np
import pytest

from engine import BLACK, Game
from engine.arrays import ROOT
from engine.patterns.choice import MEAN, fetch_beliefs, group_candidates, new_choice
from engine.patterns.matching import list_slots, match_moves_into, new_candidates, new_matcher
from engine.patterns.position import memory_of, position_of
from engine.patterns.predictor import (
    GRID_POINTS,
    Predictor,
    group_moves,
    new_prediction_work,
    predict,
)
from engine.patterns.valuing import MOVE_SUMMANDS, NESTED_SUMMANDS, summands_into
from engine.rollout.uniform import is_playable
from engine.search.children import expand
from engine.search.model import SearchModel
from engine.search.tree import STEP_MEAN, new_tree
from engine.search.work import new_search_work
from patterns_db.patterns.checkpoints import add_up, export, gather
from patterns_db.patterns.evaluation import LOG_EVIDENCE, evaluate, open_model
from patterns_db.patterns.harvest import harvest
from patterns_db.patterns.packed import begin_game, color_of, next_choice, preparer_for
from patterns_db.patterns.training import Trainer, TrainingSettings, new_learned, place_classes
from patterns_db.records.archive import pack_games
from patterns_db.store.table_files import read_patterns
from tests.patterns.keys import all_beliefs
from tests.patterns_db.collections import random_collection
from tests.search.growing import children_of

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
    Trainer(archive, classes, learned, TrainingSettings((), beta=BETA_SQUARED**0.5)).run()
    file = tmp_path_factory.mktemp("tables") / "small.table"
    export(file, found, gather(learned, classes), {}, BETA_SQUARED, ("evidence",))
    return file, found, classes, learned


@pytest.fixture(scope="module")
def table(trained):
    return read_patterns(trained[0]).knowledge


def played_positions(games):
    """Yield (game before the move, color, move) for every move."""
    for record in games:
        game = Game(record.size)
        for color, move in zip(record.colors.tolist(), record.moves.tolist(), strict=True):
            yield game, color, move
            game.play(color, move)


def test_evaluation_and_play_agree(games, trained, table):
    predictor = Predictor(table)
    outcomes = evaluate(pack_games(games), open_model(trained[0], "evidence")).outcomes
    expected = [
        predictor.of_game(game, color)[move] for game, color, move in played_positions(games)
    ]
    assert len(expected) > 20
    assert outcomes[:, LOG_EVIDENCE].tolist() == np.log(expected).tolist()


def test_evaluation_equals_training_before_it_learns(games, trained):
    """Summands of the nested classes, by the beliefs about differences, and the sums of these.

    A sum of 14 differences of its own and the difference of two such sums are rounded differently,
    and candidates of one class are one group either way. So the values are nearly the same, not the
    same bits.
    """
    _, found, classes, learned = trained
    whole = learned.evidence.copy()
    add_up(whole, found, classes.rows)
    archive, slots = pack_games(games), len(classes.keys)
    work = new_prediction_work(MOVE_SUMMANDS)
    candidates, summands = work.candidates, np.zeros((SIZE**2, NESTED_SUMMANDS), np.int64)
    choice, chances = new_choice(SIZE**2, NESTED_SUMMANDS), np.zeros(SIZE**2)
    for board, memory, matcher, color in positions_of(archive):
        count = match_moves_into(matcher, classes.keys, board, memory, color, True, candidates)
        list_slots(matcher, color, candidates, count)
        group_moves(work, count, slots)
        fetch_beliefs(work.choice, whole)
        predict(work.choice, count, BETA_SQUARED, GRID_POINTS, work.probability)
        expected = work.probability[:count].tolist()
        summands_into(candidates, count, slots, True, summands)
        group_candidates(choice, summands, count)
        fetch_beliefs(choice, learned.evidence)
        predict(choice, count, BETA_SQUARED, GRID_POINTS, chances)
        assert chances[:count].tolist() == pytest.approx(expected, abs=1e-9)


def positions_of(archive):
    """Yield (board, memory, matcher, color to play) before each choice of some games."""
    for game in range(archive.games):
        board, memory, matcher = preparer_for({}, SIZE)
        moves = archive.moves[archive.starts[game] : archive.starts[game + 1]]
        begin_game(board, memory, SIZE)
        i = next_choice(board, memory, moves, -1)
        while i < len(moves):
            yield board, memory, matcher, color_of(int(moves[i]))
            i = next_choice(board, memory, moves, i)


def summed_means(knowledge, game, color):
    """Return the mean value of each legal move by its summands, as predictions weigh them."""
    found, matcher = new_candidates(), new_matcher(game.size)
    memory = memory_of(game)
    count = match_moves_into(matcher, knowledge.keys, game.board, memory, color, True, found)
    list_slots(matcher, color, found, count)
    rows = np.zeros((count, MOVE_SUMMANDS), np.int64)
    summands_into(found, count, len(knowledge.keys), False, rows)
    beliefs = all_beliefs(knowledge)
    means = [beliefs[row[row >= 0], MEAN].sum() for row in rows]
    return dict(zip(found.points[:count].tolist(), means, strict=True))


def test_the_search_values_moves_alike(games, table):
    """The steps to a new node's children are the differences of these values.

    The values are added in another order, so the last digits may differ.
    """
    model = SearchModel(prior_scale=1.0, prior_window=np.inf)
    work, different = new_search_work(SIZE, 1), set()
    for game, color, _ in played_positions(games):
        values = summed_means(table, game, color)
        best = max(values.values())
        tree = new_tree(100)
        position = position_of(game, color)._replace(board=game.board.copy(), passes=0)
        assert expand(tree, ROOT, position, model, table, work)
        sign = 1.0 if color == BLACK else -1.0
        steps = {
            int(tree.move[child]): sign * tree.step[child, STEP_MEAN]
            for child in children_of(tree, ROOT)
        }
        for point, value in values.items():
            if is_playable(game.board, point, color):
                assert abs(steps[point] - (value - best)) < 1e-12
        different.update(steps.values())
    assert len(different) > 100
