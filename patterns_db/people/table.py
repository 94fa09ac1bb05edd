"""The table of people's choices by rank."""

from pathlib import Path

import numpy as np

from engine.errors import ModelFormatError
from engine.people.model import FEATURE_VERSION, WEIGHTS, PeopleModel
from patterns_db.store.table_files import Arrays, Manifest, TableKind

PEOPLE = TableKind(
    "people's choices", "feature_version", FEATURE_VERSION, "features of moves",
    {"knots": ("<f8", ("n",)), "weights": ("<f4", ("n", WEIGHTS))},
)  # fmt: skip


def write_people(path: Path, people: PeopleModel, manifest: Manifest) -> None:
    """Write the most probable weights and, beside them, the manifest."""
    arrays: Arrays = {
        "knots": people.knots,
        "weights": people.weights.astype(np.float32),
    }
    PEOPLE.write(path, arrays, manifest)


def read_people(path: Path) -> PeopleModel:
    """Return the content of a table. Raises ModelFormatError for any other file."""
    arrays = PEOPLE.read(path).arrays
    knots, weights = arrays["knots"].astype(np.float64), arrays["weights"].astype(np.float64)
    if len(knots) < 2 or not (np.diff(knots) < 0.0).all():
        raise ModelFormatError(f"{path}: knots are not at least two ranks from weak to strong")
    return PeopleModel(knots, weights)
