"""The values of a record's properties: sizes, points, colors, texts, komi and handicap."""

import re
from collections.abc import Iterable
from functools import lru_cache

from sgfmill import sgf_grammar

from engine.errors import SgfError
from engine.go.board import BLACK, WHITE
from engine.go.geometry import MAX_SIZE, MIN_SIZE, PASS, board_points, to_column_row, to_point
from patterns_db.printing import printable
from patterns_db.records.komi_and_rules import read_komi, read_record_rules

Properties = dict[str, list[bytes]]  # of a node, by name

_EVENTS = frozenset(("B", "W", "AB", "AW", "AE"))
_BLACK_WORDS, _WHITE_WORDS = ("b", "1", "黑", "黒", "흑"), ("w", "2", "白", "백")
PROGRAM = "yomi"  # the name of this program in records
_FOX = ("foxwq", "野狐")  # names of the Fox server in records


def information_of(nodes: Iterable[Properties]) -> Properties:
    """Return the properties of the root and of the nodes before the first move or set-up.

    nodes  of the main line, the root first
    """
    # FF 4 allows information about the game in any node. Some programs write an empty root.
    information: Properties = {}
    for number, properties in enumerate(nodes):
        event = not _EVENTS.isdisjoint(properties)
        if number == 0 or not event:
            information = {**properties, **information}
        if event:
            break
    return information


def size_of(raw: bytes) -> int:
    """Return the points per side. Raises SgfError for anything but a square board in use."""
    text = raw.decode("utf-8", "replace").strip()
    sides = re.fullmatch(r"([0-9]{1,3})(?:\s*[:xX*,]\s*([0-9]{1,3}))?", text or "19")
    if sides is None:
        raise SgfError(f"bad board size: SZ[{printable(text[:20])}]")
    size = int(sides[1])
    if sides[2] is not None and int(sides[2]) != size:
        raise SgfError(f"unusable board size {printable(text[:20])}: boards are square")
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise SgfError(f"unusable board size {size}: sizes are {MIN_SIZE} to {MAX_SIZE}")
    return size


# Tables are cached by size, since training reads hundreds of thousands of records.
@lru_cache
def _points_by_name(size: int) -> dict[bytes, int]:
    """Return the point of every SGF move value on a board of this size, passes included."""
    # FF 4: an empty value is a pass on any board. Many programs write the point beyond the corner.
    names = dict.fromkeys((b"", b"pass", (chr(ord("a") + size) * 2).encode()), PASS)
    if size <= 19:  # FF 3; on larger boards it is a point
        names[b"tt"] = PASS
    for point in board_points(size):
        column, row = to_column_row(point)
        names[bytes((ord("a") + column - 1, ord("a") + size - row))] = point
    return names


def point_of(value: bytes, size: int) -> int | None:
    """Return the point of a move, PASS for a pass, or None for anything else."""
    return _points_by_name(size).get(value.strip().lower())


def color_of(value: bytes) -> int | None:
    """Return the color of a word or a number, or None if it means none."""
    text = value.decode("utf-8", "replace").strip().lower()
    if text.startswith(_BLACK_WORDS):
        return BLACK
    return WHITE if text.startswith(_WHITE_WORDS) else None


def stones_of(values: list[bytes] | None, size: int) -> tuple[int, ...]:
    """Return the points of AB, AW or AE. Compressed rectangles ("aa:cc") are unpacked."""
    points: set[int] = set()
    rectangles: set[tuple[int, int]] = set()  # each once, as a record may repeat one many times
    for value in values or ():
        if not value.strip():
            continue
        first, _, last = value.partition(b":")
        start, end = (point_of(corner, size) for corner in (first, last or first))
        if start in (None, PASS) or end in (None, PASS):
            text = printable(value.decode("utf-8", "replace")[:20])
            raise SgfError(f"bad set-up stone on a {size}x{size} board: {text}")
        rectangles.add((start, end))
    for corners in rectangles:
        # FF 4 names the upper left corner first. Other orders mean the same rectangle.
        (column, row), (other, below) = map(to_column_row, corners)
        points |= {
            to_point(x, y)
            for x in range(min(column, other), max(column, other) + 1)
            for y in range(min(row, below), max(row, below) + 1)
        }
    # Points are sorted, so that equal records have equal tuples.
    return tuple(sorted(points))


def text_of(root: dict[str, list[bytes]], name: str) -> str | None:
    """Return a property of the root as text, or None if it is missing or empty."""
    if name not in root:
        return None
    return sgf_grammar.simpletext_value(root[name][0]).decode("utf-8", "replace").strip() or None


def is_fox(root: dict[str, list[bytes]]) -> bool:
    """Return whether the record comes from the Fox server."""
    # The server writes two values of AP: that of GNU Go and its own.
    origin = b" ".join(value for name in ("AP", "SO", "PC", "US") for value in root.get(name, ()))
    return any(name in origin.decode("utf-8", "replace").lower() for name in _FOX)


def komi_of(root: dict[str, list[bytes]], size: int, notes: list[str]) -> float | None:
    """Return the komi [points], or None without one. ``notes`` grows."""
    # Older records of the Nihon Ki-in have the komi in the root's KO.
    text = text_of(root, "KM") or text_of(root, "KO")
    if text is None:
        return None
    # Other programs' amounts may be stones, or hundredths; our own are points.
    own = (text_of(root, "AP") or "").startswith(PROGRAM)
    if own and re.fullmatch(r"-?[0-9]{1,4}(\.[0-9]+)?", text):
        return float(text)
    fox = is_fox(root)
    rules = read_record_rules(text_of(root, "RU") or "")
    area = rules is None or rules.rules.scoring == "area"
    komi = read_komi(text, size, fox, area)
    notes += komi.notes
    return komi.points


def handicap_of(root: dict[str, list[bytes]], size: int, notes: list[str]) -> int:
    """Return the number of HA from 2 on, else 0. ``notes`` grows."""
    text = text_of(root, "HA")
    if text is None:
        return 0
    count = re.fullmatch(r"([0-9]{1,3})(?:\.0*)?\s*(?:stones?|子|목|점|点|點)?", text.lower())
    # A single stone is not a handicap: placements begin with two, in GTP as well.
    handicap = int(count[1]) if count else -1
    if not 0 <= handicap <= size * size:
        notes.append(f"the handicap is not understood: HA[{printable(text[:20])}]")
    return handicap if 2 <= handicap <= size * size else 0
