"""Notes in a game record, as properties that Sabaki and other editors show.

SBKV and SBKS are Sabaki's: win rate in percent and lead in points, both Black's. Sabaki draws its
graph from them. LB and TR mark points. BM, DO, TE and IT judge a move (bad, doubtful, tesuji,
interesting). Everything else in the record stays byte for byte, including values that no reader
understands. New lines of play come last. Notes of an earlier review are replaced, see
``earlier_notes``.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sgfmill import sgf_grammar, sgf_properties

from engine import BLACK, SgfError
from engine.go.geometry import PASS, to_column_row
from patterns_db.records.earlier_notes import WRITTEN, comment_entry, erase_notes
from patterns_db.records.record_values import stones_of
from patterns_db.records.sgf import MainLine
from patterns_db.records.sgf_syntax import sealed

# A point carries one mark only.
_MARKS = ("LB", "TR", "SQ", "CR", "MA")
# A move has one judgement only. Bad moves and tesuji have a value for the degree.
JUDGEMENTS = {"BM": b"1", "DO": b"", "TE": b"1", "IT": b""}


class Variation(NamedTuple):
    """Moves that could have followed a node, with the color of the first one, and a comment."""

    color: int
    points: tuple[int, ...]
    comment: str


class Note(NamedTuple):
    """The note about the position at one node."""

    win_rate: float  # Black's, 0..1
    margin: float | None  # Black's lead [points]; None: unknown
    labels: tuple[tuple[int, str], ...]  # text at points
    triangle: int | None  # a point to mark, or None
    comment: str
    judgement: str | None = None  # of the move that led here, one of JUDGEMENTS, or None
    instead: tuple[Variation, ...] = ()  # lines that could have followed


def annotate(line: MainLine, notes: Sequence[Note | None]) -> bytes:
    """Write notes into a record and return it as SGF bytes (UTF-8).

    line   changes in place
    notes  one for each node of the main line; None: no note
    """
    # sgfmill's tree of the whole file is changed, so variations and unknown properties stay.
    nodes = line.file.get_main_sequence()
    erase_notes(nodes)
    for node, note in zip(nodes, notes, strict=True):
        if note is not None:
            _write_note(node, note)
    return _serialized(line.file)


def _serialized(file: Any) -> bytes:
    """Return sgfmill's game as SGF, with each node's properties in their original order.

    sgfmill sorts them, which would swap the moves of a node with a white move before a black one.
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
                shown = b"".join(b"[" + sealed(value) + b"]" for value in values)
                pieces.append(name.encode() + shown)
        waiting.append(None)
        waiting.extend(reversed(tree.children))
    data: bytes = sgf_grammar.block_format(pieces)
    return data + b"\n"


def _write_note(node: Any, note: Note) -> None:
    size = node.get_size()
    for name in ("SBKV", "SBKS"):  # another program's; ours come last in every review
        if node.has_property(name):
            node.unset(name)
    node.set_raw("SBKV", f"{100 * note.win_rate:.2f}".encode())
    written = [b"SBKV"]
    if note.margin is not None:
        node.set_raw("SBKS", f"{note.margin:.2f}".encode())
        written.append(b"SBKS")
    taken = _marked(node, size)
    for point, text in note.labels:
        if point != PASS and point not in taken:
            taken.add(point)
            written.append(_add_value(node, "LB", _place(point, size) + b":" + text.encode()))
    triangle = note.triangle
    if triangle is not None and triangle not in (PASS, *taken):
        written.append(_add_value(node, "TR", _place(triangle, size)))
    if note.judgement is not None and not any(map(node.has_property, JUDGEMENTS)):
        node.set_raw(note.judgement, JUDGEMENTS[note.judgement])
        written.append(note.judgement.encode())
    written.append(_add_comment(node, note.comment))
    node.set_raw_list(WRITTEN, written)
    for variation in note.instead:
        _add_variation(node, variation, size)


def _add_value(node: Any, name: str, value: bytes) -> bytes:
    """Add a value to a property and return the entry that records it."""
    # The raw values are used: existing ones may be malformed, and stay unchanged.
    before = node.get_raw_list(name) if node.has_property(name) else []
    node.set_raw_list(name, [*before, value])
    return name.encode() + b":" + value


def _add_comment(node: Any, text: str) -> bytes:
    """Add text after the existing comments of a node, and return the entry that records it."""
    # A node may have one comment only. Some records have two, and most readers then show the first.
    before = node.get_raw_list("C") if node.has_property("C") else []
    raw = sgf_grammar.escape_text(text.encode())
    node.set_raw("C", b"\n\n".join([*before, raw]))
    return comment_entry(raw)


def _add_variation(node: Any, variation: Variation, size: int) -> None:
    # The new variation is the last child. The main line is the first one, and stays it.
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


def _marked(node: Any, size: int) -> set[int]:
    """Return the points that are already marked. Malformed ones are skipped."""
    points: set[int] = set()
    for name in filter(node.has_property, _MARKS):
        for raw in set(node.get_raw_list(name)):
            with suppress(SgfError):
                points.update(stones_of([raw.partition(b":")[0] if name == "LB" else raw], size))
    return points


def _place(point: int, size: int) -> bytes:
    """Return the SGF name of a point; "" for PASS."""
    if point == PASS:
        return b""
    column, row = to_column_row(point)
    # sgfmill counts from 0 and names the row first.
    place: bytes = sgf_properties.serialise_go_point((row - 1, column - 1), size)
    return place
