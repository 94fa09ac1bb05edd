"""``yomi gtp``: the session on the process's own standard streams."""

import argparse
import contextlib
import dataclasses
import logging
import sys
from pathlib import Path

from engine import (
    MAX_SIZE,
    OPTIMISTIC,
    RELEVANCE,
    RULESETS,
    THOMPSON,
    BadSetup,
    BadVertex,
    PatternThinker,
    PlayerOptions,
    SearchModel,
    SearchThinker,
    level_options,
    parse_vertex,
)
from gtp.cli.command_line import (
    USAGE_ERROR,
    count,
    duration,
    number_reader,
    percent_or_never,
    whole_number,
)
from gtp.cli.streams import begin_talk, end_talk
from gtp.handlers.table import UNLISTED, handlers
from gtp.protocol import Command, Protocol
from gtp.session import Session, SessionOptions
from gtp.version import program_version
from gtp.warming import WarmUp
from patterns_db import PATTERN_TABLE, load_knowledge

logger = logging.getLogger(__name__)

POLICIES = {"thompson": THOMPSON, "optimistic": OPTIMISTIC, "relevance": RELEVANCE}

_HINT = """\
yomi speaks GTP, the language between Go programs: attach it to Sabaki or GoGui (see the README).
By hand: genmove b, play w D4, showboard, undo, help, quit. Options: yomi gtp --help"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options and what the help says."""
    parser.description = "Speak GTP on standard input and output, for Sabaki, GoGui, KGS or CGOS."
    parser.epilog = (
        "A clock that the Go program sets governs the time. Without one, and without"
        " --playouts and --time, a move takes 5 seconds."
    )
    _add_strength(parser.add_argument_group("how long to think"))
    _add_rules(parser.add_argument_group("rules"))
    _add_measuring(parser.add_argument_group("for measuring: leave something out"))
    _add_others(parser.add_argument_group("other"))


def _level(name: str) -> str:
    """Return the name of a level; any case will do."""
    try:
        level_options(name)
    except BadSetup as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name.lower()


def _add_strength(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--level",
        type=_level,
        metavar="20k..5d",
        help="play at a level, 20k to 1k or 1d to 5d, as players do (full strength)",
    )
    group.add_argument(
        "--playouts", type=count, metavar="N", help="random games a move (strength, not time)"
    )
    group.add_argument("--time", type=duration, metavar="SECONDS", help="time a move")
    group.add_argument(
        "--threads", type=count, metavar="T", help="processor cores to use (all, at most 4)"
    )
    group.add_argument(
        "--ponder", action="store_true", help="go on thinking while the opponent does"
    )
    group.add_argument(
        "--lag",
        type=duration,
        default=0.2,
        metavar="SECONDS",
        help="time lost on the way for each move, kept in reserve (0.2)",
    )


def _rules(name: str) -> str:
    """Return the name of a rule set as the engine has it; any case will do."""
    # What Korean rules say otherwise than Japanese ones, in odd positions, no program here decides.
    return {"korean": "japanese"}.get(name.lower(), name.lower())


def _add_rules(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--rules",
        type=_rules,
        default="chinese",
        metavar="NAME",
        choices=tuple(RULESETS),
        help="chinese (default), japanese or korean, aga, tromp-taylor, new-zealand",
    )
    group.add_argument(
        "--superko",
        metavar="KIND",
        choices=("none", "positional", "situational"),
        help="repetitions to avoid: none, positional or situational (as the rules say)",
    )
    group.add_argument(
        "--capture-dead",
        action="store_true",
        help="capture dead stones before passing, where they would be counted as alive (CGOS)",
    )
    group.add_argument(
        "--resign",
        type=percent_or_never,
        # The player's own default, said here so that --help can name it.
        default=4.0,
        metavar="PERCENT|never",
        help="resign when the chance to win stays below this (4)",
    )


