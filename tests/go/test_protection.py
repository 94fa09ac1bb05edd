"""False eyes that have to be filled at the end, held against a slow twin."""

from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, RULESETS, WHITE, to_column_row
from engine.go.protection import points_to_fill
from engine.go.scoring import area_score, territory_score
from tests.diagrams import game_of, points_marked, random_games, stones_of
from tests.go.test_scoring import some_chains
from tests.reference import protection as twin


@given(random_games(largest=7), st.data())
def test_points_to_fill_are_the_slow_twins(game, data):
    dead = some_chains(game, data)
    seki = some_chains(game, data) - dead
    slow = [{to_column_row(point) for point in stones} for stones in (dead, seki)]
    expected = twin.points_to_fill(stones_of(game), game.size, *slow)
    found = points_to_fill(game.board, dead, seki)
    assert {c: {to_column_row(p) for p in points} for c, points in found.items()} == expected


# What Black has to fill is marked: D2 hangs on it once White has filled D1.
TWO_CHAINS = """
    . X . O .
    X X X O O
    . . X O .
    X X ? X O
    X X X . O"""


def test_a_stone_that_hangs_on_its_eye_is_connected():
    """D2 is in atari when White has filled D1, and one dame is not enough to connect it."""
    game = game_of(TWO_CHAINS.replace("?", "."), BLACK, RULESETS["japanese"])
    assert points_to_fill(game.board)[BLACK] == set(points_marked(TWO_CHAINS, "?"))
    # Of Black's four points one is filled.
    captures = (game.captures(BLACK), game.captures(WHITE))
    filled = points_to_fill(game.board)
    expected = territory_score(game.board, captures) - 1 + len(filled[WHITE])
    assert game.score() == expected


def test_what_is_in_seki_fills_nothing():
    game = game_of(TWO_CHAINS.replace("?", "."))
    in_seki = set(points_marked(TWO_CHAINS, "X"))
    assert points_to_fill(game.board, (), in_seki)[BLACK] == set()


def test_filling_costs_nothing_by_area():
    game = game_of(TWO_CHAINS.replace("?", "."), BLACK, RULESETS["chinese"])
    assert game.score() == area_score(game.board)


def test_two_dame_that_connect_are_enough():
    """Black gets one of D2 and D4, and need not fill C3."""
    diagram = """
        . X . O . .
        X X X O O .
        . . X . O O
        X X . X . O
        . X X . O O
        . X O O O ."""
    game = game_of(diagram, BLACK, RULESETS["japanese"])
    assert points_to_fill(game.board)[BLACK] == set()
