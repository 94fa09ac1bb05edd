"""The picture of a review: names of mistakes hide neither each other nor a mark."""

from itertools import combinations
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

from matplotlib.text import Annotation

from engine.review.remarks import Level, remarks_of
from gtp.plotting import figure_bytes, new_figure
from gtp.review.plots import LABELED, draw_review
from tests.gtp.review.reviewed_game import nine, reviewed_game


@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_names_do_not_overlap(chance):
    _, review = reviewed_game(nine(), mistakes=range(2, 27))
    review = review._replace(win_rates=[chance] * len(review.win_rates))
    figure = new_figure(Path("a.png"), 10, 6)
    draw_review(figure, review, remarks_of(review, Level()), "\u674e\u660c\u938e against $x^")
    assert figure_bytes(figure, ".png")
    names = figure.findobj(Annotation)
    assert 2 <= len(names) <= LABELED
    boxes = [name.get_window_extent() for name in names]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    frame = figure.axes[0].get_window_extent()
    for box in boxes:
        assert frame.y0 - 1 <= box.y0
        assert box.y1 <= frame.y1 + 1
