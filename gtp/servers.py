"""What the go servers' clients send beyond GTP 2: KGS."""

from gtp import arguments
from gtp.arguments import SYNTAX_ERROR
from gtp.protocol import Command, GtpError
from gtp.session import Session, SessionHandler


def kgs_time_settings(session: Session, command: Command) -> str:
    """Set the clock: none, absolute M, canadian M B STONES, or byoyomi M B PERIODS."""
    kind, *texts = arguments.words(command, 1, 4)
    numbers = [arguments.decimal(text) for text in texts]
    clock = session.clock
    match kind.lower(), numbers:
        case "none", []:
            clock.set_no_limit()
        case "absolute", [main]:
            clock.set_absolute(main)
        case "canadian", [main, period, stones]:
            clock.set_canadian(main, period, int(stones))
        case "byoyomi", [main, period, periods]:
            clock.set_byo_yomi(main, period, int(periods))
        case _:
            raise GtpError(SYNTAX_ERROR)
    return ""


SERVERS: dict[str, SessionHandler] = {"kgs-time_settings": kgs_time_settings}
