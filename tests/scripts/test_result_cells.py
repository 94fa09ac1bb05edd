"""Cells that programs write into the tables of results."""

import json

import pytest

from engine import BadSetup
from scripts import result_tables
from scripts.result_cells import put_cells

TABLE = {"columns": ["level", "9x9", "13x13"], "rows": [["5k", "2", ""]], "commands": ["x"]}


def test_cells_are_put_into_their_rows_and_new_rows_come_last(tmp_path):
    path = tmp_path / "levels.json"
    path.write_text(json.dumps({"other": TABLE, "ladder": TABLE}))
    put_cells("levels", "ladder", "13x13", {"4k": {"won": 1, "of": 2}, "5k": "3"}, tmp_path)
    tables = json.loads(path.read_text())
    assert tables["ladder"]["rows"] == [["5k", "2", "3"], ["4k", "", {"won": 1, "of": 2}]]
    assert tables["other"] == TABLE
    for table, column in (("ladders", "9x9"), ("ladder", "19x19"), ("ladder", "level")):
        with pytest.raises(BadSetup, match="has no table"):
            put_cells("levels", table, column, {}, tmp_path)


def test_files_written_so_differ_in_no_other_line(tmp_path):
    kept = (result_tables.ROWS / "matches.json").read_text("utf-8")
    (tmp_path / "matches.json").write_text(kept, "utf-8")
    table, found = next(iter(json.loads(kept).items()))
    put_cells("matches", table, found["columns"][1], {}, tmp_path)
    assert (tmp_path / "matches.json").read_text("utf-8") == kept
