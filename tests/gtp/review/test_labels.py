"""Labels beside marks: they hide nothing, and the first ones are placed where possible."""

from hypothesis import given
from hypothesis import strategies as st

from gtp.review.labels import Anchor, Box, place_labels

ROOM = Box(0.0, 0.0, 300.0, 100.0)
LETTER, LINE = 6.0, 12.0
anchors = st.lists(
    st.builds(
        Anchor,
        st.floats(ROOM.left, ROOM.right),
        st.floats(ROOM.top, ROOM.bottom),
        st.integers(1, 350).map(str),
        st.booleans(),
        st.just(5.0),
    ),
    max_size=30,
)


@given(anchors)
def test_labels_overlap_nothing(found):
    places = place_labels(found, ROOM, LETTER, LINE)
    boxes = [box for box in places if box is not None]
    for number, box in enumerate(boxes):
        assert ROOM.holds(box)
        assert not any(box.overlaps(other) for other in boxes[:number])
        assert not any(box.overlaps(anchor.box()) for anchor in found)


@given(anchors)
def test_a_label_touches_its_mark(found):
    places = place_labels(found, ROOM, LETTER, LINE)
    if len(found) == 1:
        assert places[0] is not None
    for anchor, box in zip(found, places, strict=True):
        if box is not None:
            assert abs(box.right - box.left - LETTER * len(anchor.text)) < 1e-6
            assert min(abs(box.top - anchor.y), abs(box.bottom - anchor.y)) <= 5.0 + 1e-9
