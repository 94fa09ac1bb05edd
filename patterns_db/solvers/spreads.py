"""Fit of a table of learning priors: the spreads of its levels, and every pattern's log-odds.

Source: Stern, Herbrich & Graepel (2007), section 4.2, where beta_i^2 "are estimated empirically".
Here they are estimated by moments. A pattern's own estimate differs from that of the rest of its
parent's patterns by beta^2 and the two estimation variances. The messages between patterns depend
on the spreads, so both are computed in turn until they settle.
"""

from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.captures.goal_templates import GOAL_TEMPLATES
from engine.captures.priors import (
    GAUSSIAN_PRECISION,
    GAUSSIAN_SENT_PRECISION,
    GAUSSIAN_SENT_SHIFT,
    GAUSSIAN_SHIFT,
    LARGEST_LOG_ODDS,
    SETTING_BETA_1,
    SETTING_MEAN,
    SETTING_PRIOR_PRECISION,
    SETTING_VARIANCE,
    SolverPriors,
    log_odds_of_normal,
)


class MomentRules(NamedTuple):
    """Limits of the estimate of spreads by moments."""

    smallest: float = 1e-3  # spread, log-odds squared
    enough: float = 2.0  # precision of direct evidence, about five observations
    fewest: int = 30  # pairs of a pattern and its parent; a level with fewer keeps its spread
    rounds: int = 10
    converged: float = 1e-3  # relative change of all spreads


RULES = MomentRules()


def levels_of(priors: SolverPriors) -> list[Ints]:
    """Return the cells in use by template, smallest first."""
    taken = np.flatnonzero(priors.keys)
    level = np.zeros(len(priors.keys), np.int64)
    above = priors.parents[taken].astype(np.int64)
    for _ in range(GOAL_TEMPLATES - 1):
        # Parents stand anywhere in the table, so the levels are right after one round for each
        # level.
        level[taken] = np.where(above >= 0, level[above] + 1, 0)
    return [taken[level[taken] == template] for template in range(GOAL_TEMPLATES)]


def direct_evidence(priors: SolverPriors, levels: list[Ints]) -> Floats:
    """Return float64[C, 2], each pattern's precision and shift without its children's messages."""
    direct = priors.cells[:, [GAUSSIAN_PRECISION, GAUSSIAN_SHIFT]].copy()
    for cells in levels[1:]:
        sent = priors.cells[cells][:, [GAUSSIAN_SENT_PRECISION, GAUSSIAN_SENT_SHIFT]]
        # A parent has many children; plain indexing would subtract only one of them.
        np.subtract.at(direct, priors.parents[cells], sent)
    return direct


def send_messages(priors: SolverPriors, levels: list[Ints], direct: Floats) -> None:
    """Recompute all messages up, from the direct evidence and the spreads.

    The messages are those of ``engine.captures.priors``.
    """
    cells = priors.cells
    cells[:, [GAUSSIAN_PRECISION, GAUSSIAN_SHIFT]] = direct
    # Largest first: a message up contains the messages from larger patterns.
    for template in range(GOAL_TEMPLATES - 1, 0, -1):
        mine = levels[template]
        spread = priors.settings[SETTING_BETA_1 + template - 1]
        factor = 1.0 / (1.0 + spread * cells[mine, GAUSSIAN_PRECISION])
        cells[mine, GAUSSIAN_SENT_PRECISION] = cells[mine, GAUSSIAN_PRECISION] * factor
        cells[mine, GAUSSIAN_SENT_SHIFT] = cells[mine, GAUSSIAN_SHIFT] * factor
        sent = cells[mine][:, [GAUSSIAN_SENT_PRECISION, GAUSSIAN_SENT_SHIFT]]
        above = priors.parents[mine]
        np.add.at(cells[:, GAUSSIAN_PRECISION], above, sent[:, 0])
        np.add.at(cells[:, GAUSSIAN_SHIFT], above, sent[:, 1])


def spread_by_moments(priors: SolverPriors, cells: Ints) -> float | None:
    """Return beta^2 between some patterns and their parents; None when too few have evidence.

    Source: Stern et al. (2007), section 4.2.
    """
    even = priors.settings[SETTING_PRIOR_PRECISION]
    above = priors.parents[cells]
    mine = priors.cells[cells]
    rest = priors.cells[above]
    precision = mine[:, GAUSSIAN_PRECISION] - even
    others = rest[:, GAUSSIAN_PRECISION] - mine[:, GAUSSIAN_SENT_PRECISION] - even
    # Both sides need evidence: an estimate from little data would add its own error to beta^2.
    use = (precision >= RULES.enough) & (others >= RULES.enough)
    if int(use.sum()) < RULES.fewest:
        return None
    mine, rest, precision, others = mine[use], rest[use], precision[use], others[use]
    difference = (
        mine[:, GAUSSIAN_SHIFT] / precision
        - (rest[:, GAUSSIAN_SHIFT] - mine[:, GAUSSIAN_SENT_SHIFT]) / others
    )
    moment = float(np.mean(difference**2 - 1.0 / precision - 1.0 / others))
    # Moments may come out negative; a spread of 0 would tie a pattern to its parent for good.
    return max(RULES.smallest, moment)


def estimate_spreads(priors: SolverPriors) -> Floats:
    """Estimate every beta_i^2 and bring the messages up to date, in place; return the spreads."""
    spreads = priors.settings[SETTING_BETA_1 : SETTING_BETA_1 + GOAL_TEMPLATES - 1]
    levels = levels_of(priors)
    direct = direct_evidence(priors, levels)
    # Messages depend on the spreads and the spreads on the messages.
    for _ in range(RULES.rounds):
        before = spreads.copy()
        for template in range(1, GOAL_TEMPLATES):
            spread = spread_by_moments(priors, levels[template])
            if spread is not None:
                spreads[template - 1] = spread
        send_messages(priors, levels, direct)
        if np.all(np.abs(spreads - before) <= RULES.converged * before):
            break
    return spreads.copy()


def log_odds_of_all(priors: SolverPriors) -> Floats:
    """Return float64[C], the prior of a leaf whose largest known pattern is each one in turn.

    It is that of ``stack_log_odds``, with the messages down sent for all patterns at once.
    """
    settings = priors.settings
    cells = priors.cells
    out = np.zeros(len(priors.keys))
    spreads = settings[SETTING_BETA_1 : SETTING_BETA_1 + GOAL_TEMPLATES - 1]
    down = np.zeros((len(out), 2))  # the message from the parent, precision and shift
    for template, mine in enumerate(levels_of(priors)):
        if template == 0:
            down[mine] = (
                1.0 / settings[SETTING_VARIANCE],
                settings[SETTING_MEAN] / settings[SETTING_VARIANCE],
            )
        else:
            above = priors.parents[mine]
            message = down[above] + cells[above][:, [GAUSSIAN_PRECISION, GAUSSIAN_SHIFT]]
            message -= cells[mine][:, [GAUSSIAN_SENT_PRECISION, GAUSSIAN_SENT_SHIFT]]
            down[mine] = message / (1.0 + spreads[template - 1] * message[:, :1])
        belief = down[mine] + cells[mine][:, [GAUSSIAN_PRECISION, GAUSSIAN_SHIFT]]
        # Larger templates are unknown here and add their spreads; y adds its variance of 1.
        variances = 1.0 / belief[:, 0] + spreads[template:].sum() + 1.0
        means = belief[:, 1] / belief[:, 0]
        out[mine] = [log_odds_of_normal(*pair) for pair in zip(means, variances, strict=True)]
    return np.clip(out, -LARGEST_LOG_ODDS, LARGEST_LOG_ODDS)
