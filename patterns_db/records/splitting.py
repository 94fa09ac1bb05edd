"""The games of one SGF file, in time that grows with its length whatever it holds.

A game that is cut off never closes its brackets, so it seems to go on to the end of the file. It
ends where the next game's root node begins instead: a variation never begins as a root does.
"""

import re
from collections.abc import Iterator

from engine.errors import SgfError
from patterns_db.records.sgf import GameRecord, read_record
from patterns_db.records.sgf_syntax import GAME_START, ROOT_START

# A property value, to the end of the file if nothing closes it, or a parenthesis. Possessive: an
# ordinary repetition would try again at each of the bytes.
_TOKEN = re.compile(rb"\[(?:[^\\\]]++|\\.)*+(?:\]|\\?\Z)|[()]", re.DOTALL)
# How often the bytes of a file may be read on average. Honest damage needs two readings.
_READINGS = 8


def split_games(data: bytes) -> Iterator[tuple[int, bytes, GameRecord | SgfError]]:
    """Yield the number, the bytes and the record of each game of a file, or what is wrong with it.

    What follows the last game and begins none is passed over.
    """
    number = start = 0
    left = _READINGS * len(data)
    while start < len(data) or number == 0:
        end, swallowed = _end_of_game(data, start)
        number += 1
        left -= end - start
        if left < 0:
            yield number, b"", SgfError("too much damage: the rest of the file is skipped")
            return
        piece = data[start:end]
        # A game that was only not closed can be read; one that ends inside a value cannot.
        record = SgfError("cut off inside of a property") if swallowed else _read(piece)
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


def _end_of_game(data: bytes, start: int) -> tuple[int, bool]:
    """Return where the game ends that begins at or after ``start``, and if it is inside a value."""
    starts = GAME_START.finditer(data, start)
    first = next(starts, None)
    # Quicker than to look at brackets, and most files stop here.
    if first is None or next(starts, None) is None:
        return len(data), False
    depth = 0
    for token in _TOKEN.finditer(data, first.start()):
        place = token.start()
        if data[place] == ord("["):
            swallowed = _swallowed_root(data, place + 1, token.end() - 1)
            if swallowed is not None:
                return swallowed, True
        elif data[place] == ord(")"):
            depth -= 1
            if depth == 0:
                return token.end(), False
        elif depth > 0 and ROOT_START.match(data, place):
            return place, False
        else:
            depth += 1
    return len(data), False


def _swallowed_root(data: bytes, start: int, end: int) -> int | None:
    """Return where a root begins whose first bracket closes a value; None: in no such value.

    A game that is cut off inside a value has a value that ends with the next game's beginning:
    ``C[good mo(;GM[1]``.
    start, end  of the value, without its brackets
    """
    bracket = data.rfind(b"[", start, end)
    place = data.rfind(b"(", start, bracket) if bracket >= 0 else -1
    root = ROOT_START.match(data, place, end) if place >= 0 else None
    return place if root is not None and root.end() == bracket + 1 else None


def _end_of_damage(data: bytes, start: int, end: int) -> int:
    """Return where to go on after a damaged game.

    It may have swallowed what follows it: the next beginning of a root node is taken for the next
    game.
    """
    first = GAME_START.search(data, start)
    following = ROOT_START.search(data, first.end(), end) if first else None
    return following.start() if following else end
