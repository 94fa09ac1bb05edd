"""One record or many, reviewed: several at a time, each written whole, finished ones left alone."""

import dataclasses
import logging
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import quote

from engine import BadSetup, Knowledge, PlayerOptions, Predictor, SgfError
from patterns_db.annotations import annotate
from patterns_db.games import GameReader
from patterns_db.plotting import new_figure, save_figure
from patterns_db.records import read_main_line
from patterns_db.replay import terms_of
from patterns_db.review.judging import Progress, review_game
from patterns_db.review.looks import Lookout
from patterns_db.review.notes import write_notes
from patterns_db.review.pages import index_of, page_of, title_of
from patterns_db.review.plots import draw_review
from patterns_db.review.positions import positions_of
from patterns_db.review.remarks import Level, Remark, doubts_of, remarks_of
from patterns_db.whole_files import write_whole

logger = logging.getLogger(__name__)

INDEX = "index.md"
POLL = 0.2  # seconds between two looks at whether somebody pressed Ctrl-C


class Outputs(NamedTuple):
    """Where a review goes; None: nowhere."""

    record: Path | None = None
    plot: Path | None = None
    page: Path | None = None


class Job(NamedTuple):
    """A record to review.

    source  what messages call it
    data    its bytes
    """

    source: str
    data: bytes
    outputs: Outputs = Outputs()


class ReviewOptions(NamedTuple):
    """How games are reviewed.

    thinking  of the quick searches: playouts, threads, seed, memory (of all jobs together)
    level     of who reads it
    jobs      games at a time
    """

    thinking: PlayerOptions
    level: Level = Level()
    jobs: int = 1


class Reviewed(NamedTuple):
    """What came of one job: remarks, or an error's message."""

    source: str
    remarks: tuple[Remark, ...] = ()
    error: str = ""


def find_jobs(paths: Sequence[str], folder: Path, plots: bool) -> tuple[list[Job], int]:
    """Return the games under some paths that are not finished yet, and how many are.

    Each game has its place in the folder: NAME.sgf, NAME.md and, with plots, NAME.svg.
    """
    jobs, finished = [], 0
    taken: set[str] = set()
    for source, data in GameReader(paths).records():
        file, _, number = source.partition("#")
        stem = file[:-4] if file.lower().endswith(".sgf") else file
        parts = PurePosixPath(f"{stem}-{number}" if number else stem).parts
        # From an archive: it must not lead out of the folder.
        name = "/".join(part for part in parts if part not in ("..", ".", "/")) or "game"
        while name in taken:
            name += "+"
        taken.add(name)
        record, page = folder / f"{name}.sgf", folder / f"{name}.md"
        plot = folder / f"{name}.svg" if plots else None
        # The record is written last.
        if record.exists():
            finished += 1
        else:
            jobs.append(Job(source, data, Outputs(record, plot, page)))
    return jobs, finished


def review_record(
    job: Job,
    options: ReviewOptions,
    knowledge: Knowledge,
    stop: threading.Event | None = None,
    progress: Progress = lambda what, done, of: None,
) -> Reviewed:
    """Review one record and write what is wanted of it.

    Raises SgfError for a record that cannot be read, OSError for a file that cannot be written,
    Stopped when ``stop`` is set before it is done; then nothing is written.
    """
    try:
        line = read_main_line(job.data)
        nodes = len(line.nodes)
        terms = terms_of(line.record)
        line = line._replace(
            record=dataclasses.replace(line.record, notes=line.record.notes + terms.notes)
        )
        line, games = positions_of(line, terms.rules, terms.komi)
    except SgfError as error:
        # The reader has bytes only: the file is named here.
        raise SgfError(f"{job.source}: {error}") from None
    for note in line.record.notes:
        logger.warning("%s: %s", job.source, note)
    predictor = Predictor(knowledge.patterns) if knowledge.patterns is not None else None
    lookout = Lookout(options.thinking, knowledge, stop)
    review = review_game(line, games, lookout, predictor, progress)
    remarks = remarks_of(review, options.level)
    _, plot, page = job.outputs
    if plot is not None:
        figure = new_figure(plot, 10, 6)
        draw_review(figure, review, remarks, title_of(line))
        save_figure(figure, plot)
    if page is not None:
        doubts = doubts_of(review, remarks, options.level)
        text = page_of(line, review, remarks, doubts, terms.rules.name, terms.komi)
        if plot is not None and plot.parent == page.parent:
            text += f"\n![Course of the game]({quote(plot.name)})\n"
        write_whole(page, text.encode())
    if job.outputs.record is not None:
        notes = write_notes(review, remarks, nodes)
        write_whole(job.outputs.record, annotate(line, notes))
    return Reviewed(job.source, tuple(remarks))


def review_records(
    jobs: Sequence[Job],
    options: ReviewOptions,
    knowledge: Knowledge,
    progress: Progress = lambda what, done, of: None,
) -> Iterator[Reviewed]:
    """Review records, several at a time; yield what came of each as it is finished.

    One that cannot be read or written is reported and does not stop the others. When the consumer
    stops (Ctrl-C), running searches end at once and what is not finished is not written.
    """
    stop = threading.Event()

    def work(job: Job) -> Reviewed:
        try:
            for path in job.outputs:
                if path is not None and len(jobs) > 1:
                    path.parent.mkdir(parents=True, exist_ok=True)
            return review_record(job, options, knowledge, stop, progress)
        except (SgfError, BadSetup) as error:
            return Reviewed(job.source, error=str(error))
        except OSError as error:
            return Reviewed(job.source, error=f"{error.filename or job.source}: {error.strerror}")

    # Threads: the searches run without Python's lock.
    with ThreadPoolExecutor(options.jobs) as pool:
        waiting: set[Future[Reviewed]] = {pool.submit(work, job) for job in jobs}
        try:
            while waiting:
                # With a limit: a wait without end keeps Ctrl-C waiting on some systems.
                done, waiting = wait(waiting, POLL, FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


def write_index(folder: Path) -> None:
    """Write a page that lists all reviews in a folder, of earlier runs as well."""
    pages = [
        (path.relative_to(folder).as_posix(), path.read_text("utf-8"))
        for path in sorted(folder.rglob("*.md"))
        if path.name != INDEX
    ]
    write_whole(folder / INDEX, index_of(pages).encode())
