"""Results that are saved to a file after each row, so that a stopped run can go on."""

import json
from pathlib import Path
from typing import Any

from engine.errors import BadSetup
from patterns_db.store.whole_files import write_whole

Row = dict[str, Any]


class KeptRows:
    """The rows of one setting. An existing file is read first, and is never half-written.

    path     JSON, a line a row: the setting and, under ``name``, the rows; None: not saved
    setting  the options that all rows share
    name     key of the rows in the file
    other    description, in the error message, of a file with another setting
    Raises BadSetup when the file is of another setting or no such file.
    """

    def __init__(
        self, path: Path | None, setting: Row, name: str = "rows", other: str = "other conditions"
    ) -> None:
        self.path, self.setting, self.name = path, setting, name
        self.rows: list[Row] = []
        if path is None or not path.exists():
            return
        try:
            stored = json.loads(path.read_text("utf-8"))
            self.rows = stored.pop(name, [])
        except (ValueError, AttributeError, TypeError):
            raise BadSetup(f"{path}: not a file of results") from None
        # Through JSON and back, like the stored setting: JSON turns tuples into lists.
        if stored != json.loads(json.dumps(setting)):
            raise BadSetup(f"{path}: of {other}")

    def add(self, row: Row) -> None:
        """Save one more result."""
        self.rows.append(row)
        self.save()

    def save(self) -> None:
        """Save all results again: one of them has grown."""
        if self.path is None:
            return
        rows = ",\n".join(json.dumps(row) for row in self.rows)
        facts = self.setting
        head = "".join(f"{json.dumps(key)}: {json.dumps(facts[key])},\n" for key in facts)
        text = f"{{{head}{json.dumps(self.name)}: [\n{rows}\n]}}\n"
        write_whole(self.path, text.encode())


def read_kept(path: Path, *names: str) -> list[Any]:
    """Return some entries of a file of results. Raises BadSetup for any other file, OSError."""
    try:
        stored = json.loads(path.read_text("utf-8"))
        return [stored[name] for name in names]
    except (ValueError, KeyError, TypeError):
        raise BadSetup(f"{path}: no file with {' and '.join(names)}") from None
