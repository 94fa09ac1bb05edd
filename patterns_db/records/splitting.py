"""The games of one SGF file, found in time linear in its length for any content.

A truncated game never closes its brackets, so it seems to continue to the end of the file. It ends
instead at the next game's root node, since a variation never begins like a root.
"""

import re
from collections.abc import Iterator

from engine.errors import SgfError
from patterns_db.records.sgf import GameRecord, read_record
from patterns_db.records.sgf_syntax import GAME_START, ROOT_START

# A property value (up to the end of the file if it is not closed) or a parenthesis. The pattern is
# possessive: an ordinary repetition would try again at each of the bytes.
_TOKEN = re.compile(rb"\[(?:[^\\\]]++|\\.)*+(?:\]|\\?\Z)|[()]", re.DOTALL)
# Limit on the average number of readings of a file's bytes. Real damage needs two.
_READINGS = 8


def split_games(data: bytes) -> Iterator[tuple[int, bytes, GameRecord | SgfError]]:
    """Yield the number, the bytes and the record of each game of a file, or its error.

    Text after the last game is skipped.
    """
    number = start = 0
    allowance = _READINGS * len(data)
    while start < len(data) or number == 0:
        end = _end_of_game(data, start)
        number += 1
        allowance -= end - start
        if allowance < 0:
            yield number, b"", SgfError("too much damage: the rest of the file is skipped")
            return
        piece = data[start:end]
        record = _read(piece)
        if not isinstance(record, SgfError):
            yield number, piece, record
            start = end
            continue
        if number == 1 or GAME_START.search(data, start):
            yield number, piece, record
        start = _end_of_damage(data, start, end)


def _read(data: bytes) -> GameRecord | SgfError:
    try:
        return read_record(data)
    except SgfError as error:
        return error


def _end_of_game(data: bytes, start: int) -> int:
    """Return the end of the first game from ``start`` on."""
    starts = GAME_START.finditer(data, start)
    first = next(starts, None)
    # This is faster than a search for brackets, and most files end here.
    if first is None or next(starts, None) is None:
        return len(data)
    depth = 0
    for token in _TOKEN.finditer(data, first.start()):
        place = token.start()
        if data[place] == ord("["):
            swallowed = _swallowed_root(data, place + 1, token.end() - 1)
            if swallowed is not None:
                return swallowed
        elif data[place] == ord(")"):
            depth -= 1
            if depth == 0:
                return token.end()
        elif depth > 0 and ROOT_START.match(data, place):
            return place
        else:
            depth += 1
    return len(data)


def _swallowed_root(data: bytes, start: int, end: int) -> int | None:
    """Return the place of a root whose first bracket closes a value, or None.

    A game that is truncated inside a value has a value that ends with the next game's beginning:
    ``C[good mo(;GM[1]``.
    start, end  of the value, without its brackets
    """
    bracket = data.rfind(b"[", start, end)
    place = data.rfind(b"(", start, bracket) if bracket >= 0 else -1
    root = ROOT_START.match(data, place, end) if place >= 0 else None
    return place if root is not None and root.end() == bracket + 1 else None


def _end_of_damage(data: bytes, start: int, end: int) -> int:
    """Return the place after a damaged game at which to continue.

    The game may have swallowed the following ones. The next beginning of a root node is taken for
    the next game.
    """
    first = GAME_START.search(data, start)
    following = ROOT_START.search(data, first.end(), end) if first else None
    return following.start() if following else end
