"""False eyes that have to be filled at the end, compared with a slow twin."""

from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, RULESETS, WHITE, to_column_row
from engine.go.protection import points_to_fill
from engine.go.scoring import area_score, point_owners, territory_score
from tests.diagrams import game_of, points_marked, random_games, stones_of
from tests.go.test_scoring import some_chains
from tests.reference import protection as twin


@given(random_games(largest=7), st.data())
def test_points_to_fill_are_the_slow_twins(game, data):
    dead = some_chains(game, data)
    seki = some_chains(game, data) - dead
    slow = [{to_column_row(point) for point in stones} for stones in (dead, seki)]
    expected = twin.points_to_fill(stones_of(game), game.size, *slow)
    found = points_to_fill(game.board, point_owners(game.board, dead), dead, seki)
    assert {c: {to_column_row(p) for p in points} for c, points in found.items()} == expected


# Black has to fill the marked points: D2 hangs on it once White has filled E2.
TWO_CHAINS = """
    . X . O . .
    X X X O O .
    . . X . O .
    . . X O O .
    X X ? X . O
    X X X O O O"""


def test_a_stone_that_hangs_on_its_eye_is_connected():
    game = game_of(TWO_CHAINS.replace("?", "."), BLACK, RULESETS["japanese"])
    owners = point_owners(game.board)
    filled = points_to_fill(game.board, owners)
    assert filled[BLACK] == set(points_marked(TWO_CHAINS, "?"))
    # One point of Black's territory is filled.
    captures = (game.captures(BLACK), game.captures(WHITE))
    expected = territory_score(game.board, owners, captures) - 1 + len(filled[WHITE])
    assert game.score() == expected


def test_a_dame_that_connects_is_enough():
    """White passed and left D1, which connects D2 with C1."""
    diagram = """
        . X . O .
        X X X O O
        . . X O .
        X X . X O
        X X X . O"""
    board = game_of(diagram).board
    assert points_to_fill(board, point_owners(board))[BLACK] == set()


def test_a_dame_that_leaves_two_chains_in_atari_is_not_enough():
    """With B3 the chains of B4 and C3 are one, and C4 is still its only liberty."""
    diagram = """
        . O . X . .
        O O X X X X
        O X ? X O O
        O . X O O .
        O O O O . .
        . . . . . ."""
    game = game_of(diagram.replace("?", "."))
    assert points_to_fill(game.board, point_owners(game.board))[BLACK] == set(
        points_marked(diagram, "?")
    )


def test_filling_costs_nothing_by_area():
    game = game_of(TWO_CHAINS.replace("?", "."), BLACK, RULESETS["chinese"])
    assert game.score() == area_score(game.board)
