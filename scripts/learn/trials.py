r"""Measure what the training of patterns costs, and how accurate tables of fewer classes are.

    python -m scripts.learn.trials sizes --work FILE.work --games test-4400.tar.gz --max-games 500 \
        --sizes 100000 1000000 4700000 --out FILE
    python -m scripts.learn.trials cost --games train-01.tar.gz --sizes 500 1000 2000 --out FILE

"sizes": the accuracy of the N most telling classes of one training (``FILE.work`` of ``yomi
train``). A table is cut, not trained again. "cost": processor seconds of each stage by the number
of games, without the decoding of SGF. Results that OUT already has are not repeated.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.errors import YomiError
from patterns_db.patterns.checkpoints import export
from patterns_db.patterns.evaluation import evaluate, open_model
from patterns_db.patterns.harvest import harvest
from patterns_db.patterns.pipeline import DEFAULT_BETA
from patterns_db.patterns.report import summarize
from patterns_db.patterns.training import MOVES_DONE, TOLERANCE, Trainer, new_learned, place_classes
from patterns_db.records.archive import GameArchive, join_archives, read_archive
from patterns_db.store.model_names import path_of
from scripts.kept_rows import KeptRows, Row
from scripts.learn.make_tables import read_learned
from scripts.tables import print_table

MODEL = "evidence"
KEPT = ("positions", "top1", "top5", "top10", "top20", "mean_log_evidence")
BETA_SQUARED = DEFAULT_BETA**2


def read_games(paths: Sequence[str], most: int | None) -> GameArchive:
    """Return the first games of some archives."""
    return join_archives([read_archive(path, most) for path in paths], most)


def sizes(options: argparse.Namespace, done: set[object]) -> Iterator[Row]:
    """Yield the accuracy of each size, the smallest table first."""
    games = read_games(options.games, options.max_games)
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


def cost(options: argparse.Namespace, done: set[object]) -> Iterator[Row]:
    """Yield the processor seconds of training both models on some games, stage by stage."""
    every = read_games(options.games, max(options.sizes))
    for size in (2, *sorted(set(options.sizes) - done)):
        # All sizes are beginnings of the same games. The first one only compiles.
        games = join_archives([every], size)
        start = time.process_time()
        found = harvest(games)
        harvested = time.process_time() - start
        classes = place_classes(found)
        learned = new_learned(len(classes.keys))
        trainer = Trainer(games, classes, learned, BETA_SQUARED, TOLERANCE)
        start = time.process_time()
        trainer.run()
        seconds = time.process_time() - start
        moves = int(trainer.learned.tally[MOVES_DONE])
        if size > 2:
            yield {
                "size": size, "moves": moves, "classes": len(found.keys), "harvest": harvested,
                "learning": seconds, "microseconds a move": 1e6 * (harvested + seconds) / moves,
            }  # fmt: skip


def build_parser() -> argparse.ArgumentParser:
    """Return the command line: a subcommand a trial."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    trials = parser.add_subparsers(dest="trial", required=True)
    for run in (sizes, cost):
        trial = trials.add_parser(run.__name__, help=(run.__doc__ or "").splitlines()[0])
        trial.set_defaults(run=run)
        trial.add_argument("--games", nargs="+", required=True, metavar="PATH")
        trial.add_argument("--sizes", type=int, nargs="+", required=True)
        trial.add_argument("--out", type=Path, metavar="FILE.json")
    trial = trials.choices["sizes"]
    trial.add_argument("--max-games", type=int)
    trial.add_argument("--work", type=Path, required=True, metavar="FOLDER")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is missing, print all; return the exit status."""
    options = build_parser().parse_args(arguments)
    setting = {name: value for name, value in vars(options).items() if name in ("trial", "games")}
    try:
        kept = KeptRows(options.out, setting, "found", "other games")
        for row in options.run(options, {row["size"] for row in kept.rows}):
            kept.add(row)
    except (YomiError, OSError) as error:
        print(f"trials: {error}", file=sys.stderr)
        return 1
    print_table(list(kept.rows[0]), [list(row.values()) for row in kept.rows])
    return 0


if __name__ == "__main__":
    sys.exit(main())
