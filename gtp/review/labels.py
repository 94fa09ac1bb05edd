"""Positions of labels next to the marks of a drawing, without overlaps."""

from collections.abc import Sequence
from typing import NamedTuple

ROUNDING = 1e-6


class Box(NamedTuple):
    """A rectangle; y grows downward."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        """Return whether two rectangles share an area."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def holds(self, other: "Box") -> bool:
        """Return whether another rectangle lies within this one, up to rounding."""
        across = self.left - ROUNDING <= other.left and other.right <= self.right + ROUNDING
        return across and self.top <= other.top and other.bottom <= self.bottom


class Anchor(NamedTuple):
    """A mark that needs a label: its middle, half of its side, and the label's side."""

    x: float
    y: float
    text: str
    below: bool
    half: float

    def box(self) -> Box:
        """Return the mark's own rectangle."""
        return Box(self.x - self.half, self.y - self.half, self.x + self.half, self.y + self.half)


def place_labels(
    anchors: Sequence[Anchor], room: Box, letter: float, line: float
) -> list[Box | None]:
    """Return a rectangle for each label, or None without room. Earlier ones have priority.

    A label stands above or below its mark, within the room.
    letter  width of a letter; line: height of a line
    """
    taken = [anchor.box() for anchor in anchors]
    places: list[Box | None] = []
    for anchor in anchors:
        half = 0.5 * letter * len(anchor.text)
        x = min(max(anchor.x, room.left + half), room.right - half)
        below = Box(x - half, anchor.y + anchor.half, x + half, anchor.y + anchor.half + line)
        above = Box(x - half, anchor.y - anchor.half - line, x + half, anchor.y - anchor.half)
        for box in (below, above) if anchor.below else (above, below):
            if room.holds(box) and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                places.append(box)
                break
        else:
            places.append(None)
    return places
