"""engine.patterns.contender_facts and .trees against their twin, and the values of moves."""

import numpy as np
import pytest

from engine.go.geometry import AREA, PASS, to_column_row
from engine.patterns.choice import MEAN, VARIANCE
from engine.patterns.contender_facts import rank_moves, write_facts
from engine.patterns.contenders import (
    CONTENDERS,
    CONTEXT_GROUPS,
    LANES,
    OWNER_FACTS,
    choose_contenders,
)
from engine.patterns.context import CONTEXT_ROWS, write_context
from engine.patterns.evidence import (
    EVIDENCE_GROUPS,
    LAST_MOVE,
    MOVE_BEFORE,
    THIRD_LAST,
)
from engine.patterns.matching import match_moves_into, new_candidates, new_matcher
from engine.patterns.position import position_of
from engine.patterns.predictor import Predictor, new_prediction_work
from engine.patterns.trees import DEPTH, LEAVES, Trees, add_leaves, find_leaves, no_trees
from engine.patterns.valuing import class_slot, evidence_row, value_moves
from tests.patterns.group_names import GROUP_NAMES
from tests.patterns.test_predictor import random_knowledge
from tests.reference import trees as twin
from tests.reference.context import Moves
from tests.reference.games import COLOR_NAME, random_game

SIZE, LENGTH, SEED = 7, 30, 3


def random_trees(count=12, seed=5, facts=OWNER_FACTS):
    """Return trees that ask about all kinds of facts."""
    rng = np.random.default_rng(seed)
    questions = np.stack(
        [rng.integers(0, facts, (count, DEPTH)), rng.integers(-5, 40, (count, DEPTH))], axis=2
    ).astype(np.int16)
    means, variances = rng.normal(size=(count, LEAVES)), rng.uniform(0.01, 0.1, (count, LEAVES))
    return Trees(questions, means.astype(np.float32), variances.astype(np.float32))


@pytest.fixture(scope="module")
def knowledge():
    rng = np.random.default_rng(7)
    context = np.stack([rng.normal(size=CONTEXT_ROWS), np.full(CONTEXT_ROWS, 0.1)], axis=1)
    return random_knowledge(SIZE, LENGTH, SEED)._replace(context=context)


def positions():
    """Yield (turn, position before it) of the random game that the model knows."""
    from engine import Game

    game = Game(SIZE)
    for turn in random_game(SIZE, LENGTH, SEED):
        yield turn, position_of(game, turn.color)
        game.play(turn.color, turn.move)


def pair_of(point):
    return to_column_row(int(point)) if point != PASS else None


def candidates_of(knowledge, matcher, found, count, color, values):
    """Return the legal moves for the twin."""
    listed = []
    evidence = found.evidence.reshape(-1, EVIDENCE_GROUPS)
    context = found.context.reshape(-1, CONTEXT_GROUPS)
    for i in range(count):
        point, template = int(found.points[i]), int(found.templates[i])
        vertex = (color - 1) * AREA + point
        variance = 0
        if template:
            variance = int(knowledge.values[class_slot(matcher, vertex, template), VARIANCE])
        rows = [evidence_row(group, evidence[i, group]) for group in range(EVIDENCE_GROUPS)]
        listed.append(
            twin.Candidate(
                point=to_column_row(point),
                value=float(values[i]),
                template=template,
                mean=float(matcher.values[vertex]),
                log_variance=variance,
                evidence=[float(knowledge.evidence[row, MEAN]) for row in rows],
                context=[float(knowledge.context[r, MEAN]) if r >= 0 else 0.0 for r in context[i]],
                classes=dict(zip(GROUP_NAMES, evidence[i].tolist(), strict=True)),
            )
        )
    return listed


