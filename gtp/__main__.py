"""The ``yomi`` command. Alone it speaks GTP; subcommands do the rest."""

import sys
from collections.abc import Sequence
from importlib import import_module

from gtp.cli.command_line import FAILED, INTERRUPTED, Parser

# In the order of the help. Each is a module of gtp.cli.
COMMANDS = {
    "gtp": "play over the Go Text Protocol (the default)",
    "train": "learn move prediction from game records, or the solver's priors from problems",
    "evaluate": "measure move prediction on game records",
    "solve": "read out whether chains can be captured",
    "analyze": "review a game record",
    "analysis": "answer queries as KataGo's analysis engine does, for KaTrain and others",
    "warmup": "get everything compiled, so that the first game starts at once",
    "bench": "measure how fast this machine plays",
}


def _parser(chosen: str) -> Parser:
    """Return the parser of the whole command line; only the chosen command's options are in it.

    So only that command's module is loaded: the engine, training and numba take longer to load
    than a shell's user waits for a help text.
    """
    # Nothing is abbreviated, here and below: a prefix that means one option today would mean none,
    # or another one, when the next option comes.
    parser = Parser(
        prog="yomi",
        description="A Go engine. Without a command it speaks GTP: point your Go program at it.",
        epilog="yomi COMMAND --help tells more about a command.",
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
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Before the parser, to which an option in the first place is one of yomi gtp's.
    if words[:1] == ["--version"]:
        from gtp.version import program_version

        print(f"yomi {program_version()}")
        return 0
    # Speaking GTP needs no word: people enter a program's path into Sabaki or GoGui, and a mode
    # that has to be named is what they forget with other engines.
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help")):
        words.insert(0, "gtp")
    options = _parser(words[0]).parse_args(words)
    from engine import YomiError  # not before: --help ends in the line above

    try:
        status: int = options.run(options)
    except KeyboardInterrupt:
        return INTERRUPTED
    except YomiError as error:
        from patterns_db import printable  # errors name games, whose names may hold anything

        print(f"yomi: {printable(str(error))}", file=sys.stderr)
        return FAILED
    return status


if __name__ == "__main__":
    sys.exit(main())
