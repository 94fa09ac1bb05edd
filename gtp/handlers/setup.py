"""Positions that are not reached move by move: handicap stones and game records."""

import logging
from pathlib import Path

from engine import COLOR_NAMES, BadSetup, SgfError, YomiError, fixed_handicap, free_handicap
from gtp import arguments
from gtp.answers import vertices
from gtp.protocol import Command, FormError, GtpError
from gtp.session import Session, SessionHandler
from patterns_db.printing import printable
from patterns_db.records.replay import record_of, replay_record, terms_of
from patterns_db.records.sgf import read_record, write_record
from patterns_db.store.whole_files import write_whole

logger = logging.getLogger(__name__)
# For clients that show their users no answers; the prompt for people does.
failures = logging.getLogger(f"{__name__}.failures")

INVALID_NUMBER = "invalid number of stones"
BAD_VERTICES = "bad vertex list"


def fixed_handicap_stones(session: Session, command: Command) -> str:
    """Place the customary handicap stones and list their points."""
    count = arguments.integer(arguments.word(command))
    session.require_empty_board()
    try:
        points = fixed_handicap(session.game.size, count)
    except BadSetup as error:
        raise GtpError(INVALID_NUMBER) from error
    return _place(session, points, INVALID_NUMBER)


def place_free_handicap(session: Session, command: Command) -> str:
    """Place handicap stones of the player's choice and list their points."""
    count = arguments.integer(arguments.word(command))
    session.require_empty_board()
    try:
        points = free_handicap(session.game.size, count)
    except BadSetup:
        raise GtpError(INVALID_NUMBER) from None
    return _place(session, points, INVALID_NUMBER)


def set_free_handicap(session: Session, command: Command) -> str:
    """Place handicap stones on the given points."""
    # This check comes first, so that the failure text does not depend on the points.
    session.require_empty_board()
    size = session.game.size
    points = [arguments.vertex(text, size, BAD_VERTICES) for text in command.arguments]
    _place(session, points, BAD_VERTICES)
    return ""


def _place(session: Session, points: list[int], otherwise: str) -> str:
    session.place_handicap(points, otherwise)
    return vertices(points)


def loadsgf(session: Session, command: Command) -> str:
    """Load a record up to the position before a move. Return the side to move."""
    name, number = arguments.file_and_number(command)
    if number is not None and number < 1:
        raise FormError
    path = Path(name)
    try:
        if not path.is_file():  # reading a folder or a device fails elsewhere, or never ends
            raise SgfError("not a file" if path.exists() else "no such file")
        record = read_record(path.read_bytes())
        # Everything is read and replayed before the session changes. A failure leaves it unchanged.
        terms = terms_of(record, session.rules)
        rules = session.with_superko(terms.rules)
        # The draft means the position before a move, with moves counted from 1.
        game = replay_record(record, rules, terms.komi, None if number is None else number - 1)
    except (OSError, ValueError, YomiError) as error:
        failures.warning("%s: %s", printable(name), _reason(error))
        raise GtpError(f"cannot load file: {_reason(error)}") from None
    session.replace_game(game)
    session.komi = terms.komi
    for note in (*record.notes, *terms.notes):
        logger.warning("%s: %s", printable(name), note)
    # The search tree belongs to another game. The clocks go on, since no new game began.
    session.player.new_game()
    return COLOR_NAMES[game.to_play]


def _reason(error: Exception) -> str:
    """Return the error as one line without the file's name, which the client has just sent."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split())


def printsgf(session: Session, command: Command) -> str:
    """Return the game as SGF, or write it to a file."""
    data = write_record(record_of(session.game))
    if not command.text:
        return data.decode("utf-8")
    name, _ = arguments.file_and_number(command)
    try:
        write_whole(Path(name), data)
    except (OSError, ValueError) as error:
        failures.warning("%s: %s", printable(name), _reason(error))
        raise GtpError(f"cannot write file: {_reason(error)}") from None
    return ""


SETUP: dict[str, SessionHandler] = {
    "fixed_handicap": fixed_handicap_stones,
    "place_free_handicap": place_free_handicap,
    "set_free_handicap": set_free_handicap,
    "loadsgf": loadsgf,
    "printsgf": printsgf,
}
