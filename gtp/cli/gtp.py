"""``yomi gtp``: the session on the process's own standard streams."""

import argparse
import logging
import os
import sys
from pathlib import Path

from engine import BadSetup, PatternThinker, PlayerOptions, SearchThinker
from engine.search.model import SearchModel
from gtp import settings
from gtp.cli.command_line import EXIT
from gtp.cli.options import add_option
from gtp.cli.streams import begin_talk, end_talk, start_log
from gtp.handlers.table import UNLISTED, handlers
from gtp.prompt import Prompt
from gtp.protocol import Protocol
from gtp.session import Session, SessionOptions
from gtp.warming import WarmUp
from patterns_db.printing import program_version
from patterns_db.shipped import PATTERN_TABLE, load_knowledge

logger = logging.getLogger(__name__)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and the help text."""
    parser.description = "Speak GTP on standard input and output, for Sabaki, GoGui, KGS or CGOS."
    parser.epilog = (
        "A clock set by the Go program governs the time. Without a clock, and without"
        " --playouts and --time, a move takes 5 seconds."
    )
    groups: dict[str, argparse._ArgumentGroup] = {}
    for setting in settings.SETTINGS:
        if setting.group not in groups:
            groups[setting.group] = parser.add_argument_group(setting.group)
        add_option(groups[setting.group], setting)


def run(options: argparse.Namespace) -> int:
    """Run until ``quit`` or the end of the input, and return the exit status. Raises YomiError."""
    if options.level is not None and options.player != "search":
        raise BadSetup("a level chooses moves in its own way: leave out --level or --player")
    is_person = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    source, sink = (None, None) if is_person else begin_talk()
    if not start_log(options.log):
        return EXIT.usage_error
    # Kernels are compiled in a thread, so that all commands but searches are answered meanwhile.
    # GoGui gives a command 15 seconds, and CGOS's client logs on only after list_commands.
    warm_up = WarmUp()
    session = Session(_session_options(options), warm_up.wait, warm_up.wait_for_first_move)
    # gogui-twogtp counts repeated games, so the seed is random unless given. The log names it so
    # that a game can be replayed.
    logger.info("yomi %s, seed %d", program_version(), session.player.seed)
    if options.ogs_chat:
        logger.info("a line for OGS in KataGo's format follows each move")
    warm_up.start()
    if source is None or sink is None:
        Prompt(session, os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")).run()
    else:
        Protocol(handlers(session), session.ponder, UNLISTED).run(source, sink)
    end_talk(warm_up, sink)
    return 0


def _session_options(options: argparse.Namespace) -> SessionOptions:
    player = PlayerOptions(
        playouts=options.playouts,
        # Sabaki sends no clock, and without any limit a search would never end there.
        seconds=options.time,
        level=options.level,
        threads=options.threads,
        seed=options.seed,
        resign_percent=options.resign,
        sums="sums" not in options.without,
        memory_mib=options.memory,
        model=SearchModel(lateral="amaf" not in options.without),
        tactics="tactics" not in options.without,
        thinker=PatternThinker if options.player == "patterns" else SearchThinker,
    )
    ranked = "patterns" not in options.without
    return SessionOptions(
        player=player,
        knowledge=load_knowledge(Path(options.patterns or PATTERN_TABLE) if ranked else None),
        rules=options.rules,
        superko=options.superko,
        capture_dead=options.capture_dead,
        lag=options.lag,
        chat=options.kgs_chat,
        ponder=options.ponder,
        ogs_chat=options.ogs_chat,
    )
