"""``yomi analyze``: review game records to help players learn from them."""

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from engine import BadSetup, PlayerOptions
from engine.review import Level, read_level
from gtp.cli.command_line import EXIT, add_cluster, cluster_of, count, say, whole_number
from gtp.review.apart import review_on_cluster
from gtp.review.browser import require_jinja
from gtp.review.games import (
    ReviewBackend,
    Reviewed,
    ReviewOptions,
    read_job,
    review_records,
    write_index,
    write_review,
)
from gtp.review.jobs import INDEX, Job, Outputs, find_jobs, require_games
from gtp.warming import compile_visibly
from patterns_db.outputs import check_folder, check_outputs
from patterns_db.printing import printable
from patterns_db.records.games import is_archive
from patterns_db.records.members import record_bytes
from patterns_db.shipped import PATTERN_TABLE, load_knowledge

OWN = "own"  # the level of each player of a game
MEMORY_MIB = 512  # for all search trees together
FIRST_PERCENT = 25  # share of a review's time that the first looks take, about


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and the help text."""
    parser.description = (
        "Find the mistakes of a game: the loss, its probability, the reason, and a better move."
    )
    parser.epilog = (
        "--out writes a copy of the record with a review that Sabaki shows: win rates and leads,"
        " the best moves as letters, marks on bad, doubtful and brilliant moves, comments, and the"
        " better lines as variations. For a folder, an archive or several records --out names a"
        " folder, which gets NAME.sgf, NAME.html and NAME.json of each game, and index.html;"
        " finished games are skipped, so the same command continues a stopped run."
    )
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="GAME.sgf|FOLDER",
        help="a record, whose main line is reviewed; or several records, folders, archives",
    )
    parser.add_argument("--out", metavar="FILE.sgf|FOLDER", help="write the record with notes")
    parser.add_argument(
        "--html",
        metavar="FILE.html",
        help="write a page for a browser: mistakes as questions, a board to play on",
    )
    parser.add_argument("--json", metavar="FILE.json", help="write all numbers")
    parser.add_argument(
        "--level",
        metavar="GRADE",
        help="only remarks that help a reader of this level: 20k to 5d, or own, each player's"
        " (all)",
    )
    parser.add_argument(
        "--playouts",
        type=count,
        metavar="N",
        help="random games a position (500 on 19x19, 3004 on 9x9); up to three times as many go to"
        " closer looks",
    )
    parser.add_argument("--jobs", type=count, default=1, metavar="N", help="games at once (1)")
    parser.add_argument("--threads", type=count, metavar="T", help="processor cores per game (all)")
    parser.add_argument(
        "--seed", type=whole_number, default=1, metavar="S", help="seed of the random numbers (1)"
    )
    parser.add_argument("--patterns", metavar="FILE", help="pattern table (the included one)")
    add_cluster(parser)


def run(options: argparse.Namespace) -> int:
    """Review games; return the exit status. Raises YomiError when that cannot be done."""
    level: Level | None = Level()
    if options.level:
        level = None if options.level.strip().lower() == OWN else read_level(options.level)
    first = Path(options.paths[0])
    many = len(options.paths) > 1 or first.is_dir() or is_archive(first)
    # This check comes before messages about --out, which do not matter if a name is wrong.
    missing = [path for path in options.paths if not Path(path).exists()]
    if missing and (many or first.suffix.lower() != ".sgf"):
        raise BadSetup(f"no such file or directory: {missing[0]}")
    if "" in (options.out, options.html, options.json):
        raise BadSetup("an output has an empty name")
    # The outputs are checked now, before a search that may take hours.
    jobs, finished = _many_jobs(options) if many else ([_single_job(options)], 0)
    # Workers of a cluster have one task for each of their cores.
    cores = 1 if options.cluster else PlayerOptions().thread_count
    threads = options.threads or max(1, cores // options.jobs)
    thinking = PlayerOptions(
        playouts=options.playouts,
        threads=threads,
        seed=options.seed,
        # Each game has two searchers.
        memory_mib=max(16, MEMORY_MIB // (2 * options.jobs)),
    )
    settings = ReviewOptions(thinking, level, options.jobs)
    patterns = Path(options.patterns) if options.patterns else None
    with cluster_of(options) as cluster, _Progress() as progress:
        backend: ReviewBackend
        if cluster:
            backend = partial(review_on_cluster, cluster, patterns=patterns)
        else:
            show = (lambda what, done, of: None) if many else progress.show
            knowledge = load_knowledge(patterns or PATTERN_TABLE)
            backend = partial(review_records, knowledge=knowledge, progress=show)
            if not many:
                read_job(jobs[0])  # an error about the record comes before anything is compiled
            # The reviews run in threads of their own, where Ctrl-C could not end a compilation.
            if jobs:
                compile_visibly(say)
        if many:
            return _review_many(backend(jobs, settings), len(jobs), finished, Path(options.out))
        (reviewed,) = backend(jobs, settings)
    return _finish(reviewed)


class _Progress:
    """The progress bar of one game, in percent. It appears with the first progress."""

    def __init__(self) -> None:
        self._bar: Any = None

    def __enter__(self) -> "_Progress":
        return self

    def __exit__(self, error: object, *_: object) -> None:
        if self._bar is not None:
            if error is None:  # the last looks may be fewer than planned
                self._bar.n = self._bar.total
                self._bar.refresh()
            self._bar.close()

    def show(self, what: str, done: int, of: int) -> None:
        # The bar is created late, so that an error about the record is one line without a bar.
        if self._bar is None:
            self._bar = tqdm(
                total=100,
                file=sys.stderr,
                disable=None,
                bar_format="{desc}: {percentage:3.0f}%|{bar}|",
            )
        closer = what == "suspects"
        self._bar.desc = "looking closer" if closer else "reviewing"
        first, share = (FIRST_PERCENT, 100 - FIRST_PERCENT) if closer else (0, FIRST_PERCENT)
        self._bar.n = first + share * done // max(of, 1)
        self._bar.refresh()


def _single_job(options: argparse.Namespace) -> Job:
    paths = (options.out, options.html, options.json)
    outputs = Outputs._make(Path(path) if path else None for path in paths)
    if outputs.html is not None:
        require_jinja()
    check_outputs([path for path in outputs if path is not None], _inputs(options))
    source = Path(options.paths[0])
    try:
        return Job(str(source), record_bytes(source), outputs)
    except OSError as error:
        raise BadSetup(f"{source}: {error.strerror}") from error


def _many_jobs(options: argparse.Namespace) -> tuple[list[Job], int]:
    require_games(options.paths)
    if options.out is None or options.html or options.json:
        raise BadSetup("several games need --out FOLDER, without --html and --json")
    require_jinja()
    folder = Path(options.out)
    check_folder(folder, _inputs(options))
    return find_jobs(options.paths, folder)


def _inputs(options: argparse.Namespace) -> list[str]:
    return [*options.paths, *([options.patterns] if options.patterns else [])]


def _finish(reviewed: Reviewed) -> int:
    """Print the report on a game, then write its files; return the exit status."""
    if reviewed.error and not reviewed.files and not reviewed.report:
        raise BadSetup(reviewed.error)
    for line in reviewed.report:
        print(printable(line))
    # Printed lines survive whatever happens to the files.
    sys.stdout.flush()
    written = write_review(reviewed)
    for path, _ in written.files:
        print(f"wrote {printable(str(path))}")
    if written.error:
        raise BadSetup(written.error)
    return 0


def _review_many(reviews: Iterator[Reviewed], jobs: int, finished: int, folder: Path) -> int:
    if finished:
        say(f"{finished} finished games skipped in {folder}, with the options they were made with")
    failed, interrupted = 0, False
    with tqdm(total=jobs, desc="reviewing", unit="game", file=sys.stderr, disable=None) as bar:
        try:
            for reviewed in reviews:
                bar.update()
                failed += _note_review(reviewed, bar)
        except KeyboardInterrupt:
            interrupted = True
    if folder.is_dir():
        try:
            write_index(folder)
        except OSError as error:
            raise BadSetup(f"{error.filename or folder}: {error.strerror}") from error
        print(f"wrote {printable(str(folder / INDEX))}")
    if interrupted:
        say("stopped; the same command continues with the next game")
        return EXIT.interrupted
    return EXIT.failed if failed else 0


def _note_review(reviewed: Reviewed, bar: Any) -> bool:
    """Print one game's verdict and write its files. Return whether anything failed."""
    source = printable(reviewed.source)
    for verdict in reviewed.report[:1]:
        bar.write(f"{source}: {printable(verdict)}")
    written = write_review(reviewed)
    if not written.error:
        return False
    # Otherwise the report is only in the game's files.
    for line in reviewed.report[1:]:
        bar.write(f"{source}: {printable(line)}")
    bar.write(f"yomi: {printable(written.error)}", file=sys.stderr)
    return True
