"""The table of move values in fights over life: weights of ``engine.life.priors``."""

from pathlib import Path

from engine.life.priors import FEATURES, LIFE_FEATURES_VERSION, VALUES, LifeWeights
from patterns_db.store.layouts import require_layout
from patterns_db.store.table_files import Manifest, open_arrays, require_version, write_table

_KIND = "life weights"


def write_life_weights(path: Path, weights: LifeWeights, notes: Manifest) -> None:
    """Write the table and its readable manifest."""
    manifest = {**notes, "features_version": LIFE_FEATURES_VERSION}
    write_table(path, _KIND, {"weights": weights}, manifest)


def read_life_weights(path: Path) -> LifeWeights:
    """Return float64[FEATURES, VALUES].

    Raises ModelFormatError when the file is missing, damaged or of another version.
    """
    arrays, manifest = open_arrays(path, _KIND)
    require_version(path, manifest, "features_version", LIFE_FEATURES_VERSION, "features")
    require_layout(path, arrays, {"weights": ("<f8", (FEATURES, VALUES))})
    return arrays["weights"]
