"""The included tables in ``patterns_db/tables``, as the engine's ``Knowledge``."""

from pathlib import Path

import numpy as np

from engine.arrays import Floats
from engine.belief.knowledge import Knowledge
from engine.errors import ModelFormatError
from engine.patterns.valuing import EVIDENCE_ROWS
from patterns_db.patterns.added_tables import read_context, read_responses, read_trees
from patterns_db.people.table import read_people
from patterns_db.search_tables.calibration_table import read_calibration
from patterns_db.search_tables.rollout_training import ROLLOUT, ROWS, new_beliefs, to_policy
from patterns_db.solvers.solver_priors import read_prior_table
from patterns_db.solvers.solver_tables import read_life_weights
from patterns_db.store.layouts import Layout, require_layout, require_range
from patterns_db.store.table_files import Arrays, Manifest, open_arrays, read_patterns, write_arrays

TABLES = Path(__file__).resolve().parent / "tables"
ROLLOUT_TABLE = TABLES / "rollout.table"
PATTERN_TABLE = TABLES / "patterns.table"
CONTEXT_TABLE = TABLES / "context.table"
TREE_TABLE = TABLES / "trees.table"
RESPONSE_TABLE = TABLES / "responses.table"
SOLVER_TABLE = TABLES / "solver.table"
LIFE_TABLE = TABLES / "life.table"
CALIBRATION_TABLE = TABLES / "calibration.table"
PEOPLE_TABLE = TABLES / "people.table"
_KIND = "roll-out weights"
_ROLLOUT_LAYOUT: Layout = {"rows": ("<i8", ("met",)), "beliefs": ("<f4", ("met", 2))}


def write_rollout_beliefs(path: Path, beliefs: Floats, manifest: Manifest) -> str:
    """Write the learned summands of the roll-out policy. Return the file's SHA-256.

    beliefs  float64[ROWS, 2] of rollout_training; rows still at the prior are left out
    """
    rows = np.flatnonzero((beliefs != new_beliefs()).any(axis=1))
    # Only rows that occurred are stored, since many 3x3 neighborhoods are impossible.
    arrays: Arrays = {"rows": rows.astype(np.int64), "beliefs": beliefs[rows].astype(np.float32)}
    return write_arrays(path, _KIND, arrays, manifest)


def read_rollout_beliefs(path: Path) -> Floats:
    """Return float64[ROWS, 2]. Raises ModelFormatError when the file is not such a table."""
    arrays, _ = open_arrays(path, _KIND)
    require_layout(path, arrays, _ROLLOUT_LAYOUT)
    require_range(path, "rows", arrays["rows"], 0, ROWS - 1)
    beliefs = new_beliefs()
    beliefs[arrays["rows"]] = arrays["beliefs"]
    return beliefs


def learned_beside(patterns: Path) -> tuple[Path, ...]:
    """Return the tables of context, trees and responses that were learned beside a table."""
    ours = patterns.resolve() == PATTERN_TABLE
    return (CONTEXT_TABLE, TREE_TABLE, RESPONSE_TABLE) if ours else ()


def load_knowledge(patterns: Path | None = PATTERN_TABLE) -> Knowledge:
    """Return the included tables, with another table of patterns if given; None: no patterns.

    Raises ModelFormatError when a table is missing or damaged.
    """
    policy = to_policy(read_rollout_beliefs(ROLLOUT_TABLE), ROLLOUT.elsewhere_factor)
    # Roll-outs stay guided without patterns, since their weights are a separate table.
    ranking = None if patterns is None else read_patterns(patterns).knowledge
    if ranking is not None and len(ranking.evidence) != EVIDENCE_ROWS:
        raise ModelFormatError(f"{patterns}: the paper's model can be evaluated but not played")
    if ranking is not None and patterns is not None and learned_beside(patterns):
        whole, quick = read_trees(TREE_TABLE)
        ranking = ranking._replace(
            context=read_context(CONTEXT_TABLE), trees=whole, quick_trees=quick,
            responses=read_responses(RESPONSE_TABLE),
        )  # fmt: skip
    return Knowledge(
        policy=policy, patterns=ranking, calibration=read_calibration(CALIBRATION_TABLE),
        solver=read_prior_table(SOLVER_TABLE), life=read_life_weights(LIFE_TABLE),
        people=read_people(PEOPLE_TABLE),
    )  # fmt: skip
