"""The fuzzer of records: it sees faults, and finds none in a few inputs."""

import random

import pytest

from patterns_db.records.sgf import read_record
from scripts.check import fuzz_records
from scripts.check.fuzz_records import Finding, Fuzzer, main, our_moves, sgfmill_moves
from scripts.check.record_mutations import Mutations


def test_the_same_seed_makes_the_same_records():
    one, other = (Mutations(random.Random(7)) for _ in range(2))
    records = [one.record() for _ in range(50)]
    assert records == [other.record() for _ in range(50)]
    assert len(set(records)) > 40


def test_the_witness():
    data = b"(;SZ[9];B[aa];W[];B[tt];W[ib])"
    assert our_moves(data) == sgfmill_moves(data)
    assert [move for _, move in our_moves(data)] == [(8, 0), None, None, (7, 8)]
    assert sgfmill_moves(b"(;SZ[9];B[zz])") is None


def test_a_lost_move_is_found(tmp_path, monkeypatch):
    def lossy(data):
        record = read_record(data)
        return record.__class__(record.size, events=record.events[:-1])

    monkeypatch.setattr(fuzz_records, "read_record", lossy)
    with pytest.raises(Finding, match="moves read"):
        Fuzzer(tmp_path).check_moves(b"(;SZ[9];B[aa];W[bb])")


def test_a_few_inputs(capsys):
    assert main(["--inputs", "25", "--seed", "3"]) == 0
    assert "25 inputs, 0 wrong" in capsys.readouterr().out
