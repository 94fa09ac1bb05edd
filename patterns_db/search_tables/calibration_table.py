"""The file of a calibration table."""

from pathlib import Path

from engine.belief.calibration import Calibration, no_calibration
from patterns_db.store.table_files import Manifest, TableKind

VERSION = 7  # of the table's content
CALIBRATION = TableKind(
    "calibration", "calibration_version", VERSION, "calibration",
    {name: (array.dtype.str, array.shape) for name, array in no_calibration()._asdict().items()},
)  # fmt: skip


def write_calibration(path: Path, calibration: Calibration, manifest: Manifest) -> None:
    """Write the table and its manifest."""
    CALIBRATION.write(path, calibration._asdict(), manifest)


def read_calibration(path: Path) -> Calibration:
    """Return the content of a table. Raises ModelFormatError for any other file."""
    return Calibration(**CALIBRATION.read(path).arrays)
