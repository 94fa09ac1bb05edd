"""Reviews of one record or many: several at a time, each written whole, finished ones skipped."""

import dataclasses
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import NamedTuple

from engine import BadSetup, Knowledge, PlayerOptions, Predictor, Rules, SgfError
from engine.review import GamePosition, Level, Lookout, OnLook, Stopped, review_game
from gtp.review.browser import html_of, index_of
from gtp.review.jobs import INDEX, Job
from gtp.review.notes import write_notes
from gtp.review.numbers import json_of
from gtp.review.positions import positions_of
from gtp.review.summary import report_of, with_lessons
from patterns_db.outputs import check_outputs
from patterns_db.people.levels import ranks_of
from patterns_db.printing import printable
from patterns_db.records.annotations import annotate
from patterns_db.records.replay import terms_of
from patterns_db.records.sgf import MainLine, read_main_line
from patterns_db.store.whole_files import write_whole

logger = logging.getLogger(__name__)

POLL = 0.2  # seconds between two checks for Ctrl-C


class ReviewOptions(NamedTuple):
    """Settings of a review."""

    # Of the quick searches: playouts, threads, seed, memory (of all jobs together)
    thinking: PlayerOptions
    level: Level | None = Level()  # of the reader; None: of each player, as the moves tell
    jobs: int = 1  # games at a time


class Reviewed(NamedTuple):
    """The report on one game, and the files to write."""

    source: str
    report: tuple[str, ...] = ()  # lines for a terminal, the verdict first
    error: str = ""  # what went wrong, one line; existing lines and files stay valid
    # (path, content); the record is the last, since its file marks a game as finished
    files: tuple[tuple[Path, bytes], ...] = ()


ReviewBackend = Callable[[Sequence[Job], ReviewOptions], Iterator[Reviewed]]
"""Reviews records in this process or elsewhere; yields each result as soon as it is ready."""


class JobRead(NamedTuple):
    """A record to review, as far as its moves are legal."""

    nodes: int  # number of nodes of its main line, those after an illegal move included
    rules: Rules
    komi: float
    line: MainLine
    positions: list[GamePosition]


def read_job(job: Job) -> JobRead:
    """Read a record. Raises SgfError, which names it."""
    if job.fault:
        raise SgfError(job.fault)
    try:
        line = read_main_line(job.data)
        nodes = len(line.nodes)
        terms = terms_of(line.record)
        notes = line.record.notes + terms.notes + terms.assumed
        line = line._replace(record=dataclasses.replace(line.record, notes=notes))
        line, positions = positions_of(line, terms.rules, terms.komi)
    except SgfError as error:
        # The reader gets bytes only, so the file is named here.
        raise SgfError(f"{job.source}: {error}") from None
    return JobRead(nodes, terms.rules, terms.komi, line, positions)


def review_record(
    job: Job,
    options: ReviewOptions,
    knowledge: Knowledge,
    stop: threading.Event | None = None,
    progress: OnLook = lambda what, done, of: None,
) -> Reviewed:
    """Review one record. Return the report and the files to write, or the error.

    Raises Stopped when ``stop`` is set during the review.
    """
    try:
        lookout = Lookout(options.thinking, knowledge, stop)
        return _review(job, options.level, lookout, progress)
    except Stopped:
        raise
    except (SgfError, BadSetup) as error:
        return Reviewed(job.source, error=str(error))
    except Exception as error:  # an error in one game must not cost the others
        logger.debug("%s", job.source, exc_info=True)
        return Reviewed(job.source, error=f"{job.source}: {_unexpected(error)}")


def _review(job: Job, level: Level | None, lookout: Lookout, progress: OnLook) -> Reviewed:
    """Return the report and the files to write. Raises SgfError and Stopped."""
    nodes, rules, komi, line, positions = read_job(job)
    knowledge = lookout.knowledge
    for note in line.record.notes:
        logger.warning("%s", printable(f"{job.source}: {note}"))
    predictor = Predictor(knowledge.patterns) if knowledge.patterns is not None else None
    progress("positions", 0, len(positions))
    ranks = ranks_of(line.record, knowledge)
    review = review_game(positions, lookout, predictor, progress, ranks)
    game = with_lessons(line, review, level, rules, komi)
    return _with_files(
        Reviewed(job.source, report_of(game)),
        (
            (job.outputs.html, lambda: html_of(game).encode()),
            (job.outputs.json, lambda: json_of(game).encode()),
            # The record is the last.
            (job.outputs.record, lambda: annotate(line, write_notes(review, game.remarks, nodes))),
        ),
    )


def _with_files(
    reviewed: Reviewed, makers: Sequence[tuple[Path | None, Callable[[], bytes]]]
) -> Reviewed:
    """Return a review with its files' contents. An error in one file does not cost the others."""
    for path, make in makers:
        if path is None:
            continue
        try:
            content = make()
        except Exception as error:
            logger.debug("%s", path, exc_info=True)
            reviewed = reviewed._replace(error=f"{path}: not written, {_unexpected(error)}")
        else:
            reviewed = reviewed._replace(files=(*reviewed.files, (path, content)))
    return reviewed


def _unexpected(error: Exception) -> str:
    """Return one line about an internal error."""
    return f"internal error ({type(error).__name__}: {' '.join(str(error).split())[:200]})"


def write_review(reviewed: Reviewed) -> Reviewed:
    """Write the files of a review. Return it with the written ones, and the first error, if any."""
    files, error = [], reviewed.error
    for path, content in reviewed.files:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
        except OSError as fault:
            error = error or f"{path}: {fault.strerror}"
        else:
            files.append((path, content))
    return reviewed._replace(files=tuple(files), error=error)


def review_records(
    jobs: Sequence[Job],
    options: ReviewOptions,
    knowledge: Knowledge,
    progress: OnLook = lambda what, done, of: None,
) -> Iterator[Reviewed]:
    """Review records, several at a time. Yield each result as soon as it is ready.

    ``write_review`` writes the files. A failed review is reported and does not stop the others.
    When the consumer stops (Ctrl-C), running searches end at once.
    """
    stop = threading.Event()

    def work(job: Job) -> Reviewed:
        try:
            # Files are checked before the search, which may take hours.
            check_outputs([path for path in job.outputs if path is not None], (), make_folders=True)
        except BadSetup as error:
            return Reviewed(job.source, error=str(error))
        return review_record(job, options, knowledge, stop, progress)

    # Threads are enough: the searches run without Python's lock.
    with ThreadPoolExecutor(options.jobs) as pool:
        waiting: set[Future[Reviewed]] = {pool.submit(work, job) for job in jobs}
        try:
            while waiting:
                # The wait has a limit, because an endless one blocks Ctrl-C on some systems.
                done, waiting = wait(waiting, POLL, FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


def write_index(folder: Path) -> None:
    """Write a page that lists all reviews in a folder, including those of earlier runs.

    Raises OSError.
    """
    index = folder / INDEX
    write_whole(index, index_of(folder, index).encode())
