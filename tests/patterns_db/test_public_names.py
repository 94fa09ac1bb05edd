"""patterns_db's public names: all exist, and only the requested ones are loaded."""

import subprocess
import sys
from importlib import import_module

import pytest

import patterns_db


def test_every_name_is_that_of_its_module():
    homes = patterns_db._HOMES
    assert sorted(name for names in homes.values() for name in names.split()) == sorted(
        patterns_db.__all__
    )
    for home, names in homes.items():
        module = import_module(f"patterns_db.{home}")
        for name in names.split():
            assert getattr(patterns_db, name) is getattr(module, name)
        assert home not in patterns_db.__all__


def test_no_other_name():
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        _ = patterns_db.no_such_name


def test_reading_a_record_loads_no_trainer():
    check = "import sys; from patterns_db import read_record; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "patterns_db.records.sgf" in loaded
    assert "patterns_db.patterns.training" not in loaded
    assert "patterns_db.patterns.pipeline" not in loaded
