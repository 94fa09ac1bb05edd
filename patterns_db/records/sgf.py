"""Conversion of one game record: SGF bytes to a GameRecord and back.

Only the main line is read (the first variation everywhere). ``decoding`` finds the character set,
``sgf_syntax`` parses the tree, ``komi_and_rules`` interprets RU and KM, and sgfmill writes. A
record is rejected unless all of its moves can be read. Its notes list every other correction. This
module does not know the rules; ``replay`` finds illegal moves.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sgfmill import sgf, sgf_grammar

from engine.errors import SgfError
from engine.go.board import BLACK, WHITE
from engine.go.geometry import PASS, fixed_handicap, format_vertex, to_column_row
from patterns_db.printing import printable, program_version
from patterns_db.records.decoding import decode
from patterns_db.records.record_values import (
    PROGRAM,
    color_of,
    handicap_of,
    information_of,
    is_fox,
    komi_of,
    point_of,
    size_of,
    stones_of,
    text_of,
)
from patterns_db.records.sgf_syntax import ParsedGame, notes_after, parse_game

_COLORS = {"B": BLACK, "W": WHITE}
_LETTERS = {color: letter for letter, color in _COLORS.items()}
_SETUP = ("AB", "AW", "AE")
_SINGLE = ("SZ", "KM", "RU", "HA")  # properties with one value that changes the game


class RecordLimits(NamedTuple):
    """Sizes of records that are read."""

    # The limits are far beyond any game or tree in use, and need little memory.
    max_bytes: int = 16 << 20
    max_values: int = 1_000_000  # values, nodes and variations
    max_events: int = 5_000  # moves and changes of the position on the main line


RECORD = RecordLimits()


class SetupStones(NamedTuple):
    """Stones that are placed or removed outside of play, as sorted points."""

    black: tuple[int, ...]
    white: tuple[int, ...]
    empty: tuple[int, ...]


class Turn(NamedTuple):
    """A side to move that is set by the record (PL)."""

    color: int


class Play(NamedTuple):
    """A move. The point is PASS for a pass."""

    color: int
    point: int
    forced: bool = False  # whether the record requires it even if it is illegal (KO)


Event = SetupStones | Turn | Play


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The content of a game record. Values are None if missing or unusable."""

    size: int
    komi: float | None = None  # points for White, whatever unit the record uses
    rules: str | None = None
    result: str | None = None
    handicap: int = 0
    black_rank: str | None = None
    white_rank: str | None = None
    date: str | None = None
    # The main line in order. Text (result, ranks, ...) is as written, e.g. "W+3.5", "9d".
    events: tuple[Event, ...] = ()
    # Guesses, corrections and parts that were not understood, one line each
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def moves(self) -> tuple[Play, ...]:
        """The moves alone, passes included."""
        return tuple(event for event in self.events if isinstance(event, Play))


class MainLine(NamedTuple):
    """A game record together with its file, so that notes can be added."""

    record: GameRecord  # the content
    # The events of each node of the main line, the root's first, in the record's order
    nodes: tuple[tuple[Event, ...], ...]
    file: sgf.Sgf_game  # sgfmill's Sgf_game of the whole record, variations included


def read_record(data: bytes) -> GameRecord:
    """Return the first game in the bytes of an SGF file.

    Raises SgfError when there is none, when it is truncated or not a game of Go, and when its board
    size or a point of its main line is invalid. Does not check that the moves are legal.
    """
    return _read_tree(*_parse(data))[0]


def read_main_line(data: bytes) -> MainLine:
    """Return the first game of a file together with the file's tree. See ``read_record``."""
    parsed, notes = _parse(data)
    record, nodes = _read_tree(parsed, notes)
    tree = parsed.tree
    tree.sequence[0]["SZ"] = [b"%d" % record.size]  # sgfmill does not accept "19:19"
    return MainLine(record, nodes, sgf.Sgf_game.from_coarse_game_tree(tree, "UTF-8"))


def _read_tree(
    parsed: ParsedGame, notes: tuple[str, ...]
) -> tuple[GameRecord, tuple[tuple[Event, ...], ...]]:
    """Return the record in a tree, and its events by node of the main line."""
    root = information_of(sgf_grammar.main_sequence_iter(parsed.tree))
    if root.get("GM", [b"1"])[0].strip() not in (b"1", b""):
        raise SgfError("not a game of Go (GM is not 1)")
    size = size_of(root.get("SZ", [b"19"])[0])
    complaints = [*notes]
    for name in _SINGLE:
        if len(set(root.get(name, ()))) > 1:
            complaints.append(f"the record has several values of {name}: the first is used")
    nodes = tuple(
        _read_node(properties, size, complaints)
        for properties in sgf_grammar.main_sequence_iter(parsed.tree)
    )
    handicap = handicap_of(root, size, complaints)
    nodes = _with_fox_stones(root, size, handicap, nodes, complaints)
    events = tuple(event for node in nodes for event in node)
    if len(events) > RECORD.max_events:
        raise SgfError(
            f"game too long: {len(events)} moves, at most {RECORD.max_events} are allowed"
        )
    record = GameRecord(
        size=size, komi=komi_of(root, size, complaints), rules=text_of(root, "RU"),
        result=text_of(root, "RE"), handicap=handicap, black_rank=text_of(root, "BR"),
        white_rank=text_of(root, "WR"), date=text_of(root, "DT") or text_of(root, "RD"),
        events=events, notes=tuple(dict.fromkeys(complaints)),
    )  # fmt: skip
    return record, nodes


