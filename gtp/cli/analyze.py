"""``yomi analyze``: game records reviewed, so that a player learns from them."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tqdm import tqdm

from engine import BadSetup, PlayerOptions
from gtp.cli.command_line import (
    FAILED,
    INTERRUPTED,
    add_cluster,
    cluster_of,
    count,
    whole_number,
)
from patterns_db import (
    PATTERN_TABLE,
    Job,
    Outputs,
    Reviewed,
    ReviewOptions,
    describe_remark,
    find_jobs,
    load_knowledge,
    new_figure,
    printable,
    read_level,
    review_on_cluster,
    review_records,
    write_index,
)

MEMORY_MIB = 512  # for all search trees together


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and what the help says."""
    parser.description = (
        "Find the mistakes of a game: what each lost, how surely, why, and what was better."
    )
    parser.epilog = (
        "--out writes it all into a copy of the record, as Sabaki shows it: win rates and leads,"
        " the best moves as letters, marks on bad, doubtful and brilliant moves, comments, and the"
        " better lines as variations. For a folder, an archive or several records --out names a"
        " folder, which gets NAME.sgf, NAME.md and NAME.svg of each game and an index; games that"
        " are finished are left alone, so the same command goes on where it was stopped."
    )
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="GAME.sgf|FOLDER",
        help="the record, whose main line is reviewed; or folders, archives, many records",
    )
    parser.add_argument("--out", metavar="FILE.sgf|FOLDER", help="write the record with notes")
    parser.add_argument("--plot", metavar="FILE.png|svg|pdf", help="draw win rate and lead")
    parser.add_argument("--summary", metavar="FILE.md", help="write a page about the mistakes")
    parser.add_argument(
        "--level", metavar="GRADE", help="of who reads it, 20k to 5d: remarks that help (all)"
    )
    parser.add_argument(
        "--playouts",
        type=count,
        default=1000,
        metavar="N",
        help="random games a position (1000); suspected mistakes get four times as many",
    )
    parser.add_argument("--jobs", type=count, default=1, metavar="N", help="games at a time (1)")
    parser.add_argument(
        "--threads", type=count, metavar="T", help="processor cores a game (all; with --jobs: 1)"
    )
    parser.add_argument(
        "--seed", type=whole_number, default=1, metavar="S", help="of the random numbers (1)"
    )
    parser.add_argument("--patterns", metavar="FILE", help="the table (the one that comes along)")
    add_cluster(parser)


def run(options: argparse.Namespace) -> int:
    """Review games; return the exit status. Raises YomiError when that cannot be done."""
    level = read_level(options.level) if options.level else None
    many = len(options.paths) > 1 or not options.paths[0].lower().endswith(".sgf")
    many = many or Path(options.paths[0]).is_dir()
    # What cannot be drawn or written is told now, not after a search that may take hours.
    jobs, finished = _many_jobs(options) if many else ([_single_job(options)], 0)
    threads = options.threads or (1 if options.jobs > 1 or options.cluster else None)
    thinking = PlayerOptions(
        playouts=options.playouts,
        threads=threads,
        seed=options.seed,
        # Each game has two searchers.
        memory_mib=max(16, MEMORY_MIB // (2 * options.jobs)),
    )
    settings = ReviewOptions(thinking, jobs=options.jobs)
    if level is not None:
        settings = settings._replace(level=level)
    patterns = Path(options.patterns) if options.patterns else None
    progress = _Progress()
    with cluster_of(options) as cluster, progress:
        if cluster is not None:
            reviews = review_on_cluster(cluster, jobs, settings, patterns)
        elif many:
            reviews = review_records(jobs, settings, load_knowledge(patterns or PATTERN_TABLE))
        else:
            knowledge = load_knowledge(patterns or PATTERN_TABLE)
            reviews = review_records(jobs, settings, knowledge, progress.show)
        if many:
            return _review_many(reviews, len(jobs), finished, Path(options.out))
        (reviewed,) = reviews
    if reviewed.error:
        raise BadSetup(reviewed.error)
    _print_remarks(reviewed)
    return 0


class _Progress:
    """The bar of one game, drawn when there is something to show."""

    def __init__(self) -> None:
        self._bar: Any = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def show(self, what: str, done: int, of: int) -> None:
        # Not before: a complaint about the record is one line without a bar.
        if self._bar is None:
            self._bar = tqdm(unit="position", file=sys.stderr)
        self._bar.desc = "looking closer" if what == "suspects" else "reviewing"
        self._bar.total, self._bar.n = of, done
        self._bar.refresh()


def _single_job(options: argparse.Namespace) -> Job:
    outputs = Outputs(
        *(Path(path) if path else None for path in (options.out, options.plot, options.summary))
    )
    if outputs.plot is not None:
        new_figure(outputs.plot, 1, 1)
    for path in outputs:
        if path is not None and not path.parent.is_dir():
            raise BadSetup(f"{path}: no such folder")
    source = Path(options.paths[0])
    try:
        return Job(str(source), source.read_bytes(), outputs)
    except OSError as error:
        raise BadSetup(f"{source}: {error.strerror}") from error


def _many_jobs(options: argparse.Namespace) -> tuple[list[Job], int]:
    if options.out is None or options.plot or options.summary:
        raise BadSetup("for several games name a folder by --out, and neither --plot nor --summary")
    folder = Path(options.out)
    if folder.exists() and not folder.is_dir():
        raise BadSetup(f"{folder}: not a folder")
    try:
        new_figure(Path("plot.svg"), 1, 1)
        plots = True
    except BadSetup:  # without matplotlib: all but the pictures
        plots = False
    return find_jobs(options.paths, folder, plots)


def _print_remarks(reviewed: Reviewed) -> None:
    for remark in reviewed.remarks:
        print(describe_remark(remark))
    if not reviewed.remarks:
        print("no mistake found")


def _review_many(reviews: Iterator[Reviewed], jobs: int, finished: int, folder: Path) -> int:
    if finished:
        print(f"yomi: {finished} games are finished already in {folder}", file=sys.stderr)
    failed, interrupted = 0, False
    with tqdm(total=jobs, desc="reviewing", unit="game", file=sys.stderr) as bar:
        try:
            for reviewed in reviews:
                bar.update()
                if reviewed.error:
                    failed += 1
                    bar.write(f"yomi: {printable(reviewed.error)}", file=sys.stderr)
                else:
                    bar.write(f"{printable(reviewed.source)}: {len(reviewed.remarks)} mistakes")
        except KeyboardInterrupt:
            interrupted = True
    if folder.is_dir():
        write_index(folder)
    if interrupted:
        print("yomi: stopped; the same command goes on with the next game", file=sys.stderr)
        return INTERRUPTED
    return FAILED if failed else 0
