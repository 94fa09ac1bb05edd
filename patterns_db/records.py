"""One game record: SGF bytes to a GameRecord and back.

The main line only (the first variation everywhere). ``decoding`` finds the character set,
``sgf_syntax`` the tree, ``komi_and_rules`` says what RU and KM mean, and sgfmill writes. A record
whose moves cannot all be read is refused; whatever else was forgiven is in its notes. Nothing here
knows the rules: whether the moves are legal is found out by ``replay``.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from sgfmill import sgf, sgf_grammar

from engine.errors import SgfError
from engine.go.board import BLACK, WHITE
from engine.go.geometry import MAX_SIZE, MIN_SIZE, PASS, board_points, to_column_row, to_point
from patterns_db.decoding import decode
from patterns_db.komi_and_rules import read_komi, read_record_rules
from patterns_db.sgf_syntax import ParsedGame, holds_game, parse_game

_COLORS = {"B": BLACK, "W": WHITE}
_LETTERS = {color: letter for letter, color in _COLORS.items()}
_SETUP = ("AB", "AW", "AE")
_BLACK_WORDS, _WHITE_WORDS = ("b", "1", "黑", "黒", "흑"), ("w", "2", "白", "백")
_FOX = ("foxwq", "野狐")  # what the Fox server calls itself
# Far beyond any game or tree of variations in use, and what memory can hold without trouble.
MAX_RECORD_BYTES = 16 << 20
MAX_RECORD_VALUES = 1_000_000  # values, nodes and variations
MAX_EVENTS = 5_000  # moves and changes of the position on the main line; each keeps a board, 11 KB


class Setup(NamedTuple):
    """Stones put on the board, or taken off it, outside of play; sorted points."""

    black: tuple[int, ...]
    white: tuple[int, ...]
    empty: tuple[int, ...]


class Turn(NamedTuple):
    """The side to move is set by hand (PL)."""

    color: int


class Play(NamedTuple):
    """A move; the point is PASS for a pass.

    forced  whether the record asks to play it even if it is illegal (KO)
    """

    color: int
    point: int
    forced: bool = False


Event = Setup | Turn | Play


@dataclass(frozen=True, slots=True)
class GameRecord:
    """What a game record says; None where it says nothing usable.

    komi    points for White, whatever unit the record uses
    events  the main line in order. Text (result, ranks, ...) is as written, e.g. "W+3.5", "9d".
    notes   what was guessed, forgiven or not understood, one line each
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
    notes: tuple[str, ...] = field(default=(), compare=False)

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
    return _read_tree(*_parse(data))[0]


def read_main_line(data: bytes) -> MainLine:
    """Return the first game of a file with all that the file says of it; see ``read_record``."""
    parsed, notes = _parse(data)
    record, nodes = _read_tree(parsed, notes)
    tree = parsed.tree
    tree.sequence[0]["SZ"] = [b"%d" % record.size]  # sgfmill does not take "19:19"
    return MainLine(record, nodes, sgf.Sgf_game.from_coarse_game_tree(tree, "UTF-8"))


def _read_tree(
    parsed: ParsedGame, notes: tuple[str, ...]
) -> tuple[GameRecord, tuple[tuple[Event, ...], ...]]:
    """Return the record that a tree holds, and its events by node of the main line."""
    root = parsed.tree.sequence[0]
    if root.get("GM", [b"1"])[0].strip() not in (b"1", b""):
        raise SgfError("not a game of Go (GM is not 1)")
    size = _read_size(root.get("SZ", [b"19"])[0])
    said = [*notes]
    nodes = tuple(
        _read_node(properties, size, said)
        for properties in sgf_grammar.main_sequence_iter(parsed.tree)
    )
    events = tuple(event for node in nodes for event in node)
    if len(events) > MAX_EVENTS:
        raise SgfError(f"too long a game: {len(events)} moves, at most {MAX_EVENTS} are read")
    record = GameRecord(
        size=size,
        komi=_read_komi(root, size, said),
        rules=_text(root, "RU"),
        result=_text(root, "RE"),
        handicap=_read_handicap(root, size, said),
        black_rank=_text(root, "BR"),
        white_rank=_text(root, "WR"),
        date=_text(root, "DT") or _text(root, "RD"),
        events=events,
        notes=tuple(dict.fromkeys(said)),
    )
    return record, nodes


def _parse(data: bytes) -> tuple[ParsedGame, tuple[str, ...]]:
    """Return the first game's tree, its text in UTF-8 whatever it was in the file, and notes."""
    values = sum(data.count(sign) for sign in (b"[", b";", b"("))
    if len(data) > MAX_RECORD_BYTES or values > MAX_RECORD_VALUES:
        raise SgfError(f"too large a record: {len(data) >> 10} KiB, {values} values and nodes")
    text, notes = decode(data)
    parsed = parse_game(text)
    notes += parsed.notes
    if holds_game(text, parsed.end):
        notes += ("the file holds several games: only the first is read",)
    return parsed, notes


