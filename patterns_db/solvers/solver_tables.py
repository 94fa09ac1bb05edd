"""The tables of move values in fights over life, and of the odds of a capture without a proof.

They hold the weights of ``engine.life.priors`` and of ``engine.captures.odds``.
"""

from pathlib import Path

from engine.captures.odds import ODDS_FEATURES, CaptureOdds
from engine.life.priors import FEATURES, LIFE_FEATURES_VERSION, VALUES, LifeWeights
from patterns_db.store.table_files import TableKind

LIFE = TableKind(
    "life weights", "features_version", LIFE_FEATURES_VERSION, "features",
    {"weights": ("<f8", (FEATURES, VALUES))},
)  # fmt: skip
ODDS = TableKind("capture odds", "odds_version", 1, "odds", {"odds": ("<f8", (ODDS_FEATURES,))})


def read_life_weights(path: Path) -> LifeWeights:
    """Return float64[FEATURES, VALUES]. Raises ModelFormatError for any other file."""
    return LIFE.read(path).arrays["weights"]


def read_odds(path: Path) -> CaptureOdds:
    """Return float64[ODDS_FEATURES]. Raises ModelFormatError for any other file."""
    return ODDS.read(path).arrays["odds"]
