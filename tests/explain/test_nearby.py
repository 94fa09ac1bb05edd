"""Effects on the stones beside a move, and why a move comes to mind."""

import pytest

from engine import BLACK, WHITE, Game, format_vertex, parse_vertex
from engine.explain.kinds import Kind
from engine.explain.nearby import idea_of, nearby_effects
from engine.explain.words import clause
from tests.diagrams import game_of

ATARI = """
    . . . . . . .
    . X X X . O .
    X O O O . O .
    . X X X . O .
    . . . . . . .
    . X . X . . .
    . . . . . . ."""
KO = """
    . X O . .
    X O . O .
    . X O . .
    . . . . .
    . . . . ."""


def kinds(game, color, vertex):
    found = nearby_effects(game, color, parse_vertex(vertex, game.size))
    return [effect.kind for effect in found]


@pytest.mark.parametrize(
    ("color", "vertex", "expected"),
    [
        (BLACK, "E5", [Kind.CAPTURES]),
        (WHITE, "E5", [Kind.RESCUES]),
        (BLACK, "C2", [Kind.CONNECTS]),
        (WHITE, "C2", [Kind.SEPARATES]),
        (BLACK, "G1", []),
    ],
)
def test_what_a_move_does_beside_it(color, vertex, expected):
    assert kinds(game_of(ATARI, color), color, vertex) == expected


def test_a_ko_is_taken():
    assert kinds(game_of(KO), BLACK, "C4") == [Kind.TAKES_KO]


def test_atari_and_double_atari():
    game = game_of("""
        . . . . .
        . X O . .
        X O . O X
        . . X X .
        . . . . .""")
    assert kinds(game, BLACK, "C3") == [Kind.DOUBLE_ATARI, Kind.SEPARATES]
    game = game_of("""
        . . . . .
        . X O . .
        . . . . .
        . . . . .
        . . . . .""")
    assert Kind.ATARI not in kinds(game, BLACK, "D4")
    # Chains that share another liberty are neither connected nor cut.
    diagonal = game_of("""
        . . . .
        . X . .
        . . X .
        . . . .""")
    assert kinds(diagonal, BLACK, "C3") == kinds(diagonal, WHITE, "C3") == []


@pytest.mark.parametrize(
    ("moves", "vertex", "words"),
    [
        ((), "C3", "C3 takes the lower left corner"),
        ((), "K3", "K3 takes the lower side"),
        ((), "K10", "K10 takes the center"),
        (("D4",), "F3", "F3 answers Black's D4"),
        (("D4", "Q16"), "Q14", "Q14 answers White's Q16"),
        (("D4", "Q16", "Q4", "D16"), "G3", "G3 extends from the stone at D4"),
        (("D4", "Q16", "Q4", "D16", "K10"), "L10", "L10 answers Black's K10"),
        (("D16", "Q16", "Q4", "D4"), "J3", "J3 comes near the stone at D4"),
        (("D16", "Q16", "Q4", "D4"), "E4", "E4 touches the stone at D4"),
    ],
)
def test_why_a_move_comes_to_mind(moves, vertex, words):
    game = Game(19)
    for move in moves:
        game.play(game.to_play, parse_vertex(move, 19))
    if moves == ("D16", "Q16", "Q4", "D4"):  # the last move was elsewhere
        game.play(BLACK, parse_vertex("S19", 19))
        game.play(WHITE, parse_vertex("A19", 19))
    point = parse_vertex(vertex, 19)
    idea = idea_of(game, game.to_play, point)
    assert clause(idea) == words
    assert clause(idea, "it").startswith("it ")
    assert format_vertex(idea.moves[0]) == vertex


EYE = """
    . . X O . .
    X X X O O O
    . . . . . .
    . . . . . .
    . . . . . .
    . . . . . ."""


def test_eyes_are_made_and_taken():
    game = game_of(EYE)
    (made,) = nearby_effects(game, BLACK, parse_vertex("A6", 6))
    assert clause(made, "it") == "it makes an eye at B6"
    assert [e.kind for e in nearby_effects(game, BLACK, parse_vertex("A3", 6))] == []
    gap = game_of("""
        . . . O . .
        X X X O O O
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .""")
    made = nearby_effects(gap, BLACK, parse_vertex("B6", 6))
    assert Kind.MAKES_EYE in [effect.kind for effect in made]
    taken = nearby_effects(gap, WHITE, parse_vertex("B6", 6))
    assert Kind.TAKES_EYE in [effect.kind for effect in taken]
