"""Cards: the position after a line, numbered."""

import numpy as np

from engine import BLACK, WHITE, Game, parse_vertex
from engine.go.geometry import AREA, PASS
from gtp.review.cards import diagram_of


def points(*names):
    return [parse_vertex(name, 5) for name in names]


def test_a_line_is_numbered_and_played_out():
    game = Game(5)
    for name in ("A1", "B2", "A2"):
        game.play(name)
    found = diagram_of(game, "better", points("A3", "E5", "B1", "C3"))
    assert found.line == "1 A3, 2 E5, 3 B1, 4 C3"
    assert found.alt == "better; 1 A3, 2 E5, 3 B1, 4 C3"
    # The third move captures both stones in the corner.
    assert found.svg.count('fill="#000" stroke="#000"') == 2
    assert found.svg.count('fill="#fff" stroke="#000"') == 3
    assert game.color_at(points("A1")[0]) == BLACK  # the game itself did not change


def test_a_line_ends_where_the_rules_end_it():
    game = Game(5)
    game.play("C3")
    assert diagram_of(game, "", [*points("C2"), PASS, *points("C3", "C4")]).line == "1 C2, 2 pass"


def test_a_line_may_begin_with_a_move_that_a_record_forces():
    game = Game(5)
    for name in ("B5", "E1", "A4"):
        game.play(name)
    assert diagram_of(game, "", points("A5", "C3", "D2")).line == "1 A5, 2 C3, 3 D2"  # suicide


def test_shades_leave_numbers_readable_and_tell_of_dead_stones_only():
    game = Game(5)
    owners = np.full(AREA, -1.0)
    for name in ("A1", "E5"):  # Black's is dead, White's alive
        game.play(name)
    found = diagram_of(game, "", points("C3", "D4"), owners)
    assert found.svg.count('stroke="#888"') == 25 - 2 - 1
    assert owners.min() == owners.max() == -1.0
    assert game.to_play == BLACK != WHITE
