"""Common parts of all subcommands: the parser, the exit statuses and value readers."""

import argparse
import logging
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from patterns_db.printing import printable

if TYPE_CHECKING:
    from patterns_db.cluster.tasks import Cluster


class ExitStatus(NamedTuple):
    """The exit statuses of programs."""

    # argparse defines the status for usage errors; shells define the others.
    failed: int = 1
    usage_error: int = 2
    interrupted: int = 130  # the status that shells expect after Ctrl-C


EXIT = ExitStatus()

EMPTY = '""'  # an empty value, as messages show it


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        """Exit with the message alone. argparse's own method would print the whole usage first."""
        say(f"{message} (see: {self.prog} --help)")
        self.exit(EXIT.usage_error)

    def _get_option_tuples(self, option_string: str) -> list[Any]:
        """Return no option: abbreviations are rejected, including those with a single dash."""
        return []


def say(line: str) -> None:
    """Tell the user about the work on stderr; stdout holds results.

    The text stays one line: names of games and values of options may hold anything.
    """
    print(printable(f"yomi: {line}"), file=sys.stderr, flush=True)


class Visible(logging.Formatter):
    """Shows a message as one line of visible characters: names of files may command a terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging calls it
        """Return the line of a record, without a traceback."""
        return printable(super().formatMessage(record))


def number_reader(
    kind: Callable[[str], float], least: float, what: str, most: float = float("inf")
) -> Callable[[str], float]:
    """Return a reader of option values that checks a range; ``what`` names the accepted values."""

    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = float("nan")
        # NaN fails this test, as every comparison with NaN is false.
        if not least <= value <= most or value == float("inf"):
            # The beginning is enough: the value may be a whole pasted file.
            raise argparse.ArgumentTypeError(f"{text[:40] or EMPTY} is not {what}")
        return value

    return read


count = number_reader(int, 1, "a whole number above zero")
# This is for seeds, which must fit a signed 64-bit integer.
whole_number = number_reader(int, 0, f"a whole number from 0 to {2**63 - 1}", 2**63 - 1)
duration = number_reader(float, 0, "a number of seconds from 0 on")


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add the option of all commands that can run on a cluster."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS|local[:N]",
        help="use a Dask cluster: that of a scheduler, or N processes on this machine",
    )


def cluster_of(options: argparse.Namespace) -> "AbstractContextManager[Cluster | None]":
    """Return the requested cluster in a context that closes it. Raises YomiError."""
    if options.cluster is None:
        return nullcontext()
    # Imported late: yomi --help loads no engine
    from patterns_db.cluster.connection import open_cluster

    return open_cluster(options.cluster, lambda line: print(line, file=sys.stderr))


def in_words(record: dict[str, Any]) -> str:
    """Return a JSON object as one readable line."""
    return "  ".join(
        f"{key} {' '.join(value) if isinstance(value, list) else value}"
        for key, value in record.items()
        if value is not None
    )
