"""One game record: SGF bytes to a GameRecord and back, by sgfmill.

The main line only (the first variation everywhere). Encodings never fail: what decides is the
file's CA, then UTF-8, then Latin-1, then the East Asian double-byte sets, whose second bytes can
look like a bracket. Nothing here knows the rules: whether the moves are legal is the reader's
business.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Any, NamedTuple

from sgfmill import sgf, sgf_grammar, sgf_properties

from engine.errors import SgfError
from engine.go.board import BLACK, WHITE
from engine.go.geometry import MAX_SIZE, MIN_SIZE, PASS, board_points, to_column_row, to_point

_COLORS = {"B": BLACK, "W": WHITE}
_LETTERS = {color: letter for letter, color in _COLORS.items()}
_SETUP = ("AB", "AW", "AE")
# Looked for in the raw bytes: until the set is known there is no text to parse.
_CHARSET = re.compile(rb"CA\s*\[\s*([\w.:+-]{1,40})\s*\]")
# Far beyond any game or tree of variations in use, and what memory can hold without trouble.
MAX_RECORD_BYTES = 16 << 20
MAX_RECORD_VALUES = 1_000_000  # values, nodes and variations
MAX_EVENTS = 5_000  # moves and changes of the position on the main line; each keeps a board, 11 KB
_FALLBACK_ENCODINGS = ("utf-8", "latin-1", "gb18030", "shift_jis", "big5")


class Setup(NamedTuple):
    """Stones put on the board, or taken off it, outside of play; sorted points."""

    black: tuple[int, ...]
    white: tuple[int, ...]
    empty: tuple[int, ...]


class Turn(NamedTuple):
    """The side to move is set by hand (PL)."""

    color: int


class Play(NamedTuple):
    """A move; the point is PASS for a pass."""

    color: int
    point: int


Event = Setup | Turn | Play


@dataclass(frozen=True, slots=True)
class GameRecord:
    """What a game record says; None where it says nothing usable.

    events  the main line in order. Text (result, ranks, ...) is as written, e.g. "W+3.5", "9d".
    """

    size: int
    komi: float | None = None
    rules: str | None = None
    result: str | None = None
    handicap: int = 0
    black_rank: str | None = None
    white_rank: str | None = None
    date: str | None = None
    events: tuple[Event, ...] = ()

    @property
    def moves(self) -> tuple[Play, ...]:
        """The moves alone, passes included."""
        return tuple(event for event in self.events if isinstance(event, Play))


class MainLine(NamedTuple):
    """A game record together with the file it came from, for writing something into it.

    record  what it says
    nodes   the events of each node of the main line, the root's first; their order is record's
    file    sgfmill's Sgf_game of the whole record, variations included
    """

    record: GameRecord
    nodes: tuple[tuple[Event, ...], ...]
    file: sgf.Sgf_game


def read_record(data: bytes) -> GameRecord:
    """Return the first game that the bytes of an SGF file hold.

    Raises SgfError when there is none, when it is cut off or not a game of Go, and when its board
    size or a point of its main line cannot be used. Does not check that the moves are legal.
    """
    return _read_tree(_parse(data))[0]


def read_main_line(data: bytes) -> MainLine:
    """Return the first game of a file with all that the file says of it; see ``read_record``."""
    tree = _parse(data)
    record, nodes = _read_tree(tree)
    tree.sequence[0]["SZ"] = [b"%d" % record.size]  # sgfmill does not take "19:19"
    return MainLine(record, nodes, sgf.Sgf_game.from_coarse_game_tree(tree, "UTF-8"))


def _read_tree(tree: Any) -> tuple[GameRecord, tuple[tuple[Event, ...], ...]]:
    """Return the record that sgfmill's tree holds, and its events by node of the main line."""
    root = tree.sequence[0]
    if root.get("GM", [b"1"])[0].strip() != b"1":
        raise SgfError("not a game of Go (GM is not 1)")
    size = _read_size(root.get("SZ", [b"19"])[0])
    nodes = tuple(
        _read_node(properties, size) for properties in sgf_grammar.main_sequence_iter(tree)
    )
    events = tuple(event for node in nodes for event in node)
    if len(events) > MAX_EVENTS:
        raise SgfError(f"too long a game: {len(events)} moves, at most {MAX_EVENTS} are read")
    record = GameRecord(
        size=size,
        komi=_read_komi(root, size),
        rules=_text(root, "RU"),
        result=_text(root, "RE"),
        handicap=_read_handicap(root, size),
        black_rank=_text(root, "BR"),
        white_rank=_text(root, "WR"),
        date=_text(root, "DT"),
        events=events,
    )
    return record, nodes


def _parse(data: bytes) -> Any:
    """Return sgfmill's tree of the first game, its text in UTF-8 whatever it was in the file."""
    values = sum(data.count(sign) for sign in (b"[", b";", b"("))
    if len(data) > MAX_RECORD_BYTES or values > MAX_RECORD_VALUES:
        raise SgfError(f"too large a record: {len(data) >> 10} KiB, {values} values and nodes")
    # Plain ASCII needs no decoding, whatever the record says it is.
    if data.isascii() and b"\x1b" not in data:  # an escape byte switches the set in ISO-2022
        encodings: tuple[str, ...] = ("ascii",)
    elif data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ("utf-16", *_FALLBACK_ENCODINGS)
    else:
        named = _CHARSET.search(data)
        encodings = (named[1].decode("ascii", "replace") if named else "utf-8",)
        encodings += _FALLBACK_ENCODINGS
    reason = "no SGF data found"
    # latin-1 decodes anything; where that is no SGF, the double-byte sets have their turn.
    for encoding in encodings:
        try:
            text = data if encoding == "ascii" else data.decode(encoding).encode("utf-8", "replace")
        except (LookupError, ValueError):
            continue
        try:
            return sgf_grammar.parse_sgf_game(text)
        except ValueError as error:
            reason = str(error)
    raise SgfError(f"not a readable SGF record: {reason}")


