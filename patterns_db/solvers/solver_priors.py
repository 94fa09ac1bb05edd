"""The solver's learned priors on disk: one log-odds for each pattern.

A finished model is read, not continued: of a pattern only matters what a leaf is worth when it is
the largest one known. Patterns with little evidence are left out, as long as no larger pattern
around them is kept: matching goes from the smallest to the largest and stops at the first miss.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.captures.fitting import log_odds_of_all
from engine.captures.goal_templates import GOAL_KEY_VERSION
from engine.captures.priors import (
    BETA_DISPROOFS,
    BETA_PROOFS,
    GAUSSIAN_PRECISION,
    MODEL_BETA,
    SETTING_MODEL,
    SETTING_PRIOR_PRECISION,
    PriorTable,
    SolverPriors,
    learned_priors,
    stack_log_odds,
)
from patterns_db.store.layouts import Layout, require_layout, require_range
from patterns_db.store.table_files import (
    Arrays,
    Manifest,
    open_arrays,
    require_version,
    write_table,
)

_KIND = "solver priors"
_LAYOUT: Layout = {
    "keys": ("<u8", ("patterns",)),
    "log_odds": ("<i2", ("patterns",)),
    "unknown": ("<f8", (1,)),
}
_STEP = 0.01  # of log-odds; int16 reaches +-327, far beyond any belief


def kept_patterns(knowledge: SolverPriors, min_evidence: float) -> npt.NDArray[np.int64]:
    """Return the cells of all patterns with enough evidence, and of the smaller ones inside them.

    min_evidence  precision for the Gaussian model, observations for the Beta model
    """
    taken = np.flatnonzero(knowledge.keys)
    if knowledge.settings[SETTING_MODEL] == MODEL_BETA:
        evidence = knowledge.cells[:, BETA_PROOFS] + knowledge.cells[:, BETA_DISPROOFS]
    else:
        # Less what every pattern begins with, which is no evidence.
        evidence = (
            knowledge.cells[:, GAUSSIAN_PRECISION] - knowledge.settings[SETTING_PRIOR_PRECISION]
        )
    keep = np.zeros(len(knowledge.keys), bool)
    keep[taken] = evidence[taken] >= min_evidence
    # A pattern's smaller one may itself be kept only now, so again until nothing is added.
    while True:
        above = knowledge.parents[np.flatnonzero(keep)]
        above = above[above >= 0]
        if keep[above].all():
            return np.flatnonzero(keep)
        keep[above] = True


def write_priors(path: Path, knowledge: SolverPriors, min_evidence: float, notes: Manifest) -> int:
    """Write the table and, beside it, its manifest for people; return how many patterns it has."""
    cells = kept_patterns(knowledge, min_evidence)
    # In order of their keys, not of their cells: the same patterns make the same file.
    cells = cells[np.argsort(knowledge.keys[cells])]
    log_odds = log_odds_of_all(knowledge)[cells]
    manifest = {**notes, "patterns": len(cells), "key_version": GOAL_KEY_VERSION}
    arrays: Arrays = {
        "keys": knowledge.keys[cells],
        # Two bytes for eight: half a hundredth moves a probability by 0.00125 at most.
        "log_odds": np.rint(log_odds / _STEP).astype(np.int16),
        "unknown": np.array([stack_log_odds(knowledge, 0)]),
    }
    write_table(path, _KIND, arrays, manifest)
    return len(cells)


def read_priors(path: Path) -> SolverPriors:
    """Return the priors of a table for a reader; see ``read_prior_table``."""
    return learned_priors(read_prior_table(path))


def read_prior_table(path: Path) -> PriorTable:
    """Return what a table of priors holds.

    Raises ModelFormatError when the file is missing, damaged or of another version.
    """
    arrays, manifest = open_arrays(path, _KIND)
    require_version(path, manifest, "key_version", GOAL_KEY_VERSION, "pattern keys")
    require_layout(path, arrays, _LAYOUT)
    require_range(path, "keys", arrays["keys"], 1)
    return PriorTable(arrays["keys"], arrays["log_odds"] * _STEP, float(arrays["unknown"][0]))
