"""Writer of single cells of the tables in ``scripts/results``, for programs that measure them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine import BadSetup
from patterns_db.store.whole_files import write_whole
from scripts.result_tables import ROWS


def put_cells(
    page: str, table: str, column: str, cells: Mapping[str, Any], folder: Path = ROWS
) -> None:
    """Set the cells of one column of a table; ``scripts.result_tables`` then writes the page.

    page   name of the file, without its ending
    cells  by the first cell of their row; a row that does not exist yet becomes the last one
    Raises BadSetup when there is no such table or column, OSError when the file cannot be written.
    """
    path = folder / f"{page}.json"
    tables = json.loads(path.read_text("utf-8")) if path.exists() else {}
    if table not in tables or column not in tables[table]["columns"][1:]:
        raise BadSetup(f"{path} has no table {table!r} with a column {column!r}")
    columns, kept = tables[table]["columns"], tables[table]["rows"]
    place = columns.index(column, 1)
    for name, value in cells.items():
        if all(row[0] != name for row in kept):
            kept.append([name, *[""] * (len(columns) - 1)])
        next(row for row in kept if row[0] == name)[place] = value
    write_whole(path, _text(tables).encode("utf-8"))


def _text(tables: Mapping[str, Any]) -> str:
    """Return the file's text: each row and each command on a line of its own."""

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    def lines(values: list[Any]) -> str:
        return ",\n".join(f"   {line(value)}" for value in values)

    found = [
        f' {line(name)}: {{\n  "columns": {line(table["columns"])},\n  "rows": [\n'
        f'{lines(table["rows"])}\n  ],\n  "commands": [\n{lines(table["commands"])}\n  ]\n }}'
        for name, table in tables.items()
    ]
    return "{\n" + ",\n".join(found) + "\n}\n"