def _add_measuring(group: argparse._ArgumentGroup) -> None:
    _add_choice(
        group,
        "--player",
        ("search", "patterns"),
        "search (default), or patterns: the most probable move by the learned patterns",
    )
    _add_choice(
        group,
        "--rollouts",
        ("guided", "uniform"),
        "random games by the learned policy (guided, default) or uniform",
    )
    _add_choice(
        group,
        "--policy",
        tuple(POLICIES),
        "where to search next: thompson (sampled values, default), optimistic (mean and"
        " deviation) or relevance (Baum's, at the root)",
    )
    _add_choice(
        group,
        "--clock",
        ("share", "utility"),
        "a clock's time goes in equal shares (default) or by Baum's utility",
    )
    for name, what in (
        ("--no-patterns", "search without the learned pattern values"),
        ("--no-sums", "search late positions without solving their fights"),
        ("--no-amaf", "search without all-moves-as-first evidence"),
        ("--no-tactics", "search without chains read out beforehand"),
        ("--life", "search with groups read out beforehand: do they live?"),
    ):
        group.add_argument(name, action="store_true", help=what)


def _add_choice(
    group: argparse._ArgumentGroup, name: str, choices: tuple[str, ...], what: str
) -> None:
    """Add an option that takes one of some words, the first if it is not given."""
    group.add_argument(name, default=choices[0], choices=choices, metavar="KIND", help=what)


def _add_others(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--patterns", metavar="FILE", help="another table of patterns than the one that comes along"
    )
    group.add_argument(
        "--seed", type=whole_number, metavar="S", help="repeat the same random numbers (random)"
    )
    group.add_argument(
        "--memory",
        type=number_reader(int, 16, "a whole number from 16 to 65536", 65536),
        default=512,
        metavar="MIB",
        help="memory for the search tree (512)",
    )
    group.add_argument(
        "--kgs-chat", action="store_true", help="answer what is said on KGS (new kgsGtp: trouble)"
    )
    group.add_argument("--log", metavar="FILE", help="write everything said to a file")


def run(options: argparse.Namespace) -> int:
    """Talk until ``quit`` or the end of the input; return the exit status."""
    if (streams := begin_talk(options.log)) is None:
        return USAGE_ERROR
    source, sink = streams
    by_hand = sys.stdin is not None and sys.stdin.isatty()
    if by_hand:
        print(_HINT, file=sys.stderr)
    # Compiles in a thread: GoGui gives a command 15 seconds and CGOS's client logs on only after
    # list_commands, so that all but searches is answered meanwhile.
    warm_up = WarmUp()
    session = Session(_session_options(options), warm_up.wait)
    # gogui-twogtp counts repeated games, so the seed is random unless given; in the log it is there
    # for who wants one of them again.
    logger.info("yomi %s, seed %d", program_version(), session.player.seed)
    warm_up.start()
    # Only where a person types: nobody reads a program's stderr, and some clients never empty it.
    unknown = _help_along if by_hand else lambda command: None
    Protocol(handlers(session), session.ponder, unknown, UNLISTED).run(source, sink)
    end_talk(sink, warm_up)
    return 0


def _help_along(command: Command) -> None:
    """Tell a person at a terminal what would have been understood; the answer is for programs."""
    with contextlib.suppress(BadVertex):
        parse_vertex(command.name, MAX_SIZE)
        print(f"To play there: play b {command.name}, or play w {command.name}", file=sys.stderr)


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
        life=options.life,
        thinker=PatternThinker if options.player == "patterns" else SearchThinker,
    )
    # Otherwise the player's own 5 seconds stay: Sabaki sends no clock, and an engine without any
    # limit thinks for ever there.
    if options.time is not None:
        player = dataclasses.replace(player, seconds=options.time)
    patterns = None if options.no_patterns else Path(options.patterns or PATTERN_TABLE)
    knowledge = load_knowledge(patterns)
    if options.rollouts == "uniform":
        # The search falls back to uniform roll-outs where there is no policy.
        knowledge = knowledge._replace(policy=None)
    if options.level is not None:
        player = dataclasses.replace(player, level=level_options(options.level))
    return SessionOptions(
        player,
        knowledge,
        options.rules,
        options.superko,
        options.lag,
        options.kgs_chat,
        options.ponder,
    )
