"""How results are kept, and reproduced tables and figures are printed and drawn."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.errors import BadSetup
from patterns_db.whole_files import write_whole

Row = list[float | int | str]


class KeptRows:
    """Results of one setting, kept in a file as they come; the file is read first if it exists.

    path     JSON: the setting and, under ``name``, the rows
    setting  what all rows have in common
    other    what a file with another setting is said to be of
    Raises BadSetup when the file is of another setting.
    """

    def __init__(
        self,
        path: Path,
        setting: dict[str, Any],
        name: str = "rows",
        other: str = "other conditions",
    ) -> None:
        self.path, self.setting, self.name = path, setting, name
        self.rows: list[dict[str, Any]] = []
        if path.exists():
            stored = json.loads(path.read_text())
            self.rows = stored.pop(name, [])
            if stored != setting:
                raise BadSetup(f"{path}: of {other}")

    def add(self, row: dict[str, Any]) -> None:
        """Keep one more result."""
        self.rows.append(row)
        text = json.dumps({**self.setting, self.name: self.rows}, indent=2)
        write_whole(self.path, text.encode() + b"\n")


def print_table(header: Sequence[str], rows: Sequence[Row]) -> None:
    """Print rows of numbers below their names, columns aligned."""
    cells = [[f"{x:.4f}" if isinstance(x, float) else str(x) for x in row] for row in rows]
    widths = [max(len(name), *(len(row[i]) for row in cells)) for i, name in enumerate(header)]
    for line in [list(header), *cells]:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))


def save_plot(folder: Path | None, name: str, draw: Callable[[Any], None]) -> None:
    """Draw into a figure and write it as a PNG file, if a folder was named."""
    if folder is None:
        return
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    figure = Figure(figsize=(7.0, 5.0), layout="constrained")
    draw(figure.add_subplot())
    figure.savefig(folder / f"{name}.png", dpi=120)
    print(f"wrote {folder / name}.png")
