"""The table of the odds of a capture without a proof: weights of ``engine.captures.odds``."""

from pathlib import Path

from engine.captures.odds import ODDS_FEATURES, CaptureOdds
from patterns_db.store.layouts import require_layout
from patterns_db.store.table_files import Manifest, open_arrays, require_version, write_table

_KIND = "capture odds"
VERSION = 1  # of the features


def write_odds(path: Path, odds: CaptureOdds, notes: Manifest) -> None:
    """Write the table and its readable manifest."""
    write_table(path, _KIND, {"odds": odds}, {**notes, "odds_version": VERSION})


def read_odds(path: Path) -> CaptureOdds:
    """Return float64[ODDS_FEATURES].

    Raises ModelFormatError when the file is missing, damaged or of another version.
    """
    arrays, manifest = open_arrays(path, _KIND)
    require_version(path, manifest, "odds_version", VERSION, "odds")
    require_layout(path, arrays, {"odds": ("<f8", (ODDS_FEATURES,))})
    return arrays["odds"]
