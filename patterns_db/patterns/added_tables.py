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
    "quick_beliefs": ("<f4", ("quick", LEAVES, 2)),
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


def write_trees(path: Path, trees: Trees, quick: Trees, manifest: Manifest) -> None:
    """Write trees, the beliefs about the leaves of the first ones alone, and the manifest."""
    arrays: Arrays = {
        "questions": trees.questions,
        "beliefs": np.stack([trees.means, trees.variances], axis=-1),
        "quick_beliefs": np.stack([quick.means, quick.variances], axis=-1),
    }
    write_table(path, TREES, arrays, {**manifest, "facts_version": FACTS_VERSION})


def read_trees(path: Path) -> tuple[Trees, Trees]:
    """Return a table's trees, and the first ones with leaves that were learned without the others.

    Raises ModelFormatError for any other file.
    """
    arrays, manifest = open_arrays(path, TREES)
    require_version(path, manifest, "facts_version", FACTS_VERSION, "facts about moves")
    counts = require_layout(path, arrays, _TREES)
    if not 0 < counts["quick"] <= counts["trees"]:
        raise ModelFormatError(f"{path}: holds no trees")
    questions = arrays["questions"]
    require_range(path, "a fact's number", questions[:, :, FACT], 0, FACTS - 1)
    sets = []
    for beliefs in (arrays["beliefs"], arrays["quick_beliefs"]):
        require_range(path, "the variance of a leaf", beliefs[:, :, VARIANCE], 0.0)
        means, variances = (beliefs[:, :, part].copy() for part in (MEAN, VARIANCE))
        # Copies can be written to, as no_trees can: another type is compiled anew.
        sets.append(Trees(questions[: len(means)].copy(), means, variances))
    return sets[0], sets[1]
