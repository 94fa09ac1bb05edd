"""Panels of Figure 8: their counts, and one small run."""

import math

import numpy as np
import pytest

from engine.captures.goal_templates import GOAL_TEMPLATES
from engine.captures.priors import find_pattern, stack_log_odds
from engine.captures.reader import CaptureReader
from engine.proof.graph import EDGE_CHILD, META_EDGES, NONE
from patterns_db.records.problems import parse_problem
from patterns_db.solvers.pattern_learning import CaptureObservations
from scripts.reproduce.stern2007 import MethodResult, compare
from scripts.reproduce.stern2007_printed import PrintedGoal, no_counts
from tests.patterns_db.solvers.test_solver_training import RECORDS


def test_a_panel_counts_new_problems_and_compares_hard_ones():
    base = [MethodResult("captured", 4000, 400, 0.4), MethodResult("safe", 2000, 100, 0.2),
            MethodResult("captured", 10, 3, 0.1), MethodResult("unknown", 9000, 900, 0.9),
            MethodResult("safe", 3000, 300, 0.3)]  # fmt: skip
    other = [MethodResult("captured", 1000, 200, 0.1), MethodResult("unknown", 9000, 900, 0.9),
             MethodResult("captured", 20, 6, 0.1), MethodResult("safe", 50, 5, 0.1),
             MethodResult("captured", 1500, 100, 0.1)]  # fmt: skip
    panel = compare(base, other)
    assert panel == {
        "solved": 4, "captured": 3, "both": 3, "both: nodes": 2.0, "within factor 2": 2,
        "new": 1, "failed": 1, "hard": 3,
        "nodes": 2.0,  # of 4, 0 (failed) and 2
        "developed": 2.0, "time": 3.0, "mean": pytest.approx((4 + 1 + 3) / 3, abs=0.005),
        "differ": 1,
    }  # fmt: skip


def test_beta_priors_count_every_pattern_of_a_stack():
    keys = np.zeros((3, GOAL_TEMPLATES), np.uint64)
    keys[:, 0], keys[:, 1] = 7, (8, 8, 9)
    lesson = CaptureObservations(keys, np.full(3, 2, np.int8), np.array([True, True, False]))
    counts = no_counts(1.0).with_lesson(lesson).with_lesson(lesson)
    assert counts.keys.tolist() == [7, 8, 9]
    assert counts.counts.tolist() == [[4, 2], [4, 0], [0, 2]]
    priors = counts.priors()
    priors.stack[0] = find_pattern(priors, np.uint64(7))
    assert stack_log_odds(priors, 1) == pytest.approx(math.log(5 / 3))
    assert stack_log_odds(priors, 0) == 0.0


def test_as_printed_all_children_enter_the_tree():
    """In play some moves still wait at the end; the values are the same."""
    asked = parse_problem(RECORDS[2])
    readings = []
    for printed in (False, True):
        reader = CaptureReader("pp", 2000)
        if printed:
            reader.goal = PrintedGoal()
        readings.append(reader.read_chain(asked.board, asked.goal, asked.attacker_to_move, 4))
        waiting = reader.tree.edges[: reader.tree.meta[META_EDGES], EDGE_CHILD] == NONE
        assert waiting.any() != printed
    assert readings[0].value == readings[1].value == "captured"