def test_facts_and_leaves_are_the_twins(knowledge):
    matcher, found, values, trees = (
        new_matcher(SIZE),
        new_candidates(),
        np.zeros(49),
        random_trees(),
    )
    contenders, compared, leaves_met = found.contenders, 0, set()
    for turn, position in positions():
        board, memory, color = position.board, position.memory, position.color
        count = match_moves_into(matcher, knowledge.keys, board, memory, color, True, found)
        write_context(matcher, board, memory, color, found, count)
        value_moves(knowledge, matcher, color, found, count, values)
        chosen = int(write_facts(knowledge, matcher, position, found, count, values))
        listed = candidates_of(knowledge, matcher, found, count, color, values)
        best = twin.contenders(listed, CONTENDERS)
        moves = Moves(*(pair_of(memory[i]) for i in (LAST_MOVE, MOVE_BEFORE, THIRD_LAST)))
        assert chosen == len(best)
        add_leaves(trees.questions, trees.means, contenders, np.int64(MEAN))
        add_leaves(trees.questions, trees.variances, contenders, np.int64(VARIANCE))
        sums = contenders.sums[:chosen].copy()
        for lane in range(chosen):
            one = listed[contenders.order[lane]]
            expected = twin.facts(turn.oracle, COLOR_NAME[color], moves, one, best)
            assert contenders.facts[:OWNER_FACTS, lane].tolist() == expected
            belief = np.zeros(2)
            for tree in range(len(trees.questions)):
                leaf = twin.leaf(trees.questions[tree].tolist(), expected)
                find_leaves(trees.questions, tree, contenders.facts, contenders.leaves)
                assert contenders.leaves[lane] == leaf
                leaves_met.add((tree, leaf))
                belief += trees.means[tree, leaf], trees.variances[tree, leaf]
            assert sums[lane].tolist() == pytest.approx(belief.tolist())
            compared += 1
    assert compared > 200
    assert len(leaves_met) > 3 * len(trees.questions)


def test_equal_candidates_at_the_last_place_are_all_left_out():
    order, values = np.zeros(LANES, np.int64), np.arange(CONTENDERS + 5, dtype=float)
    assert choose_contenders(values, np.int64(CONTENDERS), order) == CONTENDERS
    assert choose_contenders(values, np.int64(len(values)), order) == CONTENDERS
    assert order[:CONTENDERS].tolist() == list(range(CONTENDERS + 4, 4, -1))
    values[4:7] = 5.0
    assert choose_contenders(values, np.int64(len(values)), order) == CONTENDERS - 2
    assert choose_contenders(np.zeros(30), np.int64(30), order) == 0


def test_trees_add_their_leaves_to_values_and_move_probabilities(knowledge):
    trees, changed = random_trees(), 0
    informed = knowledge._replace(trees=trees)
    matcher, work = new_matcher(SIZE), new_prediction_work(informed.summands)
    plain, behind, found = np.zeros(49), np.zeros(49), new_candidates()
    for _, position in positions():
        count = rank_moves(knowledge, no_trees(), matcher, position, work.candidates, plain)
        assert work.candidates.contenders.count[0] == 0
        assert rank_moves(informed, trees, matcher, position, found, behind) == count
        contenders = found.contenders
        values = -plain[:count]
        for lane in range(contenders.count[0]):
            values[contenders.order[lane]] += contenders.sums[lane, MEAN]
        assert behind[:count].tolist() == pytest.approx((values.max() - values).tolist())
        assert behind[:count].min() == 0.0
        predictor = Predictor(informed)
        chances, distances = predictor.probabilities(position), predictor.behind(position)
        assert sum(chances.values()) == pytest.approx(1.0)
        assert list(distances.values()) == behind[:count].tolist()
        changed += chances != Predictor(knowledge).probabilities(position)
    assert changed > 20


def test_context_and_trees_are_summands_of_a_candidate(knowledge):
    informed = knowledge._replace(trees=random_trees())
    assert random_knowledge().summands < knowledge.summands < informed.summands


def test_a_position_that_is_matched_again_has_the_same_values(knowledge):
    matcher, found = new_matcher(SIZE), new_candidates()
    first, again = np.zeros(49), np.zeros(49)
    for _, position in positions():
        count = rank_moves(knowledge, no_trees(), matcher, position, found, first)
        rank_moves(knowledge, no_trees(), matcher, position, found, again)
        assert again[:count].tolist() == first[:count].tolist()
