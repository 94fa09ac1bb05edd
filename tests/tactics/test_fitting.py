"""Whole tables: all log-odds at once, spreads by moments, messages computed anew."""

import numpy as np
import pytest

from engine.go.board import BLACK, COLOR, EMPTY, WHITE, empty_board, place
from engine.go.geometry import PASS, to_point
from engine.tactics.fitting import (
    direct_evidence,
    estimate_spreads,
    levels_of,
    log_odds_of_all,
    send_messages,
)
from engine.tactics.priors import (
    BETA_1,
    beta_knowledge,
    gaussian_knowledge,
    harvest_stack,
    observe,
    stack_log_odds,
)
from engine.tactics.templates import TEMPLATES


def teach(knowledge, observations=150):
    """Observe random results around random moves on a random board; return the stacks met."""
    rng = np.random.default_rng(5)
    board = empty_board(9)
    points = [to_point(int(p) % 9 + 1, int(p) // 9 + 1) for p in rng.choice(81, 20, replace=False)]
    for point in points:
        place(board, point, int(rng.choice([BLACK, WHITE])))
    goal = next(point for point in points if board[COLOR + point] != EMPTY)
    stacks = []
    for _ in range(observations):
        move = PASS if rng.random() < 0.1 else to_point(*(int(x) for x in rng.integers(1, 10, 2)))
        known = int(harvest_stack(knowledge, board, goal, move, int(rng.integers(3))))
        stacks.append(knowledge.stack[:known].copy())
        observe(knowledge, known, bool(rng.random() < 0.3))
    return stacks


MODELS = [
    lambda: gaussian_knowledge(cells=1 << 12),
    lambda: gaussian_knowledge(cells=1 << 12, prior_observations=4.0, mean=0.3),
    lambda: beta_knowledge(2.0, 3.0, cells=1 << 12),
]


@pytest.mark.parametrize("model", MODELS)
def test_all_log_odds_at_once_are_those_of_each_stack(model):
    knowledge = model()
    stacks = teach(knowledge)
    found = log_odds_of_all(knowledge)
    for stack in stacks:
        for known in range(1, len(stack) + 1):
            knowledge.stack[:known] = stack[:known]
            expected = float(stack_log_odds(knowledge, known))
            assert found[stack[known - 1]] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_messages_computed_anew_are_those_that_were_sent():
    knowledge = gaussian_knowledge(cells=1 << 12, prior_observations=2.0)
    teach(knowledge)
    sent = knowledge.cells.copy()
    levels = levels_of(knowledge)
    assert [len(cells) > 0 for cells in levels] == [True] * TEMPLATES
    send_messages(knowledge, levels, direct_evidence(knowledge, levels))
    np.testing.assert_allclose(knowledge.cells, sent, rtol=1e-9, atol=1e-9)


def test_spreads_are_found_again():
    """400 families of five patterns, each with direct evidence as if it was seen eight times."""
    rng = np.random.default_rng(8)
    spread, families, children, seen = 0.6, 400, 5, 8
    knowledge = gaussian_knowledge(cells=1 << 13, beta=0.2)
    cells = families * (1 + children)
    knowledge.keys[1 : cells + 1] = np.arange(1, cells + 1, dtype=np.uint64)
    knowledge.used[0] = cells
    for family in range(families):
        above = 1 + family * (1 + children)
        value = rng.normal()
        for child in range(above + 1, above + 1 + children):
            knowledge.parents[child] = above
            mean = value + rng.normal() * spread**0.5 + rng.normal() / seen**0.5
            knowledge.cells[child, :2] = (seen, seen * mean)
    levels = levels_of(knowledge)
    send_messages(knowledge, levels, knowledge.cells[:, :2].copy())
    found = estimate_spreads(knowledge)
    assert found[0] == pytest.approx(spread, rel=0.1)
    assert found[1:] == pytest.approx([0.2] * (TEMPLATES - 2))  # nothing to learn from
    assert knowledge.settings[BETA_1] == found[0]
