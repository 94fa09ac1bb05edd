"""The table of the solver's learned priors: one log-odds for each pattern.

A finished model is only read. A pattern's value matters only for a leaf where it is the largest
known pattern. Patterns with little evidence are left out, unless a larger pattern around them is
kept. Matching goes from the smallest to the largest and stops at the first miss.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.captures.goal_templates import GOAL_KEY_VERSION
from engine.captures.priors import (
    GAUSSIAN_PRECISION,
    SETTING_FEATURES,
    SETTING_PRIOR_PRECISION,
    PriorTable,
    SolverPriors,
    learned_priors,
    stack_log_odds,
)
from patterns_db.solvers.spreads import log_odds_of_all
from patterns_db.store.layouts import Layout, require_range
from patterns_db.store.table_files import Arrays, Manifest, TableKind

_LAYOUT: Layout = {
    "keys": ("<u8", ("patterns",)),
    "log_odds": ("<i2", ("patterns",)),
    "unknown": ("<f8", (1,)),
}
PRIORS = TableKind("solver priors", "key_version", GOAL_KEY_VERSION, "pattern keys", _LAYOUT)
_PAPER_KEYS = "keys without context"  # an entry of the manifest; see ``context_of``
_STEP = 0.01  # of log-odds; int16 reaches +-327, far beyond any belief


def kept_patterns(knowledge: SolverPriors, min_evidence: float) -> npt.NDArray[np.int64]:
    """Return the cells of all patterns with enough evidence, and of the smaller ones inside them.

    min_evidence  precision
    """
    taken = np.flatnonzero(knowledge.keys)
    # The prior of every pattern is subtracted, since it is not evidence.
    prior = knowledge.settings[SETTING_PRIOR_PRECISION]
    evidence = knowledge.cells[:, GAUSSIAN_PRECISION] - prior
    keep = np.zeros(len(knowledge.keys), bool)
    keep[taken] = evidence[taken] >= min_evidence
    # This may keep further smaller patterns, so it repeats until nothing is added.
    while True:
        above = knowledge.parents[np.flatnonzero(keep)]
        above = above[above >= 0]
        if keep[above].all():
            return np.flatnonzero(keep)
        keep[above] = True


def write_priors(path: Path, knowledge: SolverPriors, min_evidence: float, notes: Manifest) -> int:
    """Write the table and its readable manifest. Return the number of its patterns."""
    cells = kept_patterns(knowledge, min_evidence)
    # The order is that of the keys, not of the cells: equal patterns make equal files.
    cells = cells[np.argsort(knowledge.keys[cells])]
    log_odds = log_odds_of_all(knowledge)[cells]
    manifest = {**notes, "patterns": len(cells)}
    if not knowledge.settings[SETTING_FEATURES]:
        manifest[_PAPER_KEYS] = True
    arrays: Arrays = {
        "keys": knowledge.keys[cells],
        # Two bytes replace eight. Half a hundredth changes a probability by 0.00125 at most.
        "log_odds": np.rint(log_odds / _STEP).astype(np.int16),
        "unknown": np.array([stack_log_odds(knowledge, 0)]),
    }
    PRIORS.write(path, arrays, manifest)
    return len(cells)


def read_priors(path: Path) -> SolverPriors:
    """Return the priors of a table for a reader. See ``read_prior_table``."""
    return learned_priors(read_prior_table(path))


def read_prior_table(path: Path) -> PriorTable:
    """Return the content of a table of priors.

    Raises ModelFormatError when the file is missing, damaged or of another version.
    """
    arrays, manifest = PRIORS.read(path)
    require_range(path, "keys", arrays["keys"], 1)
    log_odds, unknown = arrays["log_odds"] * _STEP, float(arrays["unknown"][0])
    return PriorTable(arrays["keys"], log_odds, unknown, not manifest.get(_PAPER_KEYS))
