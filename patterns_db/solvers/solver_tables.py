"""The table of the weights of ``engine.life.priors``."""

from pathlib import Path

from engine.life.priors import FEATURES, LIFE_FEATURES_VERSION, VALUES, LifeWeights
from patterns_db.store.table_files import TableKind

LIFE = TableKind(
    "life weights", "features_version", LIFE_FEATURES_VERSION, "features",
    {"weights": ("<f8", (FEATURES, VALUES))},
)  # fmt: skip


def read_life_weights(path: Path) -> LifeWeights:
    """Return float64[FEATURES, VALUES]. Raises ModelFormatError for any other file."""
    return LIFE.read(path).arrays["weights"]
