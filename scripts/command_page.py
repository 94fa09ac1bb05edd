"""Write ``docs/commands.md`` from the tables of the program, and ``docs/reference.md``.

python -m scripts.command_page
"""

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from gtp.handlers.analysis import ANALYSIS
from gtp.handlers.commands import CORE
from gtp.handlers.gogui import GOGUI
from gtp.handlers.help import FORMS, PROTOCOL, help_for
from gtp.handlers.katago import KATAGO
from gtp.handlers.queries import QUERIES
from gtp.handlers.servers import CHAT, SERVERS
from gtp.handlers.settings import CHANGES
from gtp.handlers.setup import SETUP
from gtp.handlers.table import UNLISTED
from gtp.handlers.tactics import TACTICS
from gtp.handlers.views import VIEWS
from gtp.session import SessionHandler
from gtp.settings import SETTINGS
from patterns_db.store.whole_files import write_whole
from scripts import reference_page

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
# A form of these words needs no example.
CLEAR = ("COLOR", "VERTEX", "...", "COMMAND", "RULES", "NAME", "VALUE", "name", "value")
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
        clear = all(word.strip("[]") in CLEAR for word in form.split())
        more = "" if clear or not example or ", or " in example else f" Example: `{example}`."
        rows.append((escaped(shown), escaped(about) + more))
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


def page() -> str:
    """Return the page."""
    texts = [*PROTOCOL.items(), ("help", about(help_for({})))]
    parts = [HEAD, "### Protocol\n", commands(texts)]
    for title, group in GROUPS:
        listed = [name for name in group if name not in UNLISTED]
        parts += [f"### {title}\n", commands((name, about(group[name])) for name in listed)]
    parts += [
        "## Settings\n",
        "An option sets a value at the start. `yomi-settings NAME VALUE`, `kata-set-param` and"
        "\nGoGui change it in a session. Defaults are in parentheses.\n",
        settings(),
    ]
    return "\n".join(parts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages."""
    argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0]).parse_args(arguments)
    for path, text in ((PAGE, page()), (reference_page.PAGE, reference_page.page())):
        write_whole(path, text.encode("utf-8"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
