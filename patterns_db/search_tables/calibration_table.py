"""The file of a calibration table."""

from pathlib import Path

from engine.belief.calibration import Calibration, no_calibration
from engine.errors import ModelFormatError
from patterns_db.store.layouts import layout_of, require_layout
from patterns_db.store.table_files import Manifest, open_arrays, write_table

CALIBRATION = "calibration"
VERSION = 7  # of the table's content


def write_calibration(path: Path, calibration: Calibration, manifest: Manifest) -> None:
    """Write the table and its manifest."""
    versioned = {**manifest, "calibration_version": VERSION}
    write_table(path, CALIBRATION, calibration._asdict(), versioned)


def read_calibration(path: Path) -> Calibration:
    """Return the content of a table. Raises ModelFormatError for any other file."""
    arrays, manifest = open_arrays(path, CALIBRATION)
    version = manifest.get("calibration_version", 1)
    if version != VERSION:
        raise ModelFormatError(f"{path}: calibration {version}, this yomi reads {VERSION}")
    require_layout(path, arrays, layout_of(no_calibration()._asdict()))
    return Calibration(**arrays)
