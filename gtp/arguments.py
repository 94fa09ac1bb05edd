"""Parsers for the arguments of a command. Raise GtpError for invalid ones."""

import re
from math import isfinite
from os.path import expanduser

from engine import BLACK, EMPTY, PASS, WHITE, BadVertex, Game, parse_vertex
from gtp.protocol import Command, FormError, GtpError

_COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
# Python accepts more than GTP does: int reads 1_9 and the digits of every script, and float reads
# nan and 1e400. Lengths are limited because the time to read digits grows with their square.
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL = re.compile(r"[+-]?([0-9]{1,300}(\.[0-9]{0,300})?|\.[0-9]{1,300})([eE][+-]?[0-9]{1,3})?")

_RECORD = re.compile(r"(.*\.sgf)((?: .*)?)", re.IGNORECASE)


def words(command: Command, least: int, most: int | None = None) -> list[str]:
    """Return the arguments. Their number must be ``least``, or between ``least`` and ``most``."""
    texts = command.arguments
    if not least <= len(texts) <= (least if most is None else most):
        raise FormError
    return texts


def word(command: Command) -> str:
    """Return the only argument."""
    return words(command, 1)[0]


def color(text: str) -> int:
    """Return BLACK or WHITE."""
    try:
        return _COLORS[text.lower()]
    except KeyError:
        raise FormError from None


def integer(text: str) -> int:
    """Return a whole number of at most 18 digits."""
    if not _INTEGER.fullmatch(text):
        raise FormError
    return int(text)


def decimal(text: str) -> float:
    """Return a finite number."""
    number = float(text) if _DECIMAL.fullmatch(text) else float("inf")
    if not isfinite(number):
        raise FormError
    return number + 0.0  # not -0.0, which would be shown as "-0"


def amounts(texts: list[str]) -> list[float]:
    """Return finite numbers of seconds, stones or periods; none is negative."""
    numbers = [decimal(text) for text in texts]
    if any(number < 0 for number in numbers):
        raise FormError
    return numbers


def vertex(text: str, size: int, otherwise: str = "") -> int:
    """Return a point of the board, or PASS. ``otherwise`` replaces GTP's own failure text."""
    # parse_vertex strips all Unicode blanks, but in GTP only blanks and tabs separate words. A
    # no-break space pasted from a web page is therefore part of the word, and makes it invalid.
    if not text.isascii():
        raise GtpError(otherwise) if otherwise else FormError()
    try:
        return parse_vertex(text, size)
    except BadVertex as reason:
        raise GtpError(otherwise) if otherwise else FormError() from reason


def stone(command: Command, game: Game) -> int:
    """Return the point that the only argument names; a stone must stand there."""
    point = vertex(word(command), game.size)
    if point == PASS or game.color_at(point) == EMPTY:
        raise GtpError("vertex must not be empty")
    return point


def moves(texts: list[str], size: int) -> list[tuple[int, int]]:
    """Return (color, point) for every pair of words."""
    if len(texts) % 2:
        raise FormError
    pairs = zip(texts[::2], texts[1::2], strict=True)
    return [(color(name), vertex(place, size)) for name, place in pairs]


def file_and_number(command: Command) -> tuple[str, int | None]:
    """Return a file name and the number that may follow it.

    The name may contain blanks if it is in double quotes, as GoGui sends it, or ends in ".sgf".
    """
    # The text is parsed, not the words: a quoted name may consist of several words.
    name, quote, rest = command.text, "", ""
    if command.text.startswith('"'):
        name, quote, rest = command.text[1:].partition('"')
        if not quote:
            raise FormError
    elif record := _RECORD.fullmatch(command.text):
        name, rest = record[1], record[2]
    else:
        name, _, rest = command.text.partition(" ")
    if not name:
        raise FormError
    return expanduser(name), integer(rest.strip()) if rest.strip() else None
