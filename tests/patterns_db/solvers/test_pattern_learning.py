"""A finished search teaches the prior, and the next search of the same problem uses it."""

import pytest

from engine.captures.priors import GAUSSIAN_PRECISION
from engine.captures.reader import CaptureReader
from patterns_db.records.problems import parse_problem
from patterns_db.solvers.pattern_learning import (
    gaussian_priors,
    learn_observations,
    observations_of,
)

LADDER = {
    "size": 7, "board": "......./......./......./..XX.../..OX.../.XX..../.......",
    "goal": "C3", "attacker": "black", "to_move": "white",
}  # fmt: skip


@pytest.mark.parametrize("most", [3, 200])
def test_solved_problems_are_learned_and_the_values_stay(most):
    priors = gaussian_priors(cells=1 << 14)
    reader = CaptureReader("pp", 2000, priors)
    lessons = []

    def learn():
        lessons.append(observations_of(reader, most))
        learn_observations(priors, lessons[-1])

    reader.on_search_end = learn
    asked = parse_problem(LADDER)
    first = reader.read_chain(asked.board, asked.goal, asked.attacker_to_move)
    assert max(len(lesson.counts) for lesson in lessons) == min(most, 9)
    assert priors.cells[:, GAUSSIAN_PRECISION].max() > 0
    again = reader.read_chain(asked.board, asked.goal, asked.attacker_to_move)
    assert again.value == first.value == "captured"
    assert again.nodes <= first.nodes
