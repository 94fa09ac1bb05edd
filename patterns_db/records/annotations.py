"""Notes written into a game record, in properties that Sabaki and other editors show.

SBKV and SBKS are Sabaki's: win rate in percent and lead in points, both Black's; it draws its
graph from them. LB and TR mark points, BM, DO, TE and IT a move (bad, doubtful, tesuji,
interesting). Everything else in the record stays byte for byte, values that no reader understands
included; lines that are added come last. Notes of an earlier review are replaced, see
``earlier_notes``.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sgfmill import sgf_grammar, sgf_properties

from engine import BLACK
from engine.go.geometry import PASS, to_column_row
from patterns_db.records.earlier_notes import WRITTEN, comment_entry, erase_notes
from patterns_db.records.sgf import MainLine

# A point carries one mark only.
_MARKS = ("LB", "TR", "SQ", "CR", "MA")
# And a move one judgement; of bad moves and tesuji the value says how much so.
JUDGEMENTS = {"BM": b"1", "DO": b"", "TE": b"1", "IT": b""}


class Variation(NamedTuple):
    """Moves that could have followed a node, the color of the first one, and what it shows."""

    color: int
    points: tuple[int, ...]
    comment: str


class Note(NamedTuple):
    """What is to be said of the position at one node.

    win_rate   Black's, 0..1
    margin     Black's lead [points]; None: not known
    labels     text at points
    triangle   a point to mark, or None
    judgement  of the move that led here, one of JUDGEMENTS, or None
    instead    lines that could have followed
    """

    win_rate: float
    margin: float | None
    labels: tuple[tuple[int, str], ...]
    triangle: int | None
    comment: str
    judgement: str | None = None
    instead: tuple[Variation, ...] = ()


def annotate(line: MainLine, notes: Sequence[Note | None]) -> bytes:
    """Write notes into a record and return it as SGF bytes (UTF-8).

    line   changes in place
    notes  one for each node of the main line; None: nothing to say
    """
    # Into sgfmill's tree of the whole file: variations and unknown properties stay.
    nodes = line.file.get_main_sequence()
    erase_notes(nodes)
    for node, note in zip(nodes, notes, strict=True):
        if note is not None:
            _write_note(node, note)
    return _serialized(line.file)


def _serialized(file: Any) -> bytes:
    """Return sgfmill's game as SGF, each node's properties in their order.

    sgfmill sorts them, which exchanges the moves of a node that has a white one, then a black one.
    """
    tree = sgf_grammar.make_coarse_game_tree(
        file.get_root(), lambda node: node, lambda node: node.get_raw_property_map()
    )
    pieces: list[bytes] = []
    waiting = [tree]
    while waiting:
        tree = waiting.pop()
        if tree is None:
            pieces.append(b")")
            continue
        pieces.append(b"(")
        for properties in tree.sequence:
            pieces.append(b";")
            for name, values in properties.items():
                pieces.append(name.encode() + b"".join(b"[" + value + b"]" for value in values))
        waiting.append(None)
        waiting.extend(reversed(tree.children))
    data: bytes = sgf_grammar.block_format(pieces)
    return data + b"\n"


def _write_note(node: Any, note: Note) -> None:
    size = node.get_size()
    for name in ("SBKV", "SBKS"):  # another program's; ours come last, in every review
        if node.has_property(name):
            node.unset(name)
    node.set_raw("SBKV", f"{100 * note.win_rate:.2f}".encode())
    written = [b"SBKV"]
    if note.margin is not None:
        node.set_raw("SBKS", f"{note.margin:.2f}".encode())
        written.append(b"SBKS")
    taken = _marked(node, size)
    for point, text in note.labels:
        place = _place(point, size)
        if point != PASS and place not in taken:
            taken.add(place)
            written.append(_add_value(node, "LB", place + b":" + text.encode()))
    if note.triangle is not None and note.triangle != PASS:
        place = _place(note.triangle, size)
        if place not in taken:
            written.append(_add_value(node, "TR", place))
    if note.judgement is not None and not any(map(node.has_property, JUDGEMENTS)):
        node.set_raw(note.judgement, JUDGEMENTS[note.judgement])
        written.append(note.judgement.encode())
    written.append(_add_comment(node, note.comment))
    node.set_raw_list(WRITTEN, written)
    for variation in note.instead:
        _add_variation(node, variation, size)


def _add_value(node: Any, name: str, value: bytes) -> bytes:
    """Add a value to a property and return the entry that says so."""
    # The raw values: what is there already may be malformed, and stays so.
    before = node.get_raw_list(name) if node.has_property(name) else []
    node.set_raw_list(name, [*before, value])
    return name.encode() + b":" + value


def _add_comment(node: Any, text: str) -> bytes:
    """Add text after the comments that a node has, and return the entry that says so."""
    # A node has one comment only; some records have two, of which most readers show the first.
    before = node.get_raw_list("C") if node.has_property("C") else []
    raw = sgf_grammar.escape_text(text.encode())
    node.set_raw("C", b"\n\n".join([*before, raw]))
    return comment_entry(raw)


def _add_variation(node: Any, variation: Variation, size: int) -> None:
    # The last child: the main line is the first one, and stays it.
    letters = "BW" if variation.color == BLACK else "WB"
    end = node
    for number, point in enumerate(variation.points):
        end = end.new_child()
        name = letters[number % 2]
        end.set_raw(name, b"" if point == PASS else _place(point, size))
        written = [name.encode()]
        if number == 0:
            written.append(_add_comment(end, variation.comment))
        end.set_raw_list(WRITTEN, written)


def _marked(node: Any, size: int) -> set[bytes]:
    """Return the SGF names of the points that carry a mark already, as far as they make sense."""
    found: set[bytes] = set()
    for name in _MARKS:
        if node.has_property(name):
            for raw in node.get_raw_list(name):
                found |= _places(raw.partition(b":")[0] if name == "LB" else raw, size)
    return found


def _places(raw: bytes, size: int) -> set[bytes]:
    """Return the points that a value names, "dd" or a rectangle "aa:cc"; none if malformed."""
    corners = [corner.strip() for corner in raw.split(b":")]
    try:
        places = [sgf_properties.interpret_go_point(corner, size) for corner in corners]
    except ValueError:
        return set()
    if None in places or len(places) > 2:  # a pass is no point
        return set()
    rows, columns = ([place[axis] for place in places] for axis in (0, 1))
    return {
        sgf_properties.serialise_go_point((row, column), size)
        for row in range(min(rows), max(rows) + 1)
        for column in range(min(columns), max(columns) + 1)
    }


def _place(point: int, size: int) -> bytes:
    """Return the SGF name of a point; "" for PASS."""
    if point == PASS:
        return b""
    column, row = to_column_row(point)
    # sgfmill counts from 0 and names the row first.
    place: bytes = sgf_properties.serialise_go_point((row - 1, column - 1), size)
    return place
