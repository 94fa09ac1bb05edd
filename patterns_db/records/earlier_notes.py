"""Removal of an earlier review's notes from a record.

Every node that ``annotations`` changes gets the private property YOMI. It lists the additions:
"LB:dd:A" is a value of a property, "SBKV" a whole property, and "C:1a2b3c4d ..." the checksums
(CRC-32) of the lines of a comment. Nothing else is removed, even if a person has since written
between those lines or added moves after a variation.
"""

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from sgfmill import sgf_grammar

WRITTEN = "YOMI"
_MOVES = ("B", "W")
_NOTES = ("SBKV", "SBKS", "LB", "TR", "BM", "DO", "TE", "IT")  # an editor may have changed YOMI


def comment_entry(raw: bytes) -> bytes:
    """Return the entry for the lines of a comment in escaped SGF text, without empty ones."""
    lines = filter(bytes.strip, raw.split(b"\n"))
    return b"C:" + b" ".join(b"%08x" % _checksum(line) for line in lines)


def erase_notes(nodes: Sequence[Any]) -> None:
    """Remove an earlier review's notes from sgfmill's nodes of a main line.

    Added variations are removed as well, unless a person has added something to them.
    """
    for node in nodes:
        _erase(node)
        # The first child belongs to the main line, even if a person added it.
        for child in list(node)[1:]:
            _erase_variation(child)


def _erase(node: Any) -> bool:
    """Remove the additions to one node, except its move. Return whether the move was added."""
    if not node.has_property(WRITTEN):
        return False
    added: dict[str, list[bytes]] = {}
    for entry in node.get_raw_list(WRITTEN):
        name, _, value = entry.partition(b":")
        added.setdefault(name.decode("latin-1"), []).append(value)
    for key in added.keys() & _NOTES:
        gone = {*added[key]}
        # An entry without a value means the whole property.
        _keep(node, key, [raw for raw in _values(node, key) if b"" not in gone and raw not in gone])
    if "C" in added:
        _erase_lines(node, b" ".join(added["C"]).split())
    node.unset(WRITTEN)
    return not added.keys().isdisjoint(_MOVES)


def _erase_variation(first: Any) -> None:
    """Remove the additions to a variation, and its nodes without other children."""
    nodes = [first]
    for node in nodes:  # it grows to all nodes below the first, parents before their children
        nodes.extend(node)
    for node in reversed(nodes):
        ours = _erase(node)
        if ours and len(node) == 0 and all(name in _MOVES for name in node.properties()):
            node.delete()


def _erase_lines(node: Any, checksums: Iterable[bytes]) -> None:
    """Remove the lines with the given checksums from a node's comment, the last ones first."""
    wanted = Counter(checksums)
    comments = []
    for raw in _values(node, "C"):
        others: list[bytes] = []
        erased = False
        for line in reversed(raw.split(b"\n")):
            checksum = b"%08x" % _checksum(line)
            if wanted[checksum] > 0:
                wanted[checksum] -= 1
                erased = True
            # The empty line before our text, and before each part of it, was added with it.
            elif erased and not line.strip():
                erased = False
            else:
                erased = False
                others.append(line)
        comment = b"\n".join(reversed(others))
        # A person may have ended a line before ours by a backslash. Then nothing can be cut there.
        if not sgf_grammar.is_valid_property_value(comment):
            comments.append(raw)
        elif others:
            comments.append(comment)
    _keep(node, "C", comments)


def _values(node: Any, name: str) -> list[bytes]:
    return list(node.get_raw_list(name)) if node.has_property(name) else []


def _keep(node: Any, name: str, values: Iterable[bytes]) -> None:
    """Reduce a property to the given values. Without any, remove it."""
    values = list(values)
    if values:
        node.set_raw_list(name, values)
    elif node.has_property(name):
        node.unset(name)


def _checksum(line: bytes) -> int:
    # The checksum is that of the text, not of its bytes: an editor may escape other characters, or
    # end lines by CR LF.
    return zlib.crc32(sgf_grammar.text_value(line).strip())
