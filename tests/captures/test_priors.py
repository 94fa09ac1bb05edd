import math

import numpy as np
import pytest

from engine.captures.goal_templates import GOAL_TEMPLATES
from engine.captures.priors import (
    GAUSSIAN_PRECISION,
    GAUSSIAN_SHIFT,
    SETTING_BETA_1,
    descend_stack,
    match_stack,
    stack_log_odds,
)
from engine.gaussian import cdf
from engine.go.board import BLACK, WHITE, empty_board, place
from engine.go.geometry import to_point
from patterns_db.solvers.pattern_learning import enter_stack, gaussian_priors, name_stack, observe
from tests.reference.tactics import gaussian_stack
from tests.symmetries import transform


def test_worked_numbers_of_the_gaussian_model(monkeypatch):
    """Maths notes, section 7: two templates, a sibling pattern has shown y' = 2."""
    priors = gaussian_priors(cells=64)
    priors.settings[SETTING_BETA_1 : SETTING_BETA_1 + GOAL_TEMPLATES - 1] = 0.0
    priors.settings[SETTING_BETA_1] = 0.5
    priors.keys[:2] = (1, 2)
    priors.stack[:2] = (0, 1)
    priors.cells[0, [GAUSSIAN_PRECISION, GAUSSIAN_SHIFT]] = (1 / 1.5, 2 / 1.5)
    mean, variance = descend_stack(priors, 2)
    assert mean == pytest.approx(0.8, rel=1e-9)
    assert variance + 1 == pytest.approx(2.1, rel=1e-9)
    assert cdf(mean / math.sqrt(variance + 1)) == pytest.approx(0.7095437898, rel=1e-9)
    odds = stack_log_odds(priors, 2)
    assert 1 / (1 + math.exp(-odds)) == pytest.approx(0.7095437898, rel=1e-9)
    observe(priors, 2, False)
    message = priors.cells[1]
    assert 1 / message[GAUSSIAN_PRECISION] == pytest.approx(1.7384324556, rel=1e-8)
    assert message[GAUSSIAN_SHIFT] / message[GAUSSIAN_PRECISION] == pytest.approx(
        -1.5100432404, rel=1e-8
    )
    assert descend_stack(priors, 2) == pytest.approx((-0.0952291817, 0.6737083693), rel=1e-8)
    precision = 1 + priors.cells[0, GAUSSIAN_PRECISION]
    shift = priors.cells[0, GAUSSIAN_SHIFT]
    assert (shift / precision, 1 / precision) == pytest.approx(
        (0.3116931736, 0.4731694322), rel=1e-8
    )


def test_stacks_agree_with_one_joint_gaussian():
    """Gaussian evidence at the largest patterns, three stacks that share their small ones."""
    rng = np.random.default_rng(3)
    priors = gaussian_priors(cells=64, mean=0.3, variance=1.7)
    betas = rng.uniform(0.1, 0.9, GOAL_TEMPLATES - 1)
    priors.settings[SETTING_BETA_1 : SETTING_BETA_1 + GOAL_TEMPLATES - 1] = betas
    names, observations = {}, []
    stacks = [(0,) * 7, (0, 0, 0, 1, 0, 0, 0), (0, 1, 0, 0, 0, 0, 0)]
    for _ in range(30):
        stack = stacks[rng.integers(3)]
        priors.stack[:] = [names.setdefault(stack[:i], len(names)) for i in range(GOAL_TEMPLATES)]
        before = priors.cells[priors.stack[-1], [GAUSSIAN_PRECISION, GAUSSIAN_SHIFT]].copy()
        observe(priors, GOAL_TEMPLATES, bool(rng.choice([-1.0, 1.0]) > 0))
        sent = priors.cells[priors.stack[-1], [GAUSSIAN_PRECISION, GAUSSIAN_SHIFT]] - before
        observations.append((stack, sent[1] / sent[0], 1 / sent[0]))
    for stack in stacks:
        priors.stack[:] = [names[stack[:i]] for i in range(GOAL_TEMPLATES)]
        means, variances = gaussian_stack(0.3, 1.7, betas, observations, stack)
        assert descend_stack(priors, GOAL_TEMPLATES) == pytest.approx(
            (means[-1], variances[-1]), rel=1e-8
        )


@pytest.mark.parametrize("symmetry", range(8))
def test_patterns_are_the_same_for_all_symmetries_but_not_for_the_colors(symmetry):
    rng = np.random.default_rng(11)
    stones = [
        (int(p), int(c))
        for p, c in zip(
            rng.choice(81, 30, replace=False), rng.choice([BLACK, WHITE], 30), strict=True
        )
    ]
    goal_stone = next(p for p, c in stones if c == WHITE)
    empty = next(p for p in range(81) if p not in dict(stones))

    def keys(turn, swap):
        board = empty_board(9)
        for p, c in stones:
            place(board, transform(to_point(p % 9 + 1, p // 9 + 1), 9, turn), 3 - c if swap else c)
        at = [transform(to_point(p % 9 + 1, p // 9 + 1), 9, turn) for p in (goal_stone, empty)]
        priors = gaussian_priors(cells=64)
        assert enter_stack(priors, name_stack(priors, board, at[0], at[1], 0)) == GOAL_TEMPLATES
        return sorted(int(key) for key in priors.keys if key)

    assert keys(symmetry, False) == keys(0, False)
    # Roles, not colors: the goal's owner is the defender, of either color.
    assert keys(symmetry, True) == keys(0, False)


def test_prior_observations_pull_to_even():
    board = empty_board(9)
    place(board, to_point(4, 4), WHITE)
    shy = gaussian_priors(prior_observations=20.0, cells=64)
    bold = gaussian_priors(cells=64)
    for priors in (shy, bold):
        known = enter_stack(priors, name_stack(priors, board, to_point(4, 4), to_point(4, 5), 0))
        for _ in range(5):
            observe(priors, known, True)
    odds = [
        stack_log_odds(k, int(match_stack(k, board, to_point(4, 4), to_point(4, 5), 0)))
        for k in (shy, bold)
    ]
    assert 0 < odds[0] < odds[1]
