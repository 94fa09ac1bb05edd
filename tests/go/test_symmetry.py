"""Symmetries of positions: which ones there are, and which moves they make equal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.go.board import BLACK, WHITE
from engine.go.geometry import PASS, board_points, parse_vertex
from engine.go.history import Game
from engine.go.symmetry import SYMMETRIES, equal_moves, orbit, symmetries_of, transformed
from tests.symmetries import transform


@given(st.integers(2, 19), st.integers(0, 7), st.data())
def test_points_go_where_the_twin_takes_them(size, symmetry, data):
    point = data.draw(st.sampled_from([*board_points(size), PASS]))
    assert transformed(point, size, symmetry) == transform(point, size, symmetry)


@pytest.mark.parametrize(
    ("moves", "count"),
    [([], 8), (["C3"], 8), (["D4"], 2), (["D3"], 2), (["D4", "B2"], 2), (["D4", "B1"], 1)],
)
def test_positions_have_their_symmetries(moves, count):
    game = Game(5)
    for number, vertex in enumerate(moves):
        game.play(BLACK if number % 2 == 0 else WHITE, parse_vertex(vertex, 5))
    found = symmetries_of(game)
    assert len(found) == count
    assert found[0] == 0


def test_an_orbit_has_one_name():
    game = Game(5)
    found = symmetries_of(game)
    corners = [parse_vertex(vertex, 5) for vertex in ("A1", "A5", "E1", "E5")]
    assert len({orbit(point, 5, found) for point in corners}) == 1
    assert len({orbit(point, 5, found) for point in board_points(5)}) == 6
    assert orbit(PASS, 5, found) == PASS
    assert SYMMETRIES == 8


def test_moves_are_equal_where_a_symmetry_swaps_them():
    game = Game(5)
    corner, other = parse_vertex("A1", 5), parse_vertex("E5", 5)
    assert equal_moves(game, corner, other)
    assert not equal_moves(game, corner, PASS)
    assert equal_moves(game, PASS, PASS)
    game.play(BLACK, corner)
    assert not equal_moves(game, parse_vertex("A2", 5), other)
    assert equal_moves(game, parse_vertex("A2", 5), parse_vertex("B1", 5))


def test_a_ko_counts():
    """The stones look the same both ways, and only one side may not be retaken."""
    game = Game(5)
    for color, vertex in [
        (BLACK, "B2"), (WHITE, "C2"), (BLACK, "A3"), (WHITE, "D3"), (BLACK, "B4"), (WHITE, "C4"),
        (WHITE, "B3"), (BLACK, "C3"),
    ]:  # fmt: skip
        game.play(color, parse_vertex(vertex, 5))
    rows = symmetries_of(game)
    assert 2 in rows  # top and bottom
    assert all(transformed(parse_vertex("B3", 5), 5, s) == parse_vertex("B3", 5) for s in rows)
