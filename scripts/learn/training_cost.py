"""Measure training cost against the number of games: CPU seconds of each stage, by size.

python -m scripts.learn.training_cost --games train-01.tar.gz --sizes 500 1000 2000 --out cost.json

Processor time, so that other work on the machine matters little. Decoding of SGF is left out (it is
done once for all sizes).
"""

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from patterns_db.patterns.harvest import harvest
from patterns_db.patterns.pipeline import DEFAULT_BETA
from patterns_db.patterns.training import MOVES_DONE, TOLERANCE, Trainer, new_learned, place_classes
from patterns_db.records.archive import GameArchive, join_archives, read_archive
from patterns_db.store.whole_files import write_whole
from scripts.game_options import games_parser
from scripts.tables import print_table


def cost(games: GameArchive) -> dict[str, Any]:
    """Return the CPU seconds of training both models on some games, stage by stage."""
    start = time.process_time()
    found = harvest(games)
    harvested = time.process_time() - start
    classes = place_classes(found)
    trainer = Trainer(games, classes, new_learned(len(classes.keys)), DEFAULT_BETA**2, TOLERANCE)
    start = time.process_time()
    trainer.run()
    learned = time.process_time() - start
    moves = int(trainer.learned.tally[MOVES_DONE])
    prepare, evidence, paper = (round(float(seconds), 3) for seconds in trainer.seconds)
    return {
        "games": games.games,
        "moves": moves,
        "classes": len(found.keys),
        "harvest_seconds": round(harvested, 3),
        "learning_seconds": round(learned, 3),
        "of_it_matching": prepare,
        "of_it_evidence_model": evidence,
        "of_it_paper_model": paper,
        "microseconds_per_move": round(1e6 * (harvested + learned) / moves, 2),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = games_parser(__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[500, 1000, 2000])
    parser.add_argument("--out", type=Path, metavar="FILE.json")
    options = parser.parse_args(arguments)
    # All sizes are beginnings of the same games.
    archives = [read_archive(path, max(options.sizes)) for path in options.games]
    cost(join_archives(archives, 2))  # so that compiling is not timed
    found = [cost(join_archives(archives, size)) for size in sorted(options.sizes)]
    if options.out is not None:
        write_whole(options.out, json.dumps(found, indent=2).encode() + b"\n")
    print_table(list(found[0]), [list(point.values()) for point in found])
    return 0


if __name__ == "__main__":
    sys.exit(main())
