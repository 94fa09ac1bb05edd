"""Questions about the position, asked and answered as GNU Go 3.8 does."""

import time

from engine import MoveCode, to_column_row
from gtp import arguments
from gtp.answers import score, vertices
from gtp.protocol import Command
from gtp.session import Session, SessionHandler


def showboard(session: Session, command: Command) -> str:
    """Draw the board, the rules and the komi above it."""
    return str(session.game)


def get_komi(session: Session, command: Command) -> str:
    """Answer the komi."""
    return score(session.game.komi)


def captures(session: Session, command: Command) -> str:
    """Answer how many stones a color has captured."""
    return str(session.game.captures(arguments.color(arguments.word(command))))


def is_legal(session: Session, command: Command) -> str:
    """Answer 1 if ``play`` would accept the move, else 0."""
    [(color, point)] = arguments.moves(arguments.words(command, 2), session.game.size)
    # By simple ko alone, as play does, since GUIs know no other.
    return str(int(session.game.legality(color, point, superko=False) == MoveCode.LEGAL))


def all_legal(session: Session, command: Command) -> str:
    """List all points where ``play`` would accept a color's stone."""
    color = arguments.color(arguments.word(command))
    return _from_top(session.game.legal_points(color, superko=False))


def list_stones(session: Session, command: Command) -> str:
    """List the stones of a color."""
    return _from_top(session.game.stones(arguments.color(arguments.word(command))))


def countlib(session: Session, command: Command) -> str:
    """Answer how many liberties the chain at a vertex has."""
    return str(len(session.game.liberties(arguments.stone(command, session.game))))


def cputime(session: Session, command: Command) -> str:
    """Answer the processor seconds used so far, of all threads."""
    return f"{time.process_time():.3f}"


def set_random_seed(session: Session, command: Command) -> str:
    """Begin the random numbers anew from a number."""
    seed = arguments.integer(arguments.word(command))
    # GTP's number may be negative, a generator's seed may not.
    session.set_seed(abs(seed))
    return ""


def _from_top(points: list[int]) -> str:
    """Return the vertices in GNU Go's order: row by row from the top."""

    def place(point: int) -> tuple[int, int]:
        column, row = to_column_row(point)
        return -row, column

    return vertices(sorted(points, key=place))


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
