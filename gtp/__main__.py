"""The ``yomi`` command. Without a subcommand it speaks GTP."""

import io
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from gtp.cli.command_line import EXIT, Parser, Visible, say

# The order is that of the help. Each name is a module of gtp.cli.
COMMANDS = {
    "gtp": "play over the Go Text Protocol (the default)",
    "train": "learn move prediction from game records, or the solver's priors from problems",
    "evaluate": "measure move prediction on game records",
    "solve": "read out whether chains can be captured",
    "analyze": "review a game record",
    "level": "estimate the ranks of the players of game records",
    "analysis": "answer queries as KataGo's analysis engine does, for KaTrain and others",
    "warmup": "compile what games and problems need, so that they start at once",
    "bench": "measure how fast this machine plays",
}


def _parser(chosen: str) -> Parser:
    """Return the parser of the whole command line, with options for the chosen command alone.

    Only that command's module is loaded. Loading the engine, training and numba would make a user
    wait for a help text.
    """
    # Options and commands cannot be abbreviated, here and below. A new option could make a prefix
    # ambiguous or change its meaning.
    parser = Parser(
        prog="yomi",
        description="A Go engine. Without a command it speaks GTP: point your Go program at it.",
        epilog="yomi COMMAND --help explains a command.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", required=True)
    for name, what in COMMANDS.items():
        command = commands.add_parser(name, help=what, allow_abbrev=False)
        if name == chosen:
            module = import_module(f"gtp.cli.{name}")
            module.add_options(command)
            command.set_defaults(run=module.run)
            # An unknown option is this parser's error; the command's help lists the known ones.
            parser.prog = command.prog
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _accept_all_text()
    try:
        status = _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return EXIT.interrupted
    except OSError as error:
        # The reader of the output has gone, as in "yomi evaluate ... | head", or the disk is full.
        if not isinstance(error, BrokenPipeError):
            say(f"{error.filename or 'output'}: {error.strerror}")
        # Python would complain at the end about text that is still in the buffer.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT.failed
    return status


def _accept_all_text() -> None:
    """Make every text printable: players have names that a locale may lack.

    Unknown characters become their codes. Text for a stream that was closed is dropped.
    """
    if logging.lastResort is not None:  # the handler of all commands that do not start a log
        logging.lastResort.setFormatter(Visible())
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", errors="backslashreplace"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _run(words: list[str]) -> int:
    """Run one subcommand and return its exit status. Raises OSError when the output fails."""
    # This check comes before the parser: an option in the first place belongs to ``yomi gtp``.
    if words[:1] == ["--version"]:
        from patterns_db.printing import program_version

        print(f"yomi {program_version()}")
        return 0
    # GTP is the default because users enter a program's path into Sabaki or GoGui. Users of other
    # engines often forget an argument that selects the mode.
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help")):
        words.insert(0, "gtp")
    if words[0] == "help":
        words = [*words[1:2], "--help"]
    parser = _parser(words[0])
    if words[0].lower().endswith(".sgf"):
        parser.error("this is no command; to review a game: yomi analyze GAME.sgf")
    options = parser.parse_args(words)
    from engine import YomiError  # imported late: --help has ended above

    try:
        status: int = options.run(options)
    except YomiError as error:
        say(str(error))
        return EXIT.failed
    except MemoryError:
        say("not enough memory")
        return EXIT.failed
    return status


if __name__ == "__main__":
    sys.exit(main())
