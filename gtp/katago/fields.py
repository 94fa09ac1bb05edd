"""Readers for the fields of a JSON object. Errors name the field."""

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from engine import to_point
from gtp import arguments
from gtp.protocol import GtpError

FieldReader = Callable[[Any], Any]
Moves = list[tuple[int, int]]
Restriction = tuple[int, frozenset[int], int]

# One object for each color and point: thousands of queries may wait, with hundreds of moves each.
_SHARED_MOVES: dict[tuple[int, int], tuple[int, int]] = {}
_COORDINATES = re.compile(r"\(([0-9]{1,2}),([0-9]{1,2})\)")
_PAIRS = 'Must be an array of pairs of the form: ["b" or "w", GTP board vertex]'
_RESTRICTIONS = "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'"


class QueryError(Exception):
    """A query that is rejected because of one of its fields."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class Fields:
    """A JSON object whose fields are read one by one."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self._entries = entries

    def has(self, name: str) -> bool:
        """Return whether the object has a field."""
        return name in self._entries

    def __call__(self, name: str, reader: FieldReader, otherwise: Any) -> Any:
        """Return a field's value, or ``otherwise`` if it is missing. Raises QueryError."""
        if name not in self._entries:
            return otherwise
        try:
            return reader(self._entries[name])
        except GtpError as error:
            raise QueryError(name, str(error)) from None


def whole(least: int, most: int) -> FieldReader:
    """Return a reader of whole numbers."""

    def read(value: Any) -> int:
        # In Python, True is an int.
        if type(value) is not int or not least <= value <= most:
            raise GtpError(f"Must be an integer from {least} to {most}")
        return value

    return read


def wholes(least: int, most: int, complaint: str) -> FieldReader:
    """Return a reader of arrays of whole numbers. ``complaint`` names the one out of range."""

    def read(value: Any) -> list[int]:
        if not isinstance(value, list) or not all(type(number) is int for number in value):
            raise GtpError("Must be an array of integers")
        # KataGo accepts an empty array of turns and never answers: its client waits in vain.
        if not value:
            raise GtpError("Must be an array of integers, at least one")
        for number in value:
            if not least <= number <= most:
                raise GtpError(complaint.format(number))
        return value

    return read


def number(least: float, most: float) -> FieldReader:
    """Return a reader of numbers."""

    def read(value: Any) -> float:
        if type(value) not in (int, float) or not least <= value <= most:
            raise GtpError(f"Must be a number from {least:g} to {most:,.0f}")
        return float(value)

    return read


def half_points(most: int) -> FieldReader:
    """Return a reader of points, in steps of a half."""
    any_number = number(-most, most)

    def read(value: Any) -> float:
        points: float = any_number(value)
        if not (2 * points).is_integer():
            raise GtpError(f"Must be a integer or half-integer from -{most} to {most}")
        return points

    return read


def truth(value: Any) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise GtpError("Must be a boolean")
    return value


def mapping(value: Any) -> dict[str, Any]:
    """Read an object."""
    if not isinstance(value, dict):
        raise GtpError("Must be an object")
    return value


def unquoted(value: Any) -> Any:
    """Return the number in a text, since settings may be texts, and any other value unchanged."""
    try:
        number = float(value) if isinstance(value, str) else value
    except ValueError:
        return value
    return number if not isinstance(number, float) or isfinite(number) else value


def color(value: Any) -> int:
    """Read a player."""
    try:
        return arguments.color(value if isinstance(value, str) else "")
    except GtpError:
        raise GtpError('Must be "b" or "w"') from None


def location(text: Any, size: int) -> int:
    """Read a vertex, a pass, or (x,y) counted from 0 at the upper left corner."""
    if not isinstance(text, str):
        raise GtpError("Must be an array of GTP board vertices")
    complaint = f"Could not parse board location: {text[:60]}"
    if (pair := _COORDINATES.fullmatch(text)) is None:
        return arguments.vertex(text, size, complaint)
    x, y = int(pair[1]), int(pair[2])
    if x >= size or y >= size:
        raise GtpError(complaint)
    return to_point(x + 1, size - y)


def moves(size: int) -> FieldReader:
    """Return a reader of moves: (color, point) pairs."""

    def read(value: Any) -> Moves:
        if not isinstance(value, list):
            raise GtpError(_PAIRS)
        moves = []
        for pair in value:
            if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str):
                raise GtpError(_PAIRS)
            if pair[0].lower() not in ("b", "w", "black", "white"):
                raise GtpError(f"Could not parse player: {pair[0][:60]}")
            move = (arguments.color(pair[0]), location(pair[1], size))
            moves.append(_SHARED_MOVES.setdefault(move, move))
        return moves

    return read


def restrictions(size: int) -> FieldReader:
    """Return a reader of avoided or allowed moves: (color, points, last depth)."""

    def read(value: Any) -> list[Restriction]:
        if not isinstance(value, list):
            raise GtpError(_RESTRICTIONS)
        restrictions = []
        for part in value:
            if not isinstance(part, dict) or not {"player", "moves", "untilDepth"} <= part.keys():
                raise GtpError(_RESTRICTIONS)
            if not isinstance(part["moves"], list):
                raise GtpError("Must be an array of GTP board vertices")
            points = frozenset(location(text, size) for text in part["moves"])
            depth = whole(1, 1_000_000_000)(part["untilDepth"])
            restrictions.append((color(part["player"]), points, depth))
        return restrictions

    return read