def _with_fox_stones(
    root: dict[str, list[bytes]],
    size: int,
    handicap: int,
    nodes: tuple[tuple[Event, ...], ...],
    notes: list[str],
) -> tuple[tuple[Event, ...], ...]:
    """Return nodes with the customary handicap stones, which records of the Fox server omit.

    Source: KataGo, src/dataio/sgf.cpp, "missing handicap placements in fox".
    """
    first = next((event for node in nodes for event in node), None)
    left_out = size == 19 and 2 <= handicap <= 9 and is_fox(root)
    if not left_out or not isinstance(first, Play) or first.color != WHITE:
        return nodes
    notes.append(f"the {handicap} handicap stones are missing; they are placed on the star points")
    stones = tuple(sorted(fixed_handicap(size, handicap)))
    return ((SetupStones(stones, (), ()), *nodes[0]), *nodes[1:])


def _parse(data: bytes) -> tuple[ParsedGame, tuple[str, ...]]:
    """Return the first game's tree, its text in UTF-8 whatever its encoding, and notes."""
    values = sum(data.count(sign) for sign in (b"[", b";", b"("))
    if len(data) > RECORD.max_bytes or values > RECORD.max_values:
        raise SgfError(
            f"record too large: {len(data) >> 10} KiB, {values} values and nodes; at most"
            f" {RECORD.max_bytes >> 10} KiB and {RECORD.max_values} are read"
        )
    text, notes = decode(data)
    parsed = parse_game(text)
    return parsed, (*notes, *parsed.notes, *notes_after(text, parsed.end))


def _row_column(point: int) -> tuple[int, int] | None:
    """Return sgfmill's (row, column) of a point, or None for PASS."""
    if point == PASS:
        return None
    column, row = to_column_row(point)
    return row - 1, column - 1


def _read_node(
    properties: dict[str, list[bytes]], size: int, notes: list[str]
) -> tuple[Event, ...]:
    """Return the events of one node: its set-up, then the side to move, then its moves."""
    events: list[Event] = []
    names = properties.keys()
    # Most nodes are a single move, and this is the fastest test for it.
    if not names.isdisjoint(_SETUP):
        stones = [stones_of(properties.get(name), size) for name in _SETUP]
        points = [point for group in stones for point in group]
        if len(set(points)) < len(points):
            raise SgfError(f"a node sets {format_vertex(max(points, key=points.count))} twice")
        if any(stones):
            events.append(SetupStones._make(stones))
    if "PL" in names:
        color = color_of(properties["PL"][0])
        if color is None:
            notes.append("the side to move is not understood (PL)")
        else:
            events.append(Turn(color))
    for name in names:
        if name in _COLORS:
            values = list(dict.fromkeys(properties[name]))
            if len(values) < len(properties[name]):
                notes.append("a node repeats its move: it is played once")
            if len(values) > 1:
                notes.append("a node holds several moves of one color: all are played")
            for value in values:
                point = point_of(value, size)
                if point is None:
                    text = printable(value.decode("utf-8", "replace")[:20])
                    raise SgfError(f"bad move on a {size}x{size} board: {name}[{text}]")
                events.append(Play(_COLORS[name], point, "KO" in names))
    return tuple(events)


def write_record(record: GameRecord) -> bytes:
    """Return the record as SGF bytes (FF 4, UTF-8). ``read_record`` restores an equal record."""
    game = sgf.Sgf_game(record.size)
    root = game.get_root()
    values = {
        "AP": (PROGRAM, program_version()),
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
        # The root takes the first set-up and turn. Every move has a node of its own.
        starts_node = isinstance(event, Play) or before is not None
        if starts_node and not (isinstance(event, Turn) and isinstance(before, SetupStones)):
            # extend_main_sequence is not used, because it walks through all the nodes before.
            node = node.new_child()
        _write_event(node, event)
        before = event
    data: bytes = game.serialise()
    return data


def _write_event(node: Any, event: Event) -> None:
    if isinstance(event, SetupStones):
        node.set_setup_stones(*([_row_column(point) for point in points] for points in event))
    elif isinstance(event, Turn):
        node.set("PL", _LETTERS[event.color].lower())
    else:
        node.set_move(_LETTERS[event.color].lower(), _row_column(event.point))
        if event.forced:
            node.set("KO", True)
