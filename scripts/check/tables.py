"""Flip bits of copies of the shipped tables; count the copies that a reader accepts, and time it.

python -m scripts.check.tables --flips 100
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from engine import YomiError
from patterns_db import shipped
from patterns_db.patterns.context_table import read_context
from patterns_db.patterns.tree_table import read_trees
from patterns_db.search_tables.calibration_table import read_calibration
from patterns_db.solvers.life_weights import read_life_weights
from patterns_db.solvers.odds_table import read_odds
from patterns_db.solvers.solver_priors import read_prior_table
from patterns_db.store import table_files

READERS: dict[Path, Callable[[Path], object]] = {
    shipped.ROLLOUT_TABLE: shipped.read_rollout_beliefs,
    shipped.PATTERN_TABLE: table_files.read_patterns,
    shipped.CONTEXT_TABLE: read_context,
    shipped.TREE_TABLE: read_trees,
    shipped.OPINION_TABLE: shipped.read_opinions,
    shipped.SOLVER_TABLE: read_prior_table,
    shipped.LIFE_TABLE: read_life_weights,
    shipped.ODDS_TABLE: read_odds,
    shipped.CALIBRATION_TABLE: read_calibration,
}


def flip_bits(table: Path, copy: Path, flips: int, random: Random) -> int:
    """Flip one bit of a copy at a time; return how many copies were accepted."""
    data = bytearray(table.read_bytes())
    accepted = 0
    for _ in range(flips):
        place, bit = random.randrange(len(data)), 1 << random.randrange(8)
        data[place] ^= bit
        # A new file each time, as replacing a table by rename makes one.
        copy.unlink(missing_ok=True)
        copy.write_bytes(data)
        data[place] ^= bit
        try:
            READERS[table](copy)
            accepted += 1
        except YomiError:
            pass
    return accepted


def main(arguments: Sequence[str] | None = None) -> int:
    """Flip bits, and time a first reading; return 1 if a damaged table was accepted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--flips", type=int, default=100, help="of each table")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    random = Random(options.seed)
    accepted = 0
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.table"
        for table, read in READERS.items():
            times = []
            for _ in range(2):
                start = time.perf_counter()
                read(table)
                times.append(1000.0 * (time.perf_counter() - start))
            bad = flip_bits(table, copy, options.flips, random)
            accepted += bad
            print(
                f"{table.name}: {bad} of {options.flips} flipped bits accepted;"
                f" read in {times[0]:.1f} ms, again in {times[1]:.1f} ms"
            )
        # As a user sees it: one line, no traceback.
        data = bytearray(shipped.PATTERN_TABLE.read_bytes())
        data[len(data) // 2] ^= 1
        copy.write_bytes(data)
        command = [sys.executable, "-m", "gtp", "gtp", "--patterns", str(copy)]
        said = subprocess.run(command, input="quit\n", capture_output=True, text=True)
        print(f"yomi --patterns COPY: exit status {said.returncode}, {said.stderr.strip()}")
        one_line = said.returncode != 0 and said.stderr.count("\n") == 1
    return int(accepted > 0 or not one_line)


if __name__ == "__main__":
    sys.exit(main())
