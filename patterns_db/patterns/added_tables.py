"""The tables of the ranking model's context and of its trees."""

from pathlib import Path

import numpy as np

from engine.arrays import Floats
from engine.errors import ModelFormatError
from engine.patterns.choice import MEAN, VARIANCE
from engine.patterns.contenders import FACTS, FACTS_VERSION
from engine.patterns.context import CONTEXT_ROWS, CONTEXT_VERSION
from engine.patterns.trees import DEPTH, FACT, LEAVES, Trees
from patterns_db.store.layouts import Layout, require_layout, require_range
from patterns_db.store.table_files import (
    Arrays,
    Manifest,
    open_arrays,
    require_version,
    write_table,
)

CONTEXT, TREES = "context of moves", "trees of moves"
_TREES: Layout = {
    "questions": ("<i2", ("trees", DEPTH, 2)),
    "beliefs": ("<f4", ("trees", LEAVES, 2)),
}


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


def write_trees(path: Path, trees: Trees, manifest: Manifest) -> None:
    """Write trees and the manifest."""
    beliefs = np.stack([trees.means, trees.variances], axis=-1)
    arrays: Arrays = {"questions": trees.questions, "beliefs": beliefs}
    write_table(path, TREES, arrays, {**manifest, "facts_version": FACTS_VERSION})


def read_trees(path: Path) -> Trees:
    """Return the trees of a table. Raises ModelFormatError for any other file."""
    arrays, manifest = open_arrays(path, TREES)
    require_version(path, manifest, "facts_version", FACTS_VERSION, "facts about moves")
    if require_layout(path, arrays, _TREES)["trees"] == 0:
        raise ModelFormatError(f"{path}: holds no trees")
    require_range(path, "a fact's number", arrays["questions"][:, :, FACT], 0, FACTS - 1)
    require_range(path, "the variance of a leaf", arrays["beliefs"][:, :, VARIANCE], 0.0)
    means, variances = (arrays["beliefs"][:, :, part].copy() for part in (MEAN, VARIANCE))
    return Trees(arrays["questions"], means, variances)
