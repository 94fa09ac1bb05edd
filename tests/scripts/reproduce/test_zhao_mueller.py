"""The tables and figures of Zhao & Mueller, on small sums."""

import pytest

from scripts.reproduce import zhao_mueller


def test_usage_errors_have_status_2(capsys):
    for arguments in (["table9"], ["--games", "0"]):
        with pytest.raises(SystemExit) as stop:
            zhao_mueller.main(arguments)
        assert stop.value.code == 2
    capsys.readouterr()


def test_every_table_and_figure_is_printed(capsys):
    sizes = ["--games", "1", "--subgames", "4", "--nodes", "2", "--max-samples", "10"]
    parts = [part for part in zhao_mueller.PARTS if part != "table2"]
    assert zhao_mueller.main([*parts, *sizes]) == 0
    out = capsys.readouterr().out
    for title in ("Table 1", "Table 3", "Figure 2", "Figure 3", "Figure 4", "Figure 5"):
        assert title in out
    assert "1201917" in out
    assert "nan" not in out
