"""The course of a game as geometry: curves, marks and bands lie at their values."""

from engine.review.remarks import remarks_of
from engine.review.worth import Level
from gtp.review.graph import LAYOUT, graph_of
from tests.gtp.review.reviewed_game import nine, reviewed_game
from tests.review.examples import left_open


def test_curves_and_marks_stand_where_the_values_are():
    _, review = reviewed_game(nine())
    remarks = remarks_of(review, Level())
    graph = graph_of(review, remarks)
    rates = graph.panels[0]
    points = [tuple(map(float, point.split(","))) for point in rates.line.split()]
    assert [x for x, _ in points] == sorted({x for x, _ in points})
    assert (points[0][0], points[-1][0]) == (LAYOUT.left, LAYOUT.right)
    for (_, y), rate in zip(points, review.win_rates, strict=True):
        assert abs(y - (LAYOUT.rate_bottom - rate * (LAYOUT.rate_bottom - LAYOUT.rate_top))) < 0.1
    for panel in graph.panels:  # along the lower bounds, and back along the upper ones
        low = [float(point.split(",")[1]) for point in panel.band.split()]
        high = [low.pop() for _ in review.leads]
        assert all(below > above for below, above in zip(low, high, strict=True))
    assert {mark.step for mark in rates.marks} == {r.judgement.after for r in remarks}
    for mark in rates.marks:
        assert abs(mark.y - points[mark.step][1]) < 0.1
    assert [number for _, number in graph.numbers] == [0, 5, 10, 15, 20, 25]


def test_marks_are_the_cards_and_no_others():
    _, review = left_open(("E5", "B2", 8.0), ("E4", "B2", 6.0), ("E3", "C2", 6.0))
    remarks = remarks_of(review, Level())
    assert [remark.number for remark in remarks] == [1, 5]
    for panel in graph_of(review, remarks).panels:
        assert sorted(mark.number for mark in panel.marks) == [1, 5]


def test_without_an_interval_there_is_no_band():
    _, review = reviewed_game(nine())
    rates, leads = graph_of(review._replace(win_intervals=()), []).panels
    assert rates.band == ""
    assert leads.band
    assert rates.marks == leads.marks == ()


def test_labels_do_not_overlap_and_the_largest_loss_has_one():
    _, review = reviewed_game(nine(), mistakes=tuple(range(4, 26)))
    remarks = remarks_of(review, Level())
    largest = max(remarks, key=lambda one: one.judgement.loss.points)
    for panel in graph_of(review, remarks).panels:
        labels = [mark.label for mark in panel.marks if mark.label is not None]
        assert next(mark for mark in panel.marks if mark.number == largest.number).label
        for number, (x, y) in enumerate(labels):
            for other_x, other_y in labels[:number]:
                apart = abs(x - other_x) >= LAYOUT.label_width
                assert apart or abs(y - other_y) >= LAYOUT.label_height
