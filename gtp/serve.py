"""``yomi gtp``: the session on the process's own standard streams."""

import argparse
import contextlib
import dataclasses
import io
import logging
import os
import signal
import sys
from functools import partial
from pathlib import Path

from engine import PatternThinker, PlayerOptions, SearchThinker, YomiError
from engine.search.model import OPTIMISTIC, RELEVANCE, THOMPSON, SearchModel
from gtp.analysis import ANALYSIS
from gtp.commands import CORE, program_version
from gtp.gogui import GOGUI
from gtp.protocol import Handler, InputStream, Protocol
from gtp.queries import QUERIES
from gtp.servers import CHAT, SERVERS
from gtp.session import Session, SessionOptions
from gtp.setup import SETUP
from gtp.tactics import TACTICS
from gtp.views import VIEWS
from gtp.warming import WarmUp
from patterns_db.shipped import PATTERN_TABLE, load_knowledge

logger = logging.getLogger(__name__)

POLICIES = {"thompson": THOMPSON, "optimistic": OPTIMISTIC, "relevance": RELEVANCE}

_HINT = """\
yomi speaks GTP, the language between Go programs: attach it to Sabaki or GoGui (see the README).
By hand: genmove b, play w D4, showboard, undo, list_commands, quit. Options: yomi gtp --help"""


def handlers(session: Session) -> dict[str, Handler]:
    """Return all commands that need a session, by name."""
    table = {**CORE, **SETUP, **QUERIES, **ANALYSIS, **GOGUI, **VIEWS, **TACTICS, **SERVERS}
    if session.options.chat:
        table |= CHAT
    return {name: partial(handler, session) for name, handler in table.items()}


def serve(options: argparse.Namespace) -> int:
    """Talk until ``quit`` or the end of the input; return the exit status."""
    source, sink = (
        _standard_streams()
    )  # first: a file opened before could take a closed one's number
    try:
        _start_log(options.log)
    except OSError as error:
        print(f"yomi: cannot write the log {options.log}: {error.strerror}", file=sys.stderr)
        return 2
    # At once, whatever the threads are doing: a search would be waited for otherwise.
    signal.signal(signal.SIGINT, lambda signal_number, frame: os._exit(130))
    if sys.stdin is not None and sys.stdin.isatty():
        print(_HINT, file=sys.stderr)
    warm_up = WarmUp()
    try:
        session = Session(_session_options(options), warm_up.wait)
    except YomiError as error:
        print(f"yomi: {error}", file=sys.stderr)
        return 1
    logger.info("yomi %s, seed %d", program_version(), session.player.seed)
    warm_up.start()
    Protocol(handlers(session), session.ponder).run(source, sink)
    with contextlib.suppress(OSError):  # the reader has gone: what is left in the buffer is lost
        sink.close()
    _leave(warm_up)
    return 0


def _session_options(options: argparse.Namespace) -> SessionOptions:
    player = PlayerOptions(
        playouts=options.playouts,
        threads=options.threads,
        seed=options.seed,
        capture_dead=options.capture_dead,
        resign_percent=options.resign,
        sums=not options.no_sums,
        patient=options.clock == "utility",
        memory_mib=options.memory,
        model=SearchModel(lateral=not options.no_amaf, policy=POLICIES[options.policy]),
        tactics=not options.no_tactics,
        thinker=PatternThinker if options.player == "patterns" else SearchThinker,
    )
    if options.time is not None:
        player = dataclasses.replace(player, seconds=options.time)
    patterns = None if options.no_patterns else Path(options.patterns or PATTERN_TABLE)
    knowledge = load_knowledge(patterns)
    if options.rollouts == "uniform":
        knowledge = knowledge._replace(policy=None)
    return SessionOptions(
        player,
        knowledge,
        options.rules,
        options.superko,
        options.lag,
        options.kgs_chat,
        options.ponder,
    )


def _start_log(file_name: str | None) -> None:
    """Send what a person may want to know to stderr, and everything to the log file."""
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    console = logging.StreamHandler()
    console.setLevel(logging.INFO)
    console.setFormatter(logging.Formatter("%(message)s"))
    root.addHandler(console)
    if file_name is not None:
        file = logging.FileHandler(file_name, encoding="utf-8", errors="backslashreplace")
        file.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        root.addHandler(file)
        logging.getLogger("gtp").setLevel(logging.DEBUG)


def _standard_streams() -> tuple[InputStream, io.BufferedIOBase]:
    """Return the protocol's own streams; anything else that prints goes to stderr.

    The input is unbuffered: a buffered one holds a lock while its thread waits, and Python cannot
    end as long as it does. A stream that was closed before we started counts as ended.
    """
    try:
        os.fstat(0)
        source: InputStream = io.FileIO(0, closefd=False)
    except OSError:
        source = io.BytesIO()
    try:
        sink: io.BufferedIOBase = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
    except OSError:
        sink = io.BytesIO()
    return source, sink


def _leave(warm_up: WarmUp) -> None:
    """End at once if a compilation is still under way; its thread cannot be stopped otherwise."""
    logging.shutdown()
    if warm_up.at_work:
        os._exit(0)
