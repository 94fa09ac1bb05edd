"""Notes written into a game record, in properties that Sabaki and other editors show.

SBKV and SBKS are Sabaki's: win rate in percent and lead in points, both Black's; it draws its
graph from them. LB and TR mark points, BM, DO, TE and IT a move (bad, doubtful, tesuji,
interesting). Whatever the record had before stays; lines that are added come last.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine import BLACK
from engine.go.geometry import PASS, to_column_row
from patterns_db.records import MainLine

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
    for node, note in zip(line.file.get_main_sequence(), notes, strict=True):
        if note is not None:
            _write_note(node, note)
    data: bytes = line.file.serialise()
    return data


def _write_note(node: Any, note: Note) -> None:
    node.set_raw("SBKV", f"{100 * note.win_rate:.2f}".encode())
    if note.margin is not None:
        node.set_raw("SBKS", f"{note.margin:.2f}".encode())
    taken = _marked(node)
    labels = [(_place(p), text) for p, text in note.labels if p != PASS]
    labels = [(place, text) for place, text in labels if place not in taken]
    # set() replaces a property, so what the record had comes first.
    if labels:
        before = node.get("LB") if node.has_property("LB") else []
        node.set("LB", [*before, *labels])
        taken |= {place for place, _ in labels}
    if note.triangle not in (None, PASS) and _place(note.triangle) not in taken:
        before = node.get("TR") if node.has_property("TR") else set()
        node.set("TR", {*before, _place(note.triangle)})
    if note.judgement is not None and not any(map(node.has_property, JUDGEMENTS)):
        node.set_raw(note.judgement, JUDGEMENTS[note.judgement])
    node.add_comment_text(note.comment)
    for variation in note.instead:
        _add_variation(node, variation)


def _add_variation(node: Any, variation: Variation) -> None:
    # The last child: the main line is the first one, and stays it.
    letters = "bw" if variation.color == BLACK else "wb"
    end = node
    for number, point in enumerate(variation.points):
        end = end.new_child()
        end.set_move(letters[number % 2], None if point == PASS else _place(point))
        if number == 0:
            end.add_comment_text(variation.comment)


def _marked(node: Any) -> set[tuple[int, int]]:
    """Return sgfmill's (row, column) of the points that carry a mark already."""
    found: set[tuple[int, int]] = set()
    for name in _MARKS:
        if node.has_property(name):
            values = node.get(name)
            found |= {place for place, _ in values} if name == "LB" else set(values)
    return found


def _place(point: int) -> tuple[int, int]:
    # sgfmill counts from 0 and names the row first.
    column, row = to_column_row(point)
    return row - 1, column - 1
