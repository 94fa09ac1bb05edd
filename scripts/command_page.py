"""Write ``docs/commands.md`` from the tables of settings, commands and subcommands.

    python -m scripts.command_page --check

Without ``--check`` the page is written.
"""

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from gtp.__main__ import COMMANDS
from gtp.cli.command_line import Parser
from gtp.handlers.analysis import ANALYSIS
from gtp.handlers.commands import CORE
from gtp.handlers.gogui import GOGUI
from gtp.handlers.help import FORMS, HELP, PROTOCOL
from gtp.handlers.katago import KATAGO
from gtp.handlers.queries import QUERIES
from gtp.handlers.servers import CHAT, SERVERS
from gtp.handlers.settings import CHANGES
from gtp.handlers.setup import SETUP
from gtp.handlers.tactics import TACTICS
from gtp.handlers.views import VIEWS
from gtp.session import SessionHandler
from gtp.settings import SETTINGS
from patterns_db.store.whole_files import write_whole

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"
GROUPS: tuple[tuple[str, Mapping[str, SessionHandler]], ...] = (
    ("Game", CORE),
    ("Handicap and records", SETUP),
    ("Questions about the position", QUERIES),
    ("Analysis", ANALYSIS),
    ("Explanations and drawings for GoGui", VIEWS),
    ("Solvers", TACTICS),
    ("GoGui", GOGUI),
    ("KGS and CGOS", SERVERS),
    ("KGS, with `--kgs-chat`", CHAT),
    ("KataGo's clients", KATAGO),
    ("Settings", CHANGES),
)
HEAD = """\
# Commands and settings

`python -m scripts.command_page` writes this page from the tables of the program.

## GTP commands

`help` at the prompt lists the common commands, `help COMMAND` explains one. A command that fails
changes nothing. A color is `b` or `w`, a vertex is like `D4` or `pass`.
"""


def escaped(text: str) -> str:
    """Return a text for a cell of a Markdown table; ``code`` becomes `code`."""
    return re.sub(r"``(.+?)``", r"`\1`", text).replace("|", "\\|")


def rows_of(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["-"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def commands(texts: Iterable[tuple[str, str]]) -> str:
    """Return the table of a group of commands, with the form and the help of each."""
    rows = []
    for name, about in texts:
        form, _, example = FORMS.get(name, "").partition(", for example: ")
        form = form.partition(", which")[0]
        shown = f"`{name} {form}`" if form else f"`{name}`"
        more = f" Example: `{example}`." if example and ", or " not in example else ""
        rows.append((shown, escaped(about) + more))
    return rows_of(("command", "meaning"), rows)


def about(handler: SessionHandler) -> str:
    """Return the first line of a handler's help."""
    return (handler.__doc__ or "").strip().splitlines()[0]


def settings() -> str:
    """Return the table of settings."""
    rows = []
    for setting in SETTINGS:
        changes = f"`{setting.name}`" if setting.change else ""
        katago = ", ".join(f"`{name}`" for name in setting.kata)
        option = f"`--{setting.name.replace('_', '-')}`"
        rows.append((option, changes, katago, escaped(setting.help)))
    return rows_of(("option of `yomi gtp`", "in a session", "KataGo's name", "meaning"), rows)


def options_of(name: str) -> str:
    """Return the table of a subcommand's options."""
    parser = Parser(prog=f"yomi {name}", allow_abbrev=False)
    import_module(f"gtp.cli.{name}").add_options(parser)
    actions = [action for action in parser._actions if action.help not in (None, "==SUPPRESS==")]
    rows = []
    for action in actions:
        names = ", ".join(action.option_strings)
        if names == "-h, --help" or (names.startswith("--tls") and name != "train"):
            continue
        value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
        shown = f"{names} {value}".strip()
        rows.append(
            (f"`{shown}`".replace("|", "\\|"), escaped(str(action.help).replace("%%", "%")))
        )
    return rows_of(("option", "meaning"), rows) if rows else ""


def page() -> str:
    """Return the page."""
    parts = [HEAD, "### Protocol\n", commands([*PROTOCOL.items(), ("help", HELP)])]
    for title, group in GROUPS:
        parts += [f"### {title}\n", commands((name, about(group[name])) for name in group)]
    parts += [
        "## Settings\n",
        "An option sets a value at the start. `yomi-settings NAME VALUE`, `kata-set-param` and"
        "\nGoGui change it in a session. Defaults are in parentheses.\n",
        settings(),
        "## Subcommands\n",
        "`yomi` alone is `yomi gtp`. The exit status is 0, 1 when something failed, and 2 for a"
        "\nwrong command line. The options `--tls...` go with every `--cluster`.\n",
    ]
    for name, what in COMMANDS.items():
        if name != "gtp":
            parts += [f"### yomi {name}\n", f"{what[:1].upper()}{what[1:]}.\n", options_of(name)]
    return "\n".join(part for part in parts if part)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or report whether it is out of date."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing, exit with 1 instead")
    if not parser.parse_args(arguments).check:
        write_whole(PAGE, page().encode("utf-8"))
        return 0
    stale = PAGE.read_text("utf-8") != page()
    print(f"{PAGE.name}: {'out of date' if stale else 'up to date'}")
    return int(stale)


if __name__ == "__main__":
    raise SystemExit(main())
