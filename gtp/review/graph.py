"""The course of a game as geometry for an SVG: two panels over the moves, with placed labels.

Coordinates are pixels from the upper left corner of a drawing of width x height.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine import BLACK, format_vertex
from engine.review import Remark, Review, describe_loss


class GraphLayout(NamedTuple):
    """The places of a graph [SVG units]."""

    width: int = 480
    height: int = 250
    left: float = 42.0
    right: float = 470.0
    rate_top: float = 20.0
    rate_bottom: float = 106.0
    lead_top: float = 136.0
    lead_bottom: float = 226.0
    # From a mark to the base line of its label, and the room of a label with three digits
    below: float = 15.0
    above: float = 8.0
    label_width: float = 22.0
    label_height: float = 12.0
    several: int = 6  # approximate count of numbers below the axis
    steps: tuple[int, ...] = (1, 2, 5, 10, 20, 50, 100, 200, 500)


LAYOUT = GraphLayout()


class Mark(NamedTuple):
    """A mistake in a panel. ``label`` is the middle of its label's base line; None: no room."""

    step: int
    number: int
    color: int
    x: float
    y: float
    text: str
    label: tuple[float, float] | None = None


class Panel(NamedTuple):
    """One curve."""

    name: str  # the axis's title
    base: float  # y of its base line
    line: str  # points of the curve, in SVG's format
    band: str  # outline of its 90 % interval; empty if there is none
    ticks: tuple[tuple[float, str], ...]  # (y, text)
    marks: tuple[Mark, ...]


class Graph(NamedTuple):
    """The whole drawing.

    left, pace  x of the first position, and pixels from one position to the next
    """

    left: float
    pace: float
    numbers: tuple[tuple[float, int], ...]  # (x, number of a move) below the axis
    panels: tuple[Panel, ...]


class _Axes(NamedTuple):
    """The scale of a panel: the limits at its lower and upper edge, and x of the positions."""

    top: float
    bottom: float
    low: float
    high: float
    pace: float

    def x(self, step: int) -> float:
        return LAYOUT.left + step * self.pace

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.bottom - min(max(share, 0.0), 1.0) * (self.bottom - self.top)

    def points(self, values: Sequence[float]) -> list[str]:
        return [f"{self.x(step):.1f},{self.y(value):.1f}" for step, value in enumerate(values)]


def graph_of(review: Review, remarks: Sequence[Remark]) -> Graph:
    """Return the win rate and the lead during a game, with its mistakes."""
    pace = (LAYOUT.right - LAYOUT.left) / max(len(review.thoughts) - 1, 1)
    rates = [100.0 * rate for rate in review.win_rates]
    leads = [mean for mean, _ in review.leads]
    intervals = [(lead - reach, lead + reach) for lead, reach in review.leads]
    most = max(1.0, *(abs(edge) for interval in intervals for edge in interval))
    tick = next((step for step in LAYOUT.steps if most / step < 3), LAYOUT.steps[-1])
    ticks = [k * tick for k in range(-int(most / tick), int(most / tick) + 1)]
    above = _Axes(LAYOUT.rate_top, LAYOUT.rate_bottom, 0.0, 100.0, pace)
    below = _Axes(LAYOUT.lead_top, LAYOUT.lead_bottom, -most, most, pace)
    panels = (
        Panel(
            name="Black's chance [%]",
            base=LAYOUT.rate_top - 7.0,
            line=" ".join(above.points(rates)),
            band=_band(above, [(100.0 * low, 100.0 * high) for low, high in review.win_intervals]),
            ticks=_ticks(above, (0, 50, 100)),
            marks=_marks(above, rates, remarks),
        ),
        Panel(
            name="Black leads [points]",
            base=LAYOUT.lead_top - 7.0,
            line=" ".join(below.points(leads)),
            band=_band(below, intervals),
            ticks=_ticks(below, ticks),
            marks=_marks(below, leads, remarks),
        ),
    )
    return Graph(LAYOUT.left, pace, _numbers(review, pace), panels)


def _band(axes: _Axes, intervals: Sequence[tuple[float, float]]) -> str:
    low, high = ([interval[side] for interval in intervals] for side in (0, 1))
    return " ".join(axes.points(low) + axes.points(high)[::-1])


def _ticks(axes: _Axes, values: Sequence[int]) -> tuple[tuple[float, str], ...]:
    return tuple((axes.y(value), f"{value}".replace("-", "\u2212")) for value in values)


def _numbers(review: Review, pace: float) -> tuple[tuple[float, int], ...]:
    last = max(review.thoughts[-1].number, 1)
    every = next((step for step in LAYOUT.steps if last / step <= LAYOUT.several), LAYOUT.steps[-1])
    places = {
        thought.number: LAYOUT.left + step * pace for step, thought in enumerate(review.thoughts)
    }
    return tuple((x, number) for number, x in places.items() if number % every == 0)


def _marks(axes: _Axes, values: Sequence[float], remarks: Sequence[Remark]) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    # The largest losses have the first choice of places for their labels.
    for one in sorted(remarks, key=lambda one: -one.judgement.loss.points):
        play, step = one.judgement.play, one.judgement.after
        text = f"move {one.number}, {format_vertex(play.point)}: {describe_loss(one.judgement)}"
        x, y = axes.x(step), axes.y(values[step])
        # Black's losses go down, so that there is room below the curve.
        line = y + LAYOUT.below if play.color == BLACK else y - LAYOUT.above
        line = min(max(line, axes.top + LAYOUT.above), axes.bottom)
        others = (mark.label for mark in marks if mark.label is not None)
        free = all(
            abs(x - other[0]) >= LAYOUT.label_width or abs(line - other[1]) >= LAYOUT.label_height
            for other in others
        )
        mark = Mark(
            step=step, number=one.number, color=play.color, x=x, y=y, text=text,
            label=(x, line) if free else None,
        )  # fmt: skip
        marks.append(mark)
    return tuple(marks)
