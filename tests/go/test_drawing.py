"""Boards drawn as text and as SVG."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from engine import BLACK, WHITE, Game, parse_vertex
from engine.go.drawing import CELL, board_svg
from engine.go.geometry import AREA, board_points

SVG = "{http://www.w3.org/2000/svg}"


def point(vertex):
    return parse_vertex(vertex, 5)


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


def test_labels_are_readable_on_every_point(game):
    labels = {point("C3"): "a", point("D4"): "b", point("B2"): "<&"}
    image = ElementTree.fromstring(board_svg(game.board, labels=labels))
    inks = {t.text: t.get("fill") for t in image.iter(f"{SVG}text") if t.text in {"a", "b", "<&"}}
    assert inks == {"a": "#fff", "b": "#000", "<&": "#000"}


def test_owners_are_shaded_by_color_and_size(game):
    owners = np.zeros(AREA)
    owners[point("E5")], owners[point("E1")], owners[point("A5")] = 1.0, -0.5, 0.1
    image = ElementTree.fromstring(board_svg(game.board, owners=owners))
    shades = [r for r in image.iter(f"{SVG}rect") if r.get("stroke")]
    assert [(r.get("fill"), r.get("width")) for r in shades] == [
        ("#fff", f"{0.2 * CELL:g}"),
        ("#000", f"{0.4 * CELL:g}"),
    ]


@pytest.mark.parametrize("size", [2, 9, 25])
def test_everything_lies_inside(size):
    game = Game(size)
    for number, where in enumerate(board_points(size)[:: size + 1]):
        game.play((BLACK, WHITE)[number % 2], where)
    image = ElementTree.fromstring(board_svg(game.board, labels={board_points(size)[-1]: "100"}))
    side = (size + 1) * CELL
    assert image.get("viewBox") == f"0 0 {side} {side}"
    for element in image.iter():
        for name in ("cx", "cy", "x", "y"):
            assert 0 <= float(element.get(name, 0)) <= side
