"""Boards drawn as text and as SVG."""

import xml.etree.ElementTree as ElementTree

import pytest

from engine import BLACK, WHITE, Game
from engine.go.drawing import CELL, board_svg
from engine.go.geometry import board_points

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def game():
    game = Game(5)
    for vertex in ("C3", "D4", "A1"):
        game.play(vertex)
    return game


def places(image, fill):
    """Return the places of the stones of a fill, as (x, y) in cells from the upper left corner."""
    found = set()
    for circle in image.iter(f"{SVG}circle"):
        if circle.get("fill") == fill and circle.get("stroke") == "#000":
            found.add((int(circle.get("cx")) // CELL, int(circle.get("cy")) // CELL))
    return found


def test_stones_stand_where_they_were_played(game):
    image = ElementTree.fromstring(board_svg(game.board))
    assert places(image, "#000") == {(3, 3), (1, 5)}
    assert places(image, "#fff") == {(4, 2)}


def test_the_last_move_has_a_ring(game):
    image = ElementTree.fromstring(game._repr_svg_())
    rings = [c for c in image.iter(f"{SVG}circle") if c.get("fill") == "none"]
    assert [(ring.get("cx"), ring.get("stroke")) for ring in rings] == [(str(CELL), "#fff")]
    game.play("pass")
    assert 'fill="none" stroke="#fff"' not in game._repr_svg_()


def test_coordinates_stand_on_all_four_sides(game):
    texts = [t.text for t in ElementTree.fromstring(board_svg(game.board)).iter(f"{SVG}text")]
    assert sorted(texts) == sorted([*"ABCDE", *"12345"] * 2)


@pytest.mark.parametrize("size", [2, 9, 25])
def test_everything_lies_inside(size):
    game = Game(size)
    for number, where in enumerate(board_points(size)[:: size + 1]):
        game.play((BLACK, WHITE)[number % 2], where)
    image = ElementTree.fromstring(board_svg(game.board))
    side = (size + 1) * CELL
    assert image.get("viewBox") == f"0 0 {side} {side}"
    for element in image.iter():
        for name in ("cx", "cy", "x", "y"):
            assert 0 <= float(element.get(name, 0)) <= side
