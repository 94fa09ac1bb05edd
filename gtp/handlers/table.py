"""All commands that need a session, in one table."""

from functools import partial

from gtp.handlers.analysis import ANALYSIS, UNLISTED
from gtp.handlers.commands import CORE
from gtp.handlers.gogui import GOGUI
from gtp.handlers.katago import KATAGO
from gtp.handlers.queries import QUERIES
from gtp.handlers.servers import CHAT, SERVERS
from gtp.handlers.settings import CHANGES
from gtp.handlers.setup import SETUP
from gtp.handlers.tactics import TACTICS
from gtp.handlers.views import VIEWS
from gtp.protocol import Handler
from gtp.session import Session

__all__ = ["UNLISTED", "handlers"]


def handlers(session: Session) -> dict[str, Handler]:
    """Return all commands that need a session, by name."""
    table = {**CORE, **SETUP, **QUERIES, **ANALYSIS, **GOGUI, **VIEWS, **TACTICS, **SERVERS}
    table |= KATAGO | CHANGES
    if session.options.chat:
        table |= CHAT
    return {name: partial(handler, session) for name, handler in table.items()}
