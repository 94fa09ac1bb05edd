"""Print tables of results and draw figures."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

TableRow = list[float | int | str]


def print_table(header: Sequence[str], rows: Sequence[TableRow]) -> None:
    """Print rows of numbers below their names, with aligned columns."""
    cells = [[f"{x:.4f}" if isinstance(x, float) else str(x) for x in row] for row in rows]
    widths = [max([len(name), *(len(row[i]) for row in cells)]) for i, name in enumerate(header)]
    for line in [list(header), *cells]:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))


def save_plot(folder: Path | None, name: str, draw: Callable[[Any], None]) -> None:
    """Draw into a figure and write it as a PNG file, if a folder was named."""
    if folder is None:
        return
    # Imported only for drawing, because yomi itself does not need matplotlib.
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    figure = Figure(figsize=(7.0, 5.0), layout="constrained")
    draw(figure.add_subplot())
    figure.savefig(folder / f"{name}.png", dpi=120)
    print(f"wrote {folder / name}.png")
