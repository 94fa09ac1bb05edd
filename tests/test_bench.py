"""The measurements of ``yomi bench``: their subjects, not their results."""

import numpy as np
import pytest

from engine import BLACK, WHITE, bench, board_points
from engine.captures.reader import CaptureReader
from engine.go.board import COLOR
from engine.jit import JIT_ENABLED
from engine.patterns.choice import fetch_beliefs, group_candidates, new_choice
from engine.patterns.contender_facts import rank_moves
from engine.patterns.evidence import EVIDENCE_GROUPS
from engine.patterns.matching import new_candidates, new_matcher
from engine.patterns.position import Position
from engine.patterns.predictor import GRID_POINTS, predict
from engine.patterns.trees import no_trees
from engine.patterns.valuing import beliefs_of, no_patterns
from tests.patterns.test_predictor import random_knowledge


@pytest.mark.skipif(not JIT_ENABLED, reason="two 19x19 predictions take long")
def test_the_middle_game_is_played_by_the_model():
    knowledge = random_knowledge()
    lessons = bench.middle_game(knowledge, first=2, last=6)
    assert [lesson.color for lesson in lessons] == [BLACK, WHITE] * 2
    for number, lesson in enumerate(lessons):
        black = sum(int(lesson.board[COLOR + p] == BLACK) for p in board_points(19))
        assert black == 1 + (number + 1) // 2
        rows = lesson.summands[lesson.summands >= 0]
        unique = np.unique(rows)
        beliefs = np.zeros((unique[-1] + 1, 2))
        beliefs[unique] = beliefs_of(knowledge, unique)
        count, chance = len(lesson.summands), np.zeros(400)
        choice = new_choice(400, 1 + EVIDENCE_GROUPS)
        group_candidates(choice, lesson.summands, count)
        fetch_beliefs(choice, beliefs)
        predict(choice, count, knowledge.beta_squared, GRID_POINTS, chance)
        assert chance[lesson.played] == chance.max()


@pytest.mark.skipif(not JIT_ENABLED, reason="four 19x19 predictions take long")
def test_ranking_often_ranks_one_position_after_the_other():
    knowledge, behind = random_knowledge(), np.zeros(361)
    lessons, matcher, found = bench.middle_game(knowledge, 2, 6), new_matcher(19), new_candidates()
    total = 0.0
    for board, memory, color, _, _ in [*lessons, lessons[0]]:
        position = Position(board, memory, color, 0, 0.0, True)
        rank_moves(knowledge, no_trees(), matcher, position, found, behind)
        total += behind[0]
    boards, memories = (np.stack([lesson[i] for lesson in lessons]) for i in (0, 1))
    colors = np.array([lesson.color for lesson in lessons])
    again, found = new_matcher(19), new_candidates()
    assert total == bench.rank_often(
        knowledge, again, boards, memories, colors, 5, found, np.zeros(361)
    )
    assert total != 0.0


@pytest.mark.skipif(not JIT_ENABLED, reason="timings of compiled code")
def test_rates_are_found_at_all():
    for rate in (
        bench.rankings_per_second(no_patterns(), 0.01),
        bench.ep_moves_per_second(no_patterns()._replace(evidence=_prior()), 0.01),
        bench.solver_nodes_per_second(None, 0.01),
        bench.spcg_seconds(6),
    ):
        assert rate > 0


def _prior():
    return np.tile([0.0, 1.0], (len(no_patterns().evidence), 1))


@pytest.mark.skipif(not JIT_ENABLED, reason="reads thousands of positions")
def test_the_solvers_problem_is_not_solved_at_once():
    board = bench.solver_problem()
    reading = CaptureReader("pns", bench.BENCH.solver_nodes).read_chain(
        board, bench.SOLVER_GOAL, True
    )
    assert reading.value == "unknown"
    assert reading.nodes >= bench.BENCH.solver_nodes
