"""Flipped bits of tables: each copy is read, and accepted ones are counted."""

from random import Random

from patterns_db.shipped import CALIBRATION_TABLE
from scripts.check import tables


def test_every_flip_is_refused(tmp_path):
    before = CALIBRATION_TABLE.read_bytes()
    assert tables.flip_bits(CALIBRATION_TABLE, tmp_path / "copy.table", 10, Random(1)) == 0
    assert CALIBRATION_TABLE.read_bytes() == before


def test_accepted_copies_are_counted(tmp_path, monkeypatch):
    table, copies = tmp_path / "a.table", []
    table.write_bytes(bytes(4))
    monkeypatch.setitem(tables.READERS, table, lambda copy: copies.append(copy.read_bytes()))
    assert tables.flip_bits(table, tmp_path / "copy.table", 5, Random(1)) == 5
    assert all(int.from_bytes(data).bit_count() == 1 for data in copies)
