"""A picture of a game: win rate and lead, with the mistakes marked."""

from collections.abc import Sequence
from typing import Any

from engine import BLACK, NINETY_PERCENT, WHITE, format_vertex
from engine.review import LEAD, Remark, Review, with_again
from gtp.fonts import fit_fonts
from gtp.review.labels import Anchor, Box, place_labels
from patterns_db import printable

_STYLES = {
    BLACK: {"color": "black", "marker": "v", "label": "Black's mistakes"},
    WHITE: {"color": "white", "marker": "^", "label": "White's mistakes"},
}
LABELED = 8  # most mistakes that are named in the picture
FONT = 7.0  # of the names and the legend [points]
MARK = 4.0  # half of a mark's side [points]


def draw_review(figure: Any, review: Review, remarks: Sequence[Remark], title: str) -> None:
    """Draw a review into a matplotlib Figure: two curves over the number of the move."""
    numbers = [thought.number for thought in review.thoughts]
    leads = [mean for mean, _ in review.leads]
    rates = [100.0 * rate for rate in review.win_rates]
    top, bottom = figure.subplots(2, 1, sharex=True)
    # Names may contain dollars, which would start a formula, and characters that no page allows.
    figure.suptitle(printable(title), parse_math=False)
    top.plot(numbers, rates, color="tab:blue")
    top.axhline(50, color="gray", linewidth=0.8)
    top.set(ylabel="Black's chance to win [%]", ylim=(0, 100))
    low = [mean - NINETY_PERCENT * deviation for mean, deviation in review.leads]
    high = [mean + NINETY_PERCENT * deviation for mean, deviation in review.leads]
    bottom.fill_between(numbers, low, high, color="tab:blue", alpha=0.15, label="90 % interval")
    seen = [thought.look.seen[LEAD].mean for thought in review.thoughts]
    bottom.plot(numbers, seen, ".", color="gray", markersize=3, label="single searches")
    bottom.plot(numbers, leads, color="tab:blue")
    bottom.axhline(0, color="gray", linewidth=0.8)
    bottom.set(xlabel="move number", ylabel="Black's lead [points]")
    for axes, values in ((top, rates), (bottom, leads)):
        _mark_mistakes(axes, numbers, values, remarks)
        axes.grid(True, alpha=0.4)
    _name_mistakes(figure, top, rates, remarks)
    bottom.legend(loc="best", fontsize=FONT)


def _mark_mistakes(
    axes: Any, numbers: list[int], values: list[float], remarks: Sequence[Remark]
) -> None:
    for color, style in _STYLES.items():
        every = with_again(remarks)
        places = [r.judgement.after for r in every if r.judgement.play.color == color]
        if places:
            axes.scatter(
                [numbers[p] for p in places], [values[p] for p in places],
                edgecolors="black", s=36, zorder=3, **style,
            )  # fmt: skip


def _name_mistakes(figure: Any, axes: Any, values: list[float], remarks: Sequence[Remark]) -> None:
    """Write a name beside the largest mistakes, as many as have room."""
    fit_fonts(figure)
    figure.draw_without_rendering()  # the axes' positions are known only then
    to_points = 72.0 / figure.dpi
    left, low, right, high = (to_points * edge for edge in axes.get_window_extent().extents)
    every = with_again(remarks)
    every.sort(key=lambda one: -one.judgement.size)
    anchors = []
    for one in every:
        play = one.judgement.play
        x, y = to_points * axes.transData.transform((one.number, values[one.judgement.after]))
        name = f"{one.number} {format_vertex(play.point)}"
        anchors.append(Anchor(x, -y, name, play.color == BLACK, MARK))
    # Names must avoid every mark, including unnamed ones.
    places = place_labels(anchors, Box(left, -high, right, -low), 0.7 * FONT, 1.4 * FONT)
    named = 0
    for one, anchor, box in zip(every, anchors, places, strict=True):
        if box is None or named == LABELED:
            continue
        named += 1
        offset = 0.5 * (box.left + box.right) - anchor.x, anchor.y - 0.5 * (box.top + box.bottom)
        axes.annotate(
            anchor.text, (one.number, values[one.judgement.after]), offset,
            textcoords="offset points", ha="center", va="center", fontsize=FONT, parse_math=False,
        )  # fmt: skip
