"""Printed tables: numbers stand below their names."""

from scripts.tables import print_table


def test_columns_are_aligned(capsys):
    print_table(["name", "n"], [["a", 12], ["bc", 0.5]])
    assert capsys.readouterr().out.splitlines() == ["name       n", "   a      12", "  bc  0.5000"]
