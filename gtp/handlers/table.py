"""All commands that need a session, in one table."""

from functools import partial

from gtp.handlers import analysis
from gtp.handlers.analysis import ANALYSIS
from gtp.handlers.commands import CORE
from gtp.handlers.gogui import GOGUI
from gtp.handlers.help import help_for, with_form
from gtp.handlers.katago import KATAGO
from gtp.handlers.queries import QUERIES
from gtp.handlers.servers import CHAT, SERVERS
from gtp.handlers.settings import CHANGES
from gtp.handlers.setup import SETUP
from gtp.handlers.tactics import TACTICS
from gtp.handlers.views import VIEWS
from gtp.protocol import Handler
from gtp.session import Session, SessionHandler

UNLISTED = (*analysis.UNLISTED_ANALYSES, "?")


def commands_of(session: Session) -> dict[str, SessionHandler]:
    """Return all commands that need a session, by name."""
    table = {**CORE, **SETUP, **QUERIES, **ANALYSIS, **GOGUI, **VIEWS, **TACTICS, **SERVERS}
    table |= KATAGO | CHANGES
    if session.options.chat:
        table |= CHAT
    table["help"] = table["?"] = help_for(table)
    return table


def handlers(session: Session) -> dict[str, Handler]:
    """Return the same as handlers of the protocol, whose syntax errors show the right form."""
    table = commands_of(session)
    return {n: with_form(n, partial(handler, session)) for n, handler in table.items()}