def _read_size(raw: bytes) -> int:
    columns, _, rows = raw.strip().partition(b":")
    try:
        size = int(columns)
        square = not rows or int(rows) == size
    except ValueError:
        raise SgfError(f"bad board size: {raw[:20]!r}") from None
    if not (square and MIN_SIZE <= size <= MAX_SIZE):
        raise SgfError(f"unusable board size: {raw[:20]!r}")
    return size


# Once a size, not once a game: training reads hundreds of thousands of records.
@lru_cache
def _points_by_name(size: int) -> dict[bytes, int]:
    """Return the point of every SGF move value on a board of this size, passes included."""
    # FF 4: an empty value is a pass on any board.
    names = {b"": PASS}
    if size <= 19:  # FF 3; on larger boards it is a point
        names[b"tt"] = PASS
    for point in board_points(size):
        names[sgf_properties.serialise_go_point(_row_column(point), size)] = point
    return names


def _row_column(point: int) -> tuple[int, int] | None:
    """Return sgfmill's (row, column) of a point, None for PASS."""
    if point == PASS:
        return None
    column, row = to_column_row(point)
    return row - 1, column - 1


def _read_node(properties: dict[str, list[bytes]], size: int) -> tuple[Event, ...]:
    """Return what one node does: its set-up, then the side to move, then its moves."""
    events: list[Event] = []
    names = properties.keys()
    # Most nodes are a single move, and this is the quickest way to see it.
    if not names.isdisjoint(_SETUP):
        stones = [_read_stones(properties.get(name), size) for name in _SETUP]
        if sum(map(len, stones)) > len(set().union(*stones)):
            raise SgfError("a node sets the same point twice")
        if any(stones):
            events.append(Setup(*stones))
    if "PL" in names:
        color = _COLORS.get(properties["PL"][0].strip()[:1].upper().decode("latin-1"))
        if color is None:
            raise SgfError(f"bad side to move: {properties['PL'][0][:20]!r}")
        events.append(Turn(color))
    for name in names:
        if name in _COLORS:
            # The first value only: a second one in a move is no valid SGF.
            point = _points_by_name(size).get(properties[name][0].strip())
            if point is None:
                raise SgfError(f"bad move on a {size}x{size} board: {properties[name][0][:20]!r}")
            events.append(Play(_COLORS[name], point))
    return tuple(events)


def _read_stones(values: list[bytes] | None, size: int) -> tuple[int, ...]:
    """Return the points of AB, AW or AE; compressed rectangles ("aa:cc") are unpacked."""
    if values is None:
        return ()
    presenter = sgf_properties.Presenter(size, "UTF-8")
    try:
        places = presenter.interpret("AB", [value.strip() for value in values if value.strip()])
    except ValueError:
        raise SgfError(f"bad set-up stones on a {size}x{size} board") from None
    # Sorted: sgfmill gives a set, and equal records shall have equal tuples.
    return tuple(sorted(to_point(column + 1, row + 1) for row, column in places))


def _text(root: dict[str, list[bytes]], name: str) -> str | None:
    if name not in root:
        return None
    return sgf_grammar.simpletext_value(root[name][0]).decode("utf-8", "replace").strip() or None


def _read_komi(root: dict[str, list[bytes]], size: int) -> float | None:
    """Return the komi; None if unusable, such as 375, which one server writes for 3 3/4 stones."""
    try:
        # Some programs write a decimal comma.
        komi = float(root["KM"][0].replace(b",", b"."))
    except (KeyError, ValueError):
        return None
    return komi if isfinite(komi) and abs(komi) <= size * size else None


def _read_handicap(root: dict[str, list[bytes]], size: int) -> int:
    try:
        handicap = int(root["HA"][0])
    except (KeyError, ValueError):
        return 0
    # A single stone is no handicap: placements begin with two, in GTP as well.
    return handicap if 2 <= handicap <= size * size else 0


def write_record(record: GameRecord) -> bytes:
    """Return the record as SGF bytes (FF 4, UTF-8); ``read_record`` gives an equal record back."""
    game = sgf.Sgf_game(record.size)
    root = game.get_root()
    values = {
        "KM": record.komi,
        "RU": record.rules,
        "RE": record.result,
        "HA": record.handicap or None,
        "BR": record.black_rank,
        "WR": record.white_rank,
        "DT": record.date,
    }
    for name, value in values.items():
        if value is not None:
            root.set(name, value)
    node, before = root, None
    for event in record.events:
        # The root takes the first set-up and turn; every move has a node of its own.
        starts_node = isinstance(event, Play) or before is not None
        if starts_node and not (isinstance(event, Turn) and isinstance(before, Setup)):
            # Not extend_main_sequence: it walks through all the nodes before.
            node = node.new_child()
        _write_event(node, event)
        before = event
    data: bytes = game.serialise()
    return data


def _write_event(node: Any, event: Event) -> None:
    if isinstance(event, Setup):
        node.set_setup_stones(*([_row_column(point) for point in points] for points in event))
    elif isinstance(event, Turn):
        node.set("PL", _LETTERS[event.color].lower())
    else:
        node.set_move(_LETTERS[event.color].lower(), _row_column(event.point))
