"""Copies of the shipped tables with one flipped bit are refused."""

from random import Random

import pytest

from engine import YomiError
from patterns_db import shipped
from patterns_db.patterns.added_tables import read_context, read_trees
from patterns_db.search_tables.calibration_table import read_calibration
from patterns_db.solvers.life_weights import read_life_weights
from patterns_db.solvers.odds_table import read_odds
from patterns_db.solvers.solver_priors import read_prior_table
from patterns_db.store.table_files import read_patterns

READERS = {
    shipped.ROLLOUT_TABLE: shipped.read_rollout_beliefs,
    shipped.PATTERN_TABLE: read_patterns,
    shipped.CONTEXT_TABLE: read_context,
    shipped.TREE_TABLE: read_trees,
    shipped.SOLVER_TABLE: read_prior_table,
    shipped.LIFE_TABLE: read_life_weights,
    shipped.ODDS_TABLE: read_odds,
    shipped.CALIBRATION_TABLE: read_calibration,
}


@pytest.mark.parametrize("flips", [3, pytest.param(100, marks=pytest.mark.long)])
@pytest.mark.parametrize("table", READERS, ids=lambda table: table.name)
def test_every_flipped_bit_is_noticed(table, flips, tmp_path):
    random, copy = Random(1), tmp_path / "copy.table"
    data = bytearray(table.read_bytes())
    for _ in range(flips):
        place, bit = random.randrange(len(data)), 1 << random.randrange(8)
        data[place] ^= bit
        # A new file each time, as replacing a table by rename makes one.
        copy.unlink(missing_ok=True)
        copy.write_bytes(data)
        data[place] ^= bit
        with pytest.raises(YomiError):
            READERS[table](copy)
