"""The table of the ranking model's context."""

from pathlib import Path

import numpy as np

from engine.arrays import Floats
from engine.patterns.choice import VARIANCE
from engine.patterns.context import CONTEXT_ROWS, CONTEXT_VERSION
from patterns_db.store.layouts import require_layout, require_range
from patterns_db.store.table_files import (
    Arrays,
    Manifest,
    open_arrays,
    require_version,
    write_table,
)

CONTEXT = "context of moves"


def write_context_table(path: Path, beliefs: Floats, manifest: Manifest) -> None:
    """Write the beliefs about the context's classes, float64[CONTEXT_ROWS, 2], and the manifest."""
    # Deviations are at least 0.01, so float32's rounding does not matter.
    arrays: Arrays = {"beliefs": beliefs.astype(np.float32)}
    write_table(path, CONTEXT, arrays, {**manifest, "context_version": CONTEXT_VERSION})


def read_context(path: Path) -> Floats:
    """Return float64[CONTEXT_ROWS, 2]. Raises ModelFormatError for any other file."""
    arrays, manifest = open_arrays(path, CONTEXT)
    require_version(path, manifest, "context_version", CONTEXT_VERSION, "context of moves")
    require_layout(path, arrays, {"beliefs": ("<f4", (CONTEXT_ROWS, 2))})
    require_range(path, "the variance of context", arrays["beliefs"][:, VARIANCE], 0.0)
    return arrays["beliefs"].astype(np.float64)
