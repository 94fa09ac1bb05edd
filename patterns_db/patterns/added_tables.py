"""The tables of the ranking model's context, trees and responses."""

from pathlib import Path

import numpy as np

from engine.arrays import Floats
from engine.errors import ModelFormatError
from engine.patterns.choice import MEAN, VARIANCE
from engine.patterns.contenders import FACTS, FACTS_VERSION
from engine.patterns.context import CONTEXT_ROWS, CONTEXT_VERSION
from engine.patterns.responses import RESPONSES_VERSION, Responses
from engine.patterns.trees import DEPTH, FACT, LEAVES, Trees
from patterns_db.store.layouts import Layout, require_range
from patterns_db.store.table_files import Arrays, Manifest, TableKind

_CONTEXT: Layout = {"beliefs": ("<f4", (CONTEXT_ROWS, 2))}
_TREES: Layout = {
    "questions": ("<i2", ("trees", DEPTH, 2)),
    "beliefs": ("<f4", ("trees", LEAVES, 2)),
    "quick_beliefs": ("<f4", ("quick", LEAVES, 2)),
}
_RESPONSES: Layout = {"keys": ("<u4", ("slots",)), "beliefs": ("<i2", ("slots", 2))}
CONTEXT = TableKind("context of moves", "context_version", CONTEXT_VERSION, "contexts", _CONTEXT)
TREES = TableKind("trees of moves", "facts_version", FACTS_VERSION, "facts", _TREES)
RESPONSE_KIND = TableKind(
    "responses", "responses_version", RESPONSES_VERSION, "responses", _RESPONSES
)


def write_context_table(path: Path, beliefs: Floats, manifest: Manifest) -> None:
    """Write the beliefs about the context's classes, float64[CONTEXT_ROWS, 2], and the manifest."""
    # Deviations are at least 0.01, so float32's rounding does not matter.
    CONTEXT.write(path, {"beliefs": beliefs.astype(np.float32)}, manifest)


def read_context(path: Path) -> Floats:
    """Return float64[CONTEXT_ROWS, 2]. Raises ModelFormatError for any other file."""
    beliefs = CONTEXT.read(path).arrays["beliefs"]
    require_range(path, "the variance of context", beliefs[:, VARIANCE], 0.0)
    return beliefs.astype(np.float64)


def write_trees(path: Path, trees: Trees, quick: Trees, manifest: Manifest) -> None:
    """Write trees, the beliefs about the leaves of the first ones alone, and the manifest."""
    arrays: Arrays = {
        "questions": trees.questions,
        "beliefs": np.stack([trees.means, trees.variances], axis=-1),
        "quick_beliefs": np.stack([quick.means, quick.variances], axis=-1),
    }
    TREES.write(path, arrays, manifest)


def read_trees(path: Path) -> tuple[Trees, Trees]:
    """Return a table's trees, and the first ones with leaves that were learned without the others.

    Raises ModelFormatError for any other file.
    """
    arrays = TREES.read(path).arrays
    if not 0 < len(arrays["quick_beliefs"]) <= len(arrays["beliefs"]):
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


def write_responses(path: Path, responses: Responses, manifest: Manifest) -> None:
    """Write the known responses and the manifest."""
    # Half-precision floats, stored by their bits: 11 digits are finer than the beliefs.
    beliefs = (
        np.stack([responses.means, responses.variances], axis=1).astype(np.float16).view(np.int16)
    )
    RESPONSE_KIND.write(path, {"keys": responses.keys, "beliefs": beliefs}, manifest)


def read_responses(path: Path) -> Responses:
    """Return the responses of a table. Raises ModelFormatError for any other file."""
    arrays = RESPONSE_KIND.read(path).arrays
    beliefs = arrays["beliefs"].view(np.float16).astype(np.float32)
    require_range(path, "the variance of a response", beliefs[:, VARIANCE], 0.0)
    return Responses(arrays["keys"].copy(), beliefs[:, MEAN].copy(), beliefs[:, VARIANCE].copy())
