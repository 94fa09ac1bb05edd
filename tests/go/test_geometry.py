"""Points, vertices, symmetries and handicap points."""

import pytest

from engine import BadSetup, BadVertex, format_vertex
from engine.go.geometry import (
    AREA,
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    STRIDE,
    board_points,
    fixed_handicap,
    lines_apart,
    max_fixed_handicap,
    parse_vertex,
    to_column_row,
    to_point,
)

SIZES = range(MIN_SIZE, MAX_SIZE + 1)


@pytest.mark.parametrize("size", SIZES)
def test_points_and_vertices_round_trip(size):
    points = board_points(size)
    assert len(set(points)) == size * size
    for point in points:
        assert to_point(*to_column_row(point)) == point
        assert parse_vertex(format_vertex(point), size) == point
        assert parse_vertex(f" {format_vertex(point).lower()} ", size) == point
        # Every neighbor and diagonal lies inside the padded board, and none is point 0 of a stone.
        assert STRIDE < point < AREA - STRIDE - 1


@pytest.mark.parametrize(
    ("text", "size", "point"),
    [
        ("A1", 2, to_point(1, 1)),
        ("H8", 9, to_point(8, 8)),
        ("J9", 9, to_point(9, 9)),  # there is no column I
        ("t19", 19, to_point(19, 19)),
        ("Z25", 25, to_point(25, 25)),
        ("a01", 9, to_point(1, 1)),
        ("PASS", 9, PASS),
        ("pass", 9, PASS),
        ("Pass ", 9, PASS),
    ],
)
def test_vertices_that_mean_a_point(text, size, point):
    assert parse_vertex(text, size) == point


@pytest.mark.parametrize(
    "text",
    ["", " ", "I5", "A0", "A10", "K1", "5A", "AA", "A", "A-1", "A1.0", "A 1", "A1 B2", "resign"]  # noqa: RUF005
    + ["A\u0661", "\u00c41", "A" * 1000, "A99999999999", "pas", "A+1", "A1_0", "\x00"],
)
def test_texts_that_are_no_vertex_of_a_9x9_board(text):
    with pytest.raises(BadVertex) as caught:
        parse_vertex(text, 9)
    assert len(str(caught.value)) < 80
    assert "\n" not in str(caught.value)


def test_pass_is_formatted_as_gtp_wants_it():
    assert format_vertex(PASS) == "pass"


# The table of the GTP 2 draft, section 4.1.1, as vertices in the draft's order.
@pytest.mark.parametrize(
    ("size", "stones", "vertices"),
    [
        (19, 2, "D4 Q16"),
        (19, 3, "D4 Q16 D16"),
        (19, 4, "D4 Q16 D16 Q4"),
        (19, 5, "D4 Q16 D16 Q4 K10"),
        (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
        (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
        (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
        (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        (13, 5, "D4 K10 D10 K4 G7"),
        (9, 2, "C3 G7"),
        (9, 9, "C3 G7 C7 G3 C5 G5 E3 E7 E5"),
        (7, 4, "C3 E5 C5 E3"),
        (8, 2, "C3 F6"),
        (12, 4, "C3 K10 C10 K3"),
        (14, 4, "D4 L11 D11 L4"),
        (25, 5, "D4 W22 D22 W4 N13"),
    ],
)
def test_fixed_handicap_table(size, stones, vertices):
    assert [format_vertex(p) for p in fixed_handicap(size, stones)] == vertices.split()


@pytest.mark.parametrize("size", SIZES)
def test_fixed_handicap_counts(size):
    most = max_fixed_handicap(size)
    assert most == (0 if size < 7 else 4 if size == 7 or size % 2 == 0 else 9)
    for stones in range(2, most + 1):
        points = fixed_handicap(size, stones)
        assert len(set(points)) == stones
        assert set(points) <= set(board_points(size))
    for stones in (-1, 0, 1, most + 1, 100):
        with pytest.raises(BadSetup):
            fixed_handicap(size, stones)


@pytest.mark.parametrize(
    ("one", "other", "lines"),
    [("D4", "D4", 0), ("D4", "E5", 1), ("D4", "G5", 3), ("D4", "C8", 4), ("H1", "J1", 1)],
)
def test_lines_apart(one, other, lines):
    first, second = parse_vertex(one, 9), parse_vertex(other, 9)
    assert lines_apart(first, second) == lines_apart(second, first) == lines
