"""Print tables of results."""

from collections.abc import Sequence

TableRow = list[float | int | str]


def print_table(header: Sequence[str], rows: Sequence[TableRow]) -> None:
    """Print rows of numbers below their names, with aligned columns."""
    cells = [[f"{x:.4f}" if isinstance(x, float) else str(x) for x in row] for row in rows]
    widths = [max([len(name), *(len(row[i]) for row in cells)]) for i, name in enumerate(header)]
    for line in [list(header), *cells]:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))
