"""Values that lack their closing bracket, and so reach into the next move or game.

``;B[aa]C[good move;W[bb]`` is a comment that ends at the second semicolon. Without the correction
White's move would vanish. A comment that quotes a record looks alike, but more words follow.
"""

import re

# The beginning of a move or game, up to its bracket.
_SWALLOWED = re.compile(rb"(?:;\s*(?P<move>[BW])|\(\s*;\s*(?:GM|FF|SZ|CA|AP))\s*\Z")
_SWALLOWED_BYTES = 40  # that are searched before the bracket
_CONTINUATION = re.compile(rb"\s*(?:[;()]|[A-Z]{1,2}\s*\[|\Z)")


def swallowed_at(value: bytes) -> int | None:
    """Return the place of a move or game at the end of a value, or None."""
    bracket = value.rfind(b"[")
    if bracket < 0:
        return None
    beginning = _SWALLOWED.search(value, max(0, bracket - _SWALLOWED_BYTES), bracket)
    # A quotation has its own closing brackets, escaped.
    quoted = b"\\]" in value[bracket:]
    if beginning is None or quoted or (beginning["move"] and len(value) - bracket > 3):
        return None
    return beginning.start()


def continues(text: bytes, end: int) -> bool:
    """Return whether a record goes on in a text after the end of a value."""
    return _CONTINUATION.match(text, end) is not None


def sealed(value: bytes) -> bytes:
    """Return an equal value that no reader takes for an unclosed one."""
    if swallowed_at(value) is None:
        return value
    head, _, tail = value.rpartition(b"[")
    return head + b"\\[" + tail
