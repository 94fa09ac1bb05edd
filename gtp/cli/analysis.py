"""``yomi analysis``: KataGo's JSON analysis protocol on the process's own standard streams."""

import argparse
import logging
import threading
from pathlib import Path

from engine import PlayerOptions
from gtp import settings
from gtp.cli.command_line import EXIT, count, number_reader
from gtp.cli.options import add_option
from gtp.cli.streams import begin_talk, end_talk, start_log
from gtp.katago.engine import AnalysisEngine, AnalysisOptions
from gtp.katago.query import PERSPECTIVES, Defaults
from gtp.warming import WarmUp
from patterns_db.printing import program_version
from patterns_db.shipped import PATTERN_TABLE, load_knowledge

logger = logging.getLogger(__name__)

LEAST_TREE = 16  # MiB; a search of 1000 roll-outs on 19x19 needs less
# Options of KataGo that clients always pass: its network and its settings.
_PASSED_OVER = ("-config", "-model", "-human-model", "-override-config", "-override-version")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and the help text."""
    parser.description = (
        "Answer queries as KataGo's analysis engine does, one line of JSON each, on standard input"
        " and output: for KaTrain, Ogatak and scripts that review games."
    )
    parser.epilog = (
        "Queries about positions of the same game inform each other. With --independent and"
        " --threads 1 the same query, seed and number of roll-outs have the same answer."
        " -config, -model and KataGo's other files are passed over."
    )
    parser.add_argument(
        "--visits",
        type=count,
        default=1000,
        metavar="N",
        help="random games per position, unless a query sets it (1000)",
    )
    parser.add_argument(
        "--concurrency",
        "-analysis-threads",
        type=number_reader(int, 1, "a whole number from 1 to 1024", 1024),
        metavar="N",
        help="positions searched at the same time (as many as use all cores)",
    )
    add_option(
        parser, settings.named("threads"), help="cores per position (1; with --concurrency: all)"
    )
    parser.add_argument(
        "--perspective",
        type=str.lower,
        default="black",
        choices=PERSPECTIVES,
        metavar="SIDE",
        help="point of view of the values: black (default), white or sidetomove",
    )
    add_option(parser, settings.named("seed"), default=1, help="seed of the random numbers (1)")
    add_option(parser, settings.named("memory"), help="memory for all search trees together (512)")
    parser.add_argument(
        "--independent", action="store_true", help="judge each position by its own search alone"
    )
    parser.add_argument(
        "--quit-without-waiting",
        "-quit-without-waiting",
        action="store_true",
        help="stop unfinished searches at the end of the input",
    )
    parser.add_argument("--patterns", metavar="FILE", help="pattern table (the included one)")
    parser.add_argument("--log", metavar="FILE", help="write errors and notes to a file")
    for name in _PASSED_OVER:
        parser.add_argument(name, metavar="X", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Answer queries until the end of the input; return the exit status."""
    source, sink = begin_talk()
    if not start_log(options.log):
        return EXIT.usage_error
    warm_up = WarmUp()
    at_once, threads = share_cores(options.concurrency, options.threads, options.memory)
    engine = AnalysisEngine(
        AnalysisOptions(
            player=PlayerOptions(
                threads=threads, seed=options.seed, memory_mib=max(1, options.memory // at_once)
            ),
            knowledge=load_knowledge(Path(options.patterns or PATTERN_TABLE)),
            defaults=Defaults(options.visits, options.perspective),
            at_once=at_once,
            finish=not options.quit_without_waiting,
            independent=options.independent,
        ),
        sink,
        warm_up.wait,
        warm_up.wait_for_first_move,
    )
    logger.info("yomi %s, seed %d, %d positions at once", program_version(), options.seed, at_once)
    warm_up.start()
    # Clients wait for this message, which KataGo prints, before they send anything.
    threading.Thread(target=_say_when_ready, args=(warm_up,), daemon=True).start()
    engine.run(source)
    end_talk(warm_up, sink)
    return 0


def share_cores(at_once: int | None, threads: int | None, memory_mib: int) -> tuple[int, int]:
    """Return the number of positions searched side by side, and the threads of each.

    They use all cores, unless the command line says otherwise. One thread a position is best: it
    gives the same answer every time.
    memory_mib  for all search trees together; it bounds the positions that need a tree each
    """
    cores = PlayerOptions().thread_count
    if at_once is None:
        at_once = max(1, min(cores // (threads or 1), memory_mib // LEAST_TREE))
    return at_once, threads or max(1, cores // at_once)


def _say_when_ready(warm_up: WarmUp) -> None:
    warm_up.wait_silently()
    logger.info("Started, ready to begin handling requests")
