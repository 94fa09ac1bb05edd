"""Connected components and distances, compared with their slow twins."""

from hypothesis import given
from hypothesis import strategies as st

from engine.go.components import components, distances
from engine.go.geometry import to_column_row, to_point
from tests.reference import components as twin

SIZE = 5
BOARD = [to_point(column, row) for row in range(SIZE) for column in range(SIZE)]
POINTS = st.sets(st.sampled_from(BOARD))


def places(points):
    return [to_column_row(point) for point in points]


@given(POINTS)
def test_neighbors_are_in_one_component(points):
    found = components(points)
    assert [part[0] for part in found] == sorted(min(part) for part in found)
    assert sorted(point for part in found for point in part) == sorted(points)
    assert {frozenset(places(part)) for part in found} == twin.components(
        places(points), twin.touch
    )


@given(POINTS)
def test_nearness_may_be_anything_symmetric(points):
    def near(point):
        column = to_column_row(point)[0]
        return [p for p in BOARD if to_column_row(p)[0] == column and p != point]

    columns = {column for column, _ in places(points)}
    assert len(components(points, near)) == len(columns)
    same = {frozenset(places(part)) for part in components(points, near)}
    assert same == twin.components(places(points), lambda one, other: one[0] == other[0])


@given(POINTS, POINTS, st.integers(0, 2 * SIZE))
def test_distances_are_counted_steps(starts, enterable, most):
    found = distances(starts, enterable.__contains__, most)
    expected = twin.distances(places(starts), places(enterable), most)
    assert dict(zip(places(found), found.values(), strict=True)) == expected
