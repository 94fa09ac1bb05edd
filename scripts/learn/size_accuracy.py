"""Measure the accuracy of the N most telling pattern classes: one training, tables of many sizes.

python -m scripts.learn.size_accuracy --harvest H.npz --learned L.npz --beta-squared 2 \
    --games test-4400.tar.gz --max-games 500 --sizes 100000 1000000 4700000 --out curve.json

A table is cut, not trained again: a left-out class is replaced by the largest smaller one that is
kept. Each result is saved when it is ready. Sizes that OUT already has are not repeated.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from engine.errors import YomiError
from gtp.plotting import new_figure, save_figure
from patterns_db.patterns.checkpoints import export
from patterns_db.patterns.evaluation import evaluate, open_model
from patterns_db.patterns.harvest import Harvest
from patterns_db.patterns.report import summarize
from patterns_db.records.archive import GameArchive, join_archives, read_archive
from patterns_db.store.model_names import MODELS, path_of
from patterns_db.store.table_files import Arrays
from scripts.kept_rows import KeptRows, Row
from scripts.learn.make_tables import read_learned
from scripts.tables import print_table

KEPT = ("positions", "top1", "top5", "top10", "top20", "mean_log_evidence")


def measure(
    size: int, found: Harvest, learned: Arrays, games: GameArchive, options: argparse.Namespace
) -> Row:
    """Return the accuracy of the table of the ``size`` most telling classes, as shipped."""
    # Beside the results, because a system's folder for temporary files may be too small for tables.
    with tempfile.TemporaryDirectory(dir=options.out.parent) as folder:
        file = Path(folder) / "cut.table"
        export(file, found, learned, {}, options.beta_squared, (options.model,), size)
        stored = path_of(file, options.model)
        with tqdm(total=games.games, desc=f"{size} classes", unit="game") as bar:
            result = evaluate(games, open_model(file, options.model), bar.update)
        summary = summarize(result, games.games, games.names, options.model)
        return {
            "classes": min(size, len(found.keys)),
            "megabytes": stored.stat().st_size / 1e6,
            **{name: summary[name] for name in KEPT},
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the sizes that are missing, print all; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--harvest", type=Path, required=True)
    parser.add_argument("--learned", type=Path, required=True)
    parser.add_argument("--beta-squared", type=float, required=True)
    parser.add_argument("--games", nargs="+", required=True, metavar="PATH")
    parser.add_argument("--max-games", type=int)
    parser.add_argument("--sizes", type=int, nargs="+", required=True, metavar="CLASSES")
    parser.add_argument("--model", choices=MODELS, default=MODELS[0])
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.json")
    parser.add_argument("--plot", type=Path, metavar="FILE.png|svg|pdf")
    options = parser.parse_args(arguments)
    try:
        curve = run(options)
    except (YomiError, OSError) as error:
        print(f"size_accuracy: {error}", file=sys.stderr)
        return 1
    print_table(
        ["classes", "MB", "top 1 %", "log evidence"],
        [
            [point["classes"], point["megabytes"], 100 * point["top1"], point["mean_log_evidence"]]
            for point in curve
        ],
    )
    return 0


def run(options: argparse.Namespace) -> list[Row]:
    """Return the curve, smallest table first, after measuring the sizes that OUT lacks."""
    # First, so that a missing matplotlib is noticed before hours of measuring.
    figure = new_figure(options.plot, 7, 5) if options.plot else None
    archives = [read_archive(path, options.max_games) for path in options.games]
    games = join_archives(archives, options.max_games)
    found, learned = read_learned(options.harvest, options.learned)
    setting = {"model": options.model, "games": games.games}
    kept = KeptRows(options.out, setting, "curve", "another model or other games")
    done = {point["classes"] for point in kept.rows}
    # A size above the number of classes means all of them, measured once.
    sizes = {min(size, len(found.keys)) for size in options.sizes}
    # Smallest first: the curve can be looked at long before the largest table is measured.
    for size in sorted(sizes - done):
        kept.add(measure(size, found, learned, games, options))
    curve = sorted(kept.rows, key=lambda point: int(point["classes"]))
    if figure is not None:
        axes = figure.add_subplot()
        megabytes = [point["megabytes"] for point in curve]
        axes.plot(megabytes, [100 * point["top1"] for point in curve], marker="o")
        axes.set(xlabel="table [MB]", ylabel="first guess right [%]", xscale="log")
        axes.grid(True)
        save_figure(figure, options.plot)
    return curve


if __name__ == "__main__":
    sys.exit(main())
