r"""Measure how accurate tables of fewer classes are.

    python -m scripts.learn.trials --work FILE.work --games test-4400.tar.gz --max-games 500 \
        --sizes 100000 1000000 4700000 --out FILE

It takes the N most telling classes of one training (``FILE.work`` of ``yomi train``). A table is
cut, not trained again. Results that OUT already has are not repeated.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from patterns_db.patterns.checkpoints import export
from patterns_db.patterns.evaluation import evaluate, open_model
from patterns_db.patterns.pipeline import PIPELINE
from patterns_db.patterns.report import summarize
from patterns_db.records.archive import join_archives, read_archive
from patterns_db.store.model_names import path_of
from scripts.failures import reported
from scripts.game_options import games_parser
from scripts.kept_rows import KeptRows, Row
from scripts.learn.make_tables import read_learned
from scripts.tables import print_table

MODEL = "evidence"
KEPT = ("positions", "top1", "top5", "top10", "top20", "mean_log_evidence")
BETA_SQUARED = PIPELINE.beta**2


def sizes(options: argparse.Namespace, done: set[object]) -> Iterator[Row]:
    """Yield the accuracy of each size, the smallest table first."""
    archives = [read_archive(path, options.max_games) for path in options.games]
    games = join_archives(archives, options.max_games)
    found, learned = read_learned(options.work / "harvest.npz", options.work / "learned.npz")
    # A size above the number of classes means all of them, measured once.
    for size in sorted({min(size, len(found.keys)) for size in options.sizes} - done):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "cut.table"
            export(file, found, learned, {}, BETA_SQUARED, (MODEL,), size)
            result = evaluate(games, open_model(file, MODEL))
            summary = summarize(result, games.games, games.names, MODEL)
            megabytes = path_of(file, MODEL).stat().st_size / 1e6
            figures = {name: summary[name] for name in KEPT}
            yield {"size": size, "megabytes": megabytes, **figures}


@reported
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is missing, print all; return the exit status."""
    parser = games_parser(__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", required=True)
    parser.add_argument("--out", type=Path, metavar="FILE.json")
    parser.add_argument("--max-games", type=int)
    parser.add_argument("--work", type=Path, required=True, metavar="FOLDER")
    options = parser.parse_args(arguments)
    kept = KeptRows(options.out, {"games": options.games}, "found", "other games")
    for row in sizes(options, {row["size"] for row in kept.rows}):
        kept.add(row)
    print_table(list(kept.rows[0]), [list(row.values()) for row in kept.rows])
    return 0


if __name__ == "__main__":
    sys.exit(main())
