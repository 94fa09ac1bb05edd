"""Questions about the position, asked and answered as GNU Go 3.8 does."""

import time

from engine import EMPTY, PASS, MoveCode, format_vertex, to_column_row
from gtp.handlers import arguments
from gtp.protocol import Command, GtpError
from gtp.session import Session, SessionHandler


def showboard(session: Session, command: Command) -> str:
    """Draw the board, the rules and the komi above it."""
    game = session.game
    return f"{game.rules.name} rules, komi {game.komi:g}\n{game.diagram()}"


def get_komi(session: Session, command: Command) -> str:
    """Answer the komi."""
    komi = session.game.komi
    return f"{komi:.1f}" if (komi * 10).is_integer() else f"{komi:.12g}"


def captures(session: Session, command: Command) -> str:
    """Answer how many stones a color has captured."""
    return str(session.game.captures(arguments.color(arguments.word(command))))


def is_legal(session: Session, command: Command) -> str:
    """Answer 1 if ``play`` would accept the move, else 0."""
    [(color, point)] = arguments.moves(arguments.words(command, 2), session.game.size)
    return str(int(session.game.legality(color, point, superko=False) == MoveCode.LEGAL))


def all_legal(session: Session, command: Command) -> str:
    """List all points where ``play`` would accept a color's stone."""
    color = arguments.color(arguments.word(command))
    return _vertices(session.game.legal_points(color, superko=False))


def list_stones(session: Session, command: Command) -> str:
    """List the stones of a color."""
    return _vertices(session.game.stones(arguments.color(arguments.word(command))))


def countlib(session: Session, command: Command) -> str:
    """Answer how many liberties the chain at a vertex has."""
    point = arguments.vertex(arguments.word(command), session.game.size)
    if point == PASS or session.game.color_at(point) == EMPTY:
        raise GtpError("vertex must not be empty")
    return str(len(session.game.liberties(point)))


def cputime(session: Session, command: Command) -> str:
    """Answer the processor seconds used so far, of all threads."""
    return f"{time.process_time():.3f}"


def set_random_seed(session: Session, command: Command) -> str:
    """Begin the random numbers anew from a number."""
    seed = arguments.integer(arguments.word(command))
    session.set_seed(abs(seed))
    return ""


def _vertices(points: list[int]) -> str:
    """Return the vertices in GNU Go's order: row by row from the top."""

    def from_top(point: int) -> tuple[int, int]:
        column, row = to_column_row(point)
        return -row, column

    return " ".join(format_vertex(point) for point in sorted(points, key=from_top))


QUERIES: dict[str, SessionHandler] = {
    "showboard": showboard,
    "get_komi": get_komi,
    "captures": captures,
    "is_legal": is_legal,
    "all_legal": all_legal,
    "list_stones": list_stones,
    "countlib": countlib,
    "cputime": cputime,
    "set_random_seed": set_random_seed,
}
