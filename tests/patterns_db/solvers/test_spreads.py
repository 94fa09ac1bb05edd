"""Fits of whole tables: all log-odds at once, spreads by moments, messages computed anew."""

import numpy as np
import pytest

from engine.captures.goal_templates import GOAL_TEMPLATES
from engine.captures.priors import SETTING_BETA_1, stack_log_odds
from engine.go.board import BLACK, COLOR, EMPTY, WHITE, empty_board, place
from engine.go.geometry import PASS, to_point
from patterns_db.solvers.pattern_learning import enter_stack, gaussian_priors, name_stack, observe
from patterns_db.solvers.spreads import (
    direct_evidence,
    estimate_spreads,
    levels_of,
    log_odds_of_all,
    send_messages,
)


def teach(priors, observations=150):
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
        known = int(
            enter_stack(priors, name_stack(priors, board, goal, move, int(rng.integers(3))))
        )
        stacks.append(priors.stack[:known].copy())
        observe(priors, known, bool(rng.random() < 0.3))
    return stacks


MODELS = [
    lambda: gaussian_priors(cells=1 << 12),
    lambda: gaussian_priors(cells=1 << 12, prior_observations=4.0, mean=0.3),
]


@pytest.mark.parametrize("model", MODELS)
def test_all_log_odds_at_once_are_those_of_each_stack(model):
    priors = model()
    stacks = teach(priors)
    found = log_odds_of_all(priors)
    for stack in stacks:
        for known in range(1, len(stack) + 1):
            priors.stack[:known] = stack[:known]
            expected = float(stack_log_odds(priors, known))
            assert found[stack[known - 1]] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_messages_computed_anew_are_those_that_were_sent():
    priors = gaussian_priors(cells=1 << 12, prior_observations=2.0)
    teach(priors)
    sent = priors.cells.copy()
    levels = levels_of(priors)
    assert [len(cells) > 0 for cells in levels] == [True] * GOAL_TEMPLATES
    send_messages(priors, levels, direct_evidence(priors, levels))
    np.testing.assert_allclose(priors.cells, sent, rtol=1e-9, atol=1e-9)


def test_spreads_are_found_again():
    """400 families of five patterns, each with direct evidence worth eight observations."""
    rng = np.random.default_rng(8)
    spread, families, children, seen = 0.6, 400, 5, 8
    priors = gaussian_priors(cells=1 << 13, beta=0.2)
    cells = families * (1 + children)
    priors.keys[1 : cells + 1] = np.arange(1, cells + 1, dtype=np.uint64)
    priors.used[0] = cells
    for family in range(families):
        above = 1 + family * (1 + children)
        value = rng.normal()
        for child in range(above + 1, above + 1 + children):
            priors.parents[child] = above
            mean = value + rng.normal() * spread**0.5 + rng.normal() / seen**0.5
            priors.cells[child, :2] = (seen, seen * mean)
    levels = levels_of(priors)
    send_messages(priors, levels, priors.cells[:, :2].copy())
    found = estimate_spreads(priors)
    assert found[0] == pytest.approx(spread, rel=0.1)
    assert found[1:] == pytest.approx([0.2] * (GOAL_TEMPLATES - 2))  # nothing to learn from
    assert priors.settings[SETTING_BETA_1] == found[0]
