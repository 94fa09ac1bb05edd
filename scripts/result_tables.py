"""Write the tables of ``docs/results`` from the rows under ``scripts/results``.

    python -m scripts.result_tables

A page holds a pair of markers for each of its tables. The file of the same name holds the rows:

    <!-- table ablation -->      {"ablation": {"columns": ["left out", "won"],
    ...                                        "rows": [["priors", {"won": 97, "of": 100}]],
    <!-- end -->                               "commands": ["python -m scripts.play.ablate"]}}

The text between the markers is replaced. Every table has at least one command that prints its rows.
"""

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from patterns_db.store.whole_files import write_whole
from scripts.significance import wilson_interval

ROOT = Path(__file__).parent.parent
ROWS = ROOT / "scripts" / "results"
PAGES = ROOT / "docs" / "results"
MARKED = re.compile(r"<!-- table ([\w-]+) -->\n.*?<!-- end -->", re.S)


class TableError(ValueError):
    """A page names a table that does not exist, or a table is malformed."""


def cell(value: Any) -> str:
    """Return a cell as Markdown; {"won": w, "of": n} becomes a share with its 95 % interval."""
    if isinstance(value, dict):
        low, high = wilson_interval(value["won"], value["of"])
        return f"{value['won']} of {value['of']} ({100 * low:.0f} to {100 * high:.0f} %)"
    return str(value).replace("|", "\\|")


def table_of(name: str, table: dict[str, Any]) -> str:
    """Return a table and its commands as Markdown."""
    columns, rows, commands = table["columns"], table["rows"], table["commands"]
    if not commands or any(len(row) != len(columns) for row in rows):
        raise TableError(f"table {name}: it needs commands, and {len(columns)} cells in each row")
    lines = [columns, ["-"] * len(columns), *([cell(value) for value in row] for row in rows)]
    drawn = ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join([*drawn, "", "```sh", *commands, "```"])


def filled(page: Path) -> str:
    """Return the text of a page with all of its tables filled in.

    Raises:
        TableError: a table has no rows, or rows have no place on the page.

    """
    rows = ROWS / f"{page.stem}.json"
    tables = json.loads(rows.read_text("utf-8")) if rows.exists() else {}
    text = page.read_text("utf-8")
    named = MARKED.findall(text)
    if sorted(named) != sorted(tables):
        raise TableError(f"{page.name} has the tables {named}, and {rows.name} has {list(tables)}")

    def fill(found: re.Match[str]) -> str:
        name = found[1]
        return f"<!-- table {name} -->\n{table_of(name, tables[name])}\n<!-- end -->"

    return MARKED.sub(fill, text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill in the pages that differ from their rows."""
    argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0]).parse_args(arguments)
    stale = [page for page in sorted(PAGES.glob("*.md")) if filled(page) != page.read_text("utf-8")]
    for page in stale:
        write_whole(page, filled(page).encode("utf-8"))
        print(f"{page.relative_to(ROOT)}: written")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