def _read_size(raw: bytes) -> int:
    text = raw.decode("utf-8", "replace").strip()
    found = re.fullmatch(r"([0-9]{1,3})(?:\s*[:xX*,]\s*([0-9]{1,3}))?", text or "19")
    if found is None:
        raise SgfError(f"bad board size: SZ[{_shown(text)}]")
    size = int(found[1])
    if found[2] is not None and int(found[2]) != size:
        raise SgfError(f"unusable board size {_shown(text)}: boards are square")
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise SgfError(f"unusable board size {size}: sizes are {MIN_SIZE} to {MAX_SIZE}")
    return size


def _shown(text: str) -> str:
    """Return the beginning of a text in printable characters."""
    return "".join(c if c.isprintable() else "?" for c in text[:20])


# Once a size, not once a game: training reads hundreds of thousands of records.
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


def _row_column(point: int) -> tuple[int, int] | None:
    """Return sgfmill's (row, column) of a point, None for PASS."""
    if point == PASS:
        return None
    column, row = to_column_row(point)
    return row - 1, column - 1


def _read_node(
    properties: dict[str, list[bytes]], size: int, notes: list[str]
) -> tuple[Event, ...]:
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
        color = _read_color(properties["PL"][0])
        if color is None:
            notes.append("the side to move is not understood (PL)")
        else:
            events.append(Turn(color))
    for name in names:
        if name in _COLORS:
            values = properties[name]
            if len(values) > 1:
                notes.append("a node holds several moves of one color: all are played")
            for value in values:
                point = _read_point(value, size)
                if point is None:
                    text = _shown(value.decode("utf-8", "replace"))
                    raise SgfError(f"bad move on a {size}x{size} board: {name}[{text}]")
                events.append(Play(_COLORS[name], point, "KO" in names))
    return tuple(events)


def _read_point(value: bytes, size: int) -> int | None:
    """Return the point of a move, PASS for a pass, None for what is neither."""
    return _points_by_name(size).get(value.strip().lower())


def _read_color(value: bytes) -> int | None:
    text = value.decode("utf-8", "replace").strip().lower()
    if text.startswith(_BLACK_WORDS):
        return BLACK
    return WHITE if text.startswith(_WHITE_WORDS) else None


def _read_stones(values: list[bytes] | None, size: int) -> tuple[int, ...]:
    """Return the points of AB, AW or AE; compressed rectangles ("aa:cc") are unpacked."""
    found: set[int] = set()
    for value in values or ():
        if not value.strip():
            continue
        first, _, last = value.partition(b":")
        corners = [_read_point(corner, size) for corner in (first, last or first)]
        if None in corners or PASS in corners:
            text = _shown(value.decode("utf-8", "replace"))
            raise SgfError(f"bad set-up stone on a {size}x{size} board: {text}")
        (left, top), (right, bottom) = (to_column_row(corner) for corner in corners if corner)
        found |= {
            to_point(column, row)
            for column in range(left, right + 1)
            for row in range(bottom, top + 1)
        }
        if left > right or bottom > top:
            raise SgfError("a rectangle of set-up stones whose corners are in the wrong order")
    # Sorted: equal records shall have equal tuples.
    return tuple(sorted(found))


def _text(root: dict[str, list[bytes]], name: str) -> str | None:
    if name not in root:
        return None
    return sgf_grammar.simpletext_value(root[name][0]).decode("utf-8", "replace").strip() or None


def _read_komi(root: dict[str, list[bytes]], size: int, notes: list[str]) -> float | None:
    # Older records of the Nihon Ki-in have the komi in the root's KO.
    text = _text(root, "KM") or _text(root, "KO")
    if text is None:
        return None
    origin = " ".join(filter(None, (_text(root, name) for name in ("AP", "SO", "PC", "US"))))
    fox = any(name in origin.lower() for name in _FOX)
    rules = read_record_rules(_text(root, "RU") or "")
    area = rules is None or rules.rules.scoring == "area"
    komi = read_komi(text, size, fox, area)
    notes += komi.notes
    return komi.points


def _read_handicap(root: dict[str, list[bytes]], size: int, notes: list[str]) -> int:
    text = _text(root, "HA")
    if text is None:
        return 0
    found = re.fullmatch(r"([0-9]{1,3})(?:\.0*)?", text)
    # A single stone is no handicap: placements begin with two, in GTP as well.
    handicap = int(found[1]) if found else -1
    if not 0 <= handicap <= size * size:
        notes.append(f"the handicap is not understood: HA[{_shown(text)}]")
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
        if event.forced:
            node.set("KO", True)
