"""Options of the command line made from the table of settings."""

import argparse
from collections.abc import Callable
from typing import Any

from engine import YomiError
from gtp.cli.command_line import EMPTY
from gtp.kinds import SWITCH
from gtp.protocol import GtpError
from gtp.settings import Setting


def add_option(parser: argparse._ActionsContainer, setting: Setting, **instead: Any) -> None:
    """Add the option of one setting.

    instead  replaces the setting's own ``default`` or ``help``, where a command needs others
    """
    name = f"--{setting.name.replace('_', '-')}"
    if setting.kind is SWITCH:
        parser.add_argument(name, action="store_true", help=setting.help)
    else:
        parser.add_argument(
            name,
            type=_reader(setting),
            metavar=setting.kind.metavar,
            **{"default": setting.default, "help": setting.help, **instead},
        )


def _reader(setting: Setting) -> Callable[[str], Any]:
    """Return the reader of an option's values."""
    # If the default is None, omitting the option selects it.
    takes_nothing = setting.default is not None and setting.nothing
    takes = setting.takes if takes_nothing else setting.kind.takes

    def read(text: str) -> Any:
        try:
            return setting.read(text) if takes_nothing else setting.kind.read(text)
        except (GtpError, YomiError):
            # The beginning is enough: the value may be a whole pasted file.
            raise argparse.ArgumentTypeError(f"{text[:40] or EMPTY} is not {takes}") from None

    return read
