"""Queries about the position, with the answers of GNU Go 3.8."""

import time

from engine import MoveCode, to_column_row
from engine.picture.picture import picture_of
from gtp import arguments
from gtp.answers import score, vertices
from gtp.protocol import Command
from gtp.session import Session, SessionHandler


def showboard(session: Session, command: Command) -> str:
    """Draw the board, with the rules and the komi above it."""
    return str(session.game)


def get_komi(session: Session, command: Command) -> str:
    """Return the komi."""
    return score(session.game.komi)


def captures(session: Session, command: Command) -> str:
    """Return the number of stones that a color has captured."""
    return str(session.game.captures(arguments.color(arguments.word(command))))


def is_legal(session: Session, command: Command) -> str:
    """Return 1 if ``play`` would accept the move, else 0."""
    [(color, point)] = arguments.moves(arguments.words(command, 2), session.game.size)
    # Only simple ko counts, as in play, since GUIs know no other rule.
    return str(int(session.game.legality(color, point, superko=False) == MoveCode.LEGAL))


def all_legal(session: Session, command: Command) -> str:
    """List all points at which ``play`` would accept a color's stone."""
    color = arguments.color(arguments.word(command))
    return _from_top(session.game.legal_points(color, superko=False))


def list_stones(session: Session, command: Command) -> str:
    """List the stones of a color."""
    return _from_top(session.game.stones(arguments.color(arguments.word(command))))


def countlib(session: Session, command: Command) -> str:
    """Return the number of liberties of the chain at a vertex."""
    stone = arguments.stone(command, session.game)
    return str(len(picture_of(session.game.board).chain_at(stone).liberties))


def cputime(session: Session, command: Command) -> str:
    """Return the processor time of all threads so far, in seconds."""
    return f"{time.process_time():.3f}"


def set_random_seed(session: Session, command: Command) -> str:
    """Set the seed of the random numbers."""
    seed = arguments.integer(arguments.word(command))
    # GTP allows negative seeds; the generator does not.
    session.player.new_game(abs(seed))
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
