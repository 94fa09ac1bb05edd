"""Shapes: positions that show them and near misses, in all symmetries and both colors."""

import re
import time
from collections import Counter
from pathlib import Path

import pytest

from engine import BLACK, WHITE, Game, parse_vertex
from engine.explain.kinds import SHAPE_ORDER, Kind
from engine.explain.scene import Scene
from engine.explain.shapes import all_shapes, ideas_of, shapes_of
from engine.explain.words import because
from engine.facts.position_facts import Facts
from engine.go.geometry import PASS, board_points, to_point
from engine.jit import JIT_ENABLED
from tests.diagrams import PLAIN
from tests.symmetries import transform

LINES = Path(__file__).with_name("shapes.txt").read_text(encoding="utf-8").splitlines()
WALLS = ".XXXOOO.."


def cases():
    """Yield the kind, the sign and the board of each case."""
    for line in LINES:
        if line and not line.startswith("#"):
            name, sign, boards = line.split(" ", 2)
            for board in boards.split("|"):
                yield Kind[name.upper()], sign == "+", board


def stones_of(board):
    """Return the size of a case's board, and its letters by point."""
    place, text = board.split(" ", 1)
    size = int(place) if place.isdigit() else 9
    if ":" in text:
        parts = (part.split(":") for part in text.split())
        return size, {parse_vertex(v, size): mark for mark, vs in parts for v in vs.split(",")}
    rows = text.split("/")
    if place == "w":
        rows = [WALLS] * (size - len(rows)) + rows
    low = (size - len(rows)) // 2 if place == "c" else 0
    left = (size - len(rows[0])) // 2 if place in "ce" else 0
    return size, {
        to_point(left + x, low + y): mark
        for y, row in enumerate(reversed(rows), 1)
        for x, mark in enumerate(row, 1)
        if mark != "."
    }


def shapes_in(board, symmetry=0, color=BLACK):
    """Return the kinds of the shapes of a case's move."""
    size, marks = stones_of(board)
    at = {
        mark: [transform(p, size, symmetry) for p, other in marks.items() if other == mark]
        for mark in "XO*!"
    }
    game = Game(size, PLAIN)
    own, others = at["X"], at["O"]
    stones = (own, others) if color == BLACK else (others, own)
    game.setup(*stones, 3 - color if at["!"] else color)
    for point in at["!"]:
        game.play(3 - color, point)
    return {effect.kind for effect in all_shapes(Scene(game, color, at["*"][0]), FACTS)}


FACTS = Facts()
CASES = list(cases())


def test_there_are_cases_of_each_shape():
    counts = Counter((kind, sign) for kind, sign, _ in CASES)
    assert len(CASES) >= 400
    assert {kind for kind, _ in counts} == set(SHAPE_ORDER)
    assert min(counts[kind, sign] for kind in SHAPE_ORDER for sign in (True, False)) >= 5


@pytest.mark.skipif(not JIT_ENABLED, reason="too many readings")
def test_shapes_are_recognized_and_near_misses_are_not():
    wrong = [
        (kind.name, sign, board)
        for kind, sign, board in CASES
        if (kind in shapes_in(board)) != sign
    ]
    assert not wrong


@pytest.mark.skipif(not JIT_ENABLED, reason="too many readings")
def test_a_shape_is_the_same_in_each_symmetry_and_color():
    for place, (kind, sign, board) in enumerate(CASES):
        assert (kind in shapes_in(board, place % 8, WHITE)) == sign, (kind, board)


def game_with(size, black, white, moves=""):
    game = Game(size, PLAIN)
    game.setup(*([parse_vertex(v, size) for v in names.split()] for names in (black, white)), BLACK)
    for vertex in moves.split():
        game.play(game.to_play, parse_vertex(vertex, size))
    return game


def text(game, vertex, find=shapes_of):
    return because(find(Scene(game, game.to_play, parse_vertex(vertex, game.size)), FACTS))


def test_a_move_has_at_most_two_shapes_about_different_stones():
    game = game_with(19, "R10", "Q16")
    assert text(game, "R14") == (
        ", because it approaches the corner at Q16 and makes a base with R10"
    )
    assert shapes_of(Scene(game, BLACK, PASS), FACTS) == []
    assert text(game_with(9, "D5", "E5"), "E6") == ", because it bends around E5 with a hane"
    jump = game_with(9, "E5", "")
    assert text(jump, "E7") == ", because it jumps one space from E5 toward the edge"
    assert text(game_with(19, "D3", ""), "D5") == (
        ", because it closes the corner of D3 with a high enclosure"
    )
    assert text(game_with(19, "F3", ""), "J3") == (
        ", because it extends two spaces along the side from F3"
    )


@pytest.mark.parametrize(
    ("moves", "vertex", "words"),
    [
        ("", "D3", "it takes an empty corner at the 3-4 point"),
        ("", "K3", "it takes a part of the lower side"),
        ("", "K10", "it takes the center"),
        ("", "L8", "it takes a part of the center"),
        ("D4", "F3", "it approaches the corner at D4"),
        ("D4 Q16 Q4 D16 K10", "L11", "it answers Black's K10"),
    ],
)
def test_why_a_move_comes_to_mind(moves, vertex, words):
    assert text(game_with(19, "", "", moves), vertex, ideas_of) == f", because {words}"


def entries():
    """Return the glossary's names of shapes with their pictures."""
    page = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
    entry = r"\*\*([A-Z][a-z ]+)\*\* \(\?\w+\):[^`*]+```text\n([^`]+)```"
    return {Kind[m[1].replace(" ", "_").upper()]: m[2] for m in re.finditer(entry, page)}


@pytest.mark.skipif(not JIT_ENABLED, reason="too many readings")
def test_the_glossary_has_each_shape_with_its_source_and_a_picture_of_it():
    assert set(entries()) == set(SHAPE_ORDER)
    for kind, picture in entries().items():
        place = "c" if "-" not in picture else "k" if "|" in picture else "e"
        width = 13 if "|" in picture else 9
        rows = [row.strip("|") for row in picture.splitlines() if "-" not in row]
        rows = ["." * width] * (width - len(rows)) * (place == "k") + rows
        board = "/".join(row.ljust(width if place == "k" else 0, ".") for row in rows)
        # Endgame moves need a board that is full of stones above them.
        place = "w" if kind in (Kind.FIRST_LINE, Kind.SECOND_LINE) else place
        assert kind in shapes_in(f"{width if place == 'k' else place} {board}"), kind


@pytest.mark.skipif(not JIT_ENABLED, reason="measures the compiled engine")
def test_shapes_of_a_full_board_take_milliseconds():
    size, step = 19, 3
    game = Game(size, PLAIN)
    for point in board_points(size)[::step]:
        game.play(game.to_play, point)
    points = [p for p in board_points(size)[1::step] if game.color_at(p) == 0][:40]
    shapes_of(Scene(game, game.to_play, points[0]), FACTS)
    start = time.process_time()
    for point in points:
        shapes_of(Scene(game, game.to_play, point), FACTS)
    assert time.process_time() - start < 0.02 * len(points)
