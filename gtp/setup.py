"""Positions that are not played move by move: handicap stones and game records."""

import logging
import os
from pathlib import Path

from engine import (
    COLOR_NAMES,
    BadSetup,
    BadVertex,
    YomiError,
    fixed_handicap,
    format_vertex,
    parse_vertex,
)
from gtp import arguments
from gtp.arguments import SYNTAX_ERROR
from gtp.protocol import Command, GtpError
from gtp.session import Session, SessionHandler
from patterns_db.records import read_record, write_record
from patterns_db.replay import record_of, replay_record, rules_of

logger = logging.getLogger(__name__)

INVALID_NUMBER = "invalid number of stones"
BAD_VERTICES = "bad vertex list"


def fixed_handicap_stones(session: Session, command: Command) -> str:
    """Place the customary handicap and list its points."""
    count = arguments.integer(arguments.word(command))
    session.require_empty_board()
    try:
        points = fixed_handicap(session.game.size, count)
    except BadSetup:
        raise GtpError(INVALID_NUMBER) from None
    return _place(session, points, INVALID_NUMBER)


def place_free_handicap(session: Session, command: Command) -> str:
    """Place handicap stones where the player likes, perhaps fewer, and list the points."""
    count = arguments.integer(arguments.word(command))
    session.require_empty_board()
    try:
        points = session.player.free_handicap(session.game.size, count)
    except BadSetup:
        raise GtpError(INVALID_NUMBER) from None
    return _place(session, points, INVALID_NUMBER)


def set_free_handicap(session: Session, command: Command) -> str:
    """Place handicap stones where told."""
    session.require_empty_board()
    try:
        points = [parse_vertex(text, session.game.size) for text in command.arguments]
    except BadVertex:
        raise GtpError(BAD_VERTICES) from None
    _place(session, points, BAD_VERTICES)
    return ""


def _place(session: Session, points: list[int], otherwise: str) -> str:
    session.place_handicap(points, otherwise)
    return " ".join(format_vertex(point) for point in points)


def loadsgf(session: Session, command: Command) -> str:
    """Load a record up to the position before a move; answer whose turn it is."""
    name, number = arguments.file_and_number(command)
    if number is not None and number < 1:
        raise GtpError(SYNTAX_ERROR)
    path = Path(name)
    try:
        if not path.is_file():
            raise FileNotFoundError(f"no such file: {name}")
        record = read_record(path.read_bytes())
        rules = session.rules_named(rules_of(record) or session.options.rules)
        komi = session.komi if record.komi is None else record.komi
        game = replay_record(record, rules, komi, None if number is None else number - 1)
    except (OSError, ValueError, YomiError) as error:
        logger.warning("%s: %s", ascii(name), error)
        raise GtpError("cannot load file") from None
    session.replace_game(game)
    session.komi = komi
    session.player.new_game()
    return COLOR_NAMES[game.to_play]


def printsgf(session: Session, command: Command) -> str:
    """Answer the game as SGF, or write it to a file."""
    data = write_record(record_of(session.game))
    if not command.text:
        return data.decode("utf-8")
    name, _ = arguments.file_and_number(command)
    try:
        _write_whole(Path(name), data)
    except (OSError, ValueError) as error:
        logger.warning("%s: %s", ascii(name), error)
        raise GtpError("cannot write file") from None
    return ""


def _write_whole(path: Path, data: bytes) -> None:
    """Write a file under another name first, so that it is never half there."""
    temporary = path.with_name(f".yomi-{os.getpid()}-{path.name}")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


SETUP: dict[str, SessionHandler] = {
    "fixed_handicap": fixed_handicap_stones,
    "place_free_handicap": place_free_handicap,
    "set_free_handicap": set_free_handicap,
    "loadsgf": loadsgf,
    "printsgf": printsgf,
}
