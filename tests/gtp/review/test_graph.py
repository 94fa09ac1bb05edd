"""The course of a game as geometry: labels have room, curves are where the values are."""

from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, WHITE
from engine.review.remarks import Level, remarks_of
from gtp.review.graph import (
    LEFT,
    LETTER,
    LINE,
    MARK,
    RATE_BOTTOM,
    RATE_TOP,
    RIGHT,
    Box,
    Mark,
    graph_of,
    place_labels,
)
from tests.gtp.review.reviewed_game import nine, reviewed_game

ROOM = Box(LEFT, RATE_TOP, RIGHT, RATE_BOTTOM)
marks = st.lists(
    st.builds(
        lambda number, color, x, y: Mark(number, number, color, True, x, y, ""),
        st.integers(1, 350),
        st.sampled_from([BLACK, WHITE]),
        st.floats(ROOM.left, ROOM.right),
        st.floats(ROOM.top, ROOM.bottom),
    ),
    max_size=30,
)


@given(marks)
def test_labels_overlap_nothing(found):
    placed = place_labels(found, ROOM)
    assert [mark._replace(label=None) for mark in placed] == found
    if found:
        assert placed[0].label is not None or len(found) > 1
    boxes = []
    for mark in placed:
        if mark.label is not None:
            x, base = mark.label
            half = 0.5 * LETTER * len(str(mark.number))
            boxes.append(Box(x - half, base - LINE + 2.0, x + half, base + 1.0))
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:number])
        assert ROOM.left - 1e-9 <= box.left
        assert box.right <= ROOM.right + 1e-9
        for mark in placed:
            edges = mark.x - MARK, mark.y - MARK, mark.x + MARK, mark.y + MARK
            assert not box.overlaps(Box(*edges))


def test_curves_and_marks_stand_where_the_values_are():
    _, review = reviewed_game(nine())
    remarks = remarks_of(review, Level())
    graph = graph_of(review, remarks)
    rates, leads = graph.panels
    points = [tuple(map(float, point.split(","))) for point in rates.line.split()]
    assert [x for x, _ in points] == sorted({x for x, _ in points})
    assert (points[0][0], points[-1][0]) == (LEFT, RIGHT)
    for (_, y), rate in zip(points, review.win_rates, strict=True):
        assert abs(y - (RATE_BOTTOM - rate * (RATE_BOTTOM - RATE_TOP))) < 0.1
    assert not rates.band
    assert len(leads.band.split()) == 2 * len(review.leads)
    assert {mark.step for mark in rates.marks} == {r.judgement.after for r in remarks}
    for mark in rates.marks:
        assert abs(mark.y - points[mark.step][1]) < 0.1
    assert [number for _, number in graph.numbers] == [0, 5, 10, 15, 20, 25]
