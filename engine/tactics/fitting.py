"""What a learned table says as a whole: the spreads of its levels, and every pattern's log-odds.

Source: maths-notes section 7; Stern, Herbrich & Graepel (2007), section 4.2, where beta_i^2 "are
estimated empirically". Here by moments: a pattern's own estimate differs from that of the rest of
its parent's patterns by beta^2 and the two estimation variances. The messages between patterns
depend on the spreads, so both are computed in turn until they settle.
"""

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from engine.tactics.priors import (
    BETA_1,
    CERTAIN,
    DISPROOFS,
    GAUSSIAN,
    MEAN,
    MODEL,
    PRECISION,
    PRIOR_FALSE,
    PRIOR_PRECISION,
    PRIOR_TRUE,
    PROOFS,
    SENT_PRECISION,
    SENT_SHIFT,
    SHIFT,
    VARIANCE,
    Knowledge,
    log_odds_of_normal,
)
from engine.tactics.templates import TEMPLATES

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

SMALLEST_SPREAD = 1e-3
_ENOUGH = 2.0  # precision of direct evidence, about five observations
_FEWEST = 30  # pairs of a pattern and its parent; with fewer a level keeps its spread
_ROUNDS = 10
_SETTLED = 1e-3


def levels_of(knowledge: Knowledge) -> list[Ints]:
    """Return the cells in use by template, smallest first."""
    taken = np.flatnonzero(knowledge.keys)
    level = np.zeros(len(knowledge.keys), np.int64)
    above = knowledge.parents[taken].astype(np.int64)
    for _ in range(TEMPLATES - 1):
        level[taken] = np.where(above >= 0, level[above] + 1, 0)
    return [taken[level[taken] == template] for template in range(TEMPLATES)]


def direct_evidence(knowledge: Knowledge, levels: list[Ints]) -> Floats:
    """Return float64[C, 2], precision and shift of what each pattern has not from its children."""
    direct = knowledge.cells[:, [PRECISION, SHIFT]].copy()
    for cells in levels[1:]:
        sent = knowledge.cells[cells][:, [SENT_PRECISION, SENT_SHIFT]]
        np.subtract.at(direct, knowledge.parents[cells], sent)
    return direct


def send_messages(knowledge: Knowledge, levels: list[Ints], direct: Floats) -> None:
    """Compute all messages anew from the direct evidence and the spreads, largest patterns first.

    Source: maths-notes section 7, "going up".
    """
    cells = knowledge.cells
    cells[:, [PRECISION, SHIFT]] = direct
    for template in range(TEMPLATES - 1, 0, -1):
        mine = levels[template]
        spread = knowledge.settings[BETA_1 + template - 1]
        factor = 1.0 / (1.0 + spread * cells[mine, PRECISION])
        cells[mine, SENT_PRECISION] = cells[mine, PRECISION] * factor
        cells[mine, SENT_SHIFT] = cells[mine, SHIFT] * factor
        sent = cells[mine][:, [SENT_PRECISION, SENT_SHIFT]]
        above = knowledge.parents[mine]
        np.add.at(cells[:, PRECISION], above, sent[:, 0])
        np.add.at(cells[:, SHIFT], above, sent[:, 1])


def spread_by_moments(knowledge: Knowledge, cells: Ints) -> float | None:
    """Return beta^2 between some patterns and their parents; None when too few have evidence."""
    even = knowledge.settings[PRIOR_PRECISION]
    above = knowledge.parents[cells]
    mine = knowledge.cells[cells]
    rest = knowledge.cells[above]
    precision = mine[:, PRECISION] - even
    others = rest[:, PRECISION] - mine[:, SENT_PRECISION] - even
    use = (precision >= _ENOUGH) & (others >= _ENOUGH)
    if int(use.sum()) < _FEWEST:
        return None
    mine, rest, precision, others = mine[use], rest[use], precision[use], others[use]
    difference = mine[:, SHIFT] / precision - (rest[:, SHIFT] - mine[:, SENT_SHIFT]) / others
    found = float(np.mean(difference**2 - 1.0 / precision - 1.0 / others))
    return max(SMALLEST_SPREAD, found)


def estimate_spreads(knowledge: Knowledge) -> Floats:
    """Estimate every beta_i^2 and bring the messages up to date, in place; return the spreads."""
    spreads = knowledge.settings[BETA_1 : BETA_1 + TEMPLATES - 1]
    levels = levels_of(knowledge)
    direct = direct_evidence(knowledge, levels)
    for _ in range(_ROUNDS):
        before = spreads.copy()
        for template in range(1, TEMPLATES):
            found = spread_by_moments(knowledge, levels[template])
            if found is not None:
                spreads[template - 1] = found
        send_messages(knowledge, levels, direct)
        if np.all(np.abs(spreads - before) <= _SETTLED * before):
            break
    return spreads.copy()


@kernel
def _log_odds_of_normals(means: Floats, variances: Floats, out: Floats) -> None:
    """Write log_odds_of_normal of each mean and variance."""
    for i in range(len(means)):
        out[i] = log_odds_of_normal(means[i], variances[i])


def log_odds_of_all(knowledge: Knowledge) -> Floats:
    """Return float64[C], the prior of a leaf for which each pattern is the largest known one.

    Source: maths-notes section 7, "going down", for all patterns at once.
    """
    settings = knowledge.settings
    cells = knowledge.cells
    out = np.zeros(len(knowledge.keys))
    if settings[MODEL] != GAUSSIAN:
        taken = np.flatnonzero(knowledge.keys)
        proofs = settings[PRIOR_TRUE] + cells[taken, PROOFS]
        out[taken] = np.log(proofs / (settings[PRIOR_FALSE] + cells[taken, DISPROOFS]))
        return out
    spreads = settings[BETA_1 : BETA_1 + TEMPLATES - 1]
    down = np.zeros((len(out), 2))  # the message from the parent, precision and shift
    for template, mine in enumerate(levels_of(knowledge)):
        if template == 0:
            down[mine] = (1.0 / settings[VARIANCE], settings[MEAN] / settings[VARIANCE])
        else:
            above = knowledge.parents[mine]
            message = down[above] + cells[above][:, [PRECISION, SHIFT]]
            message -= cells[mine][:, [SENT_PRECISION, SENT_SHIFT]]
            down[mine] = message / (1.0 + spreads[template - 1] * message[:, :1])
        belief = down[mine] + cells[mine][:, [PRECISION, SHIFT]]
        variances = 1.0 / belief[:, 0] + spreads[template:].sum() + 1.0
        found = np.zeros(len(mine))
        _log_odds_of_normals(belief[:, 1] / belief[:, 0], variances, found)
        out[mine] = found
    return np.clip(out, -CERTAIN, CERTAIN)
