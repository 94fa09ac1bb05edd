"""A search that follows a game: the meaning of a second pass."""

from dataclasses import replace

import pytest

from engine import BLACK, RULESETS, WHITE, Game
from engine.arrays import ROOT
from engine.belief.game_search import GameSearch
from engine.go.geometry import PASS
from tests.belief.test_searcher import searcher_of
from tests.diagrams import game_of

# Few points are empty: a pass is among the searched moves.
LATE = """
    . X X O
    X X O O
    X O O .
    X O . O"""


def with_capturing(wanted):
    return replace(RULESETS["chinese"], capture_dead=wanted)


def all_moves(game, color):
    return frozenset([*game.legal_points(color), PASS])


@pytest.mark.parametrize("stands", [True, False])
def test_two_passes_end_the_game_one_way_or_another(stands):
    game = game_of(LATE, WHITE, with_capturing(True), komi=0.5)
    search = GameSearch(searcher_of)
    searcher = search.enter(game, WHITE, all_moves(game, WHITE))
    searcher.run(200, None)
    game.play(WHITE, PASS)
    game.rules = with_capturing(stands)
    again = search.enter(game, BLACK, all_moves(game, BLACK))
    assert again is searcher
    assert searcher._root.position.passes == 1
    # In the kept tree, all stones are alive after a pass of Black's.
    assert (searcher._tree.visits[ROOT] > 0) == stands
    searcher.run(100, None)
    after = searcher.report().playouts
    search.enter(game, BLACK, all_moves(game, BLACK))
    assert searcher.report().playouts == after  # the same position: nothing is discarded
    game.play(BLACK, PASS)
    search.enter(game, WHITE, all_moves(game, WHITE))
    assert searcher.report().playouts == 1  # the game goes on: its end is forgotten


@pytest.mark.parametrize(("stands", "margin"), [(True, -2.5), (False, 0.5)])
def test_dead_stones_are_taken_after_two_passes_unless_all_stones_stand(stands, margin):
    """White's stone in the corner is dead. If it counts, the eye beside it is nobody's."""
    diagram = "X O X O .\nX . X O O\nX X X O .\nX . X O O\nX X X O ."
    game = game_of(diagram, BLACK, with_capturing(stands), komi=4.5)
    game.play(BLACK, PASS)
    search = GameSearch(searcher_of)
    searcher = search.enter(game, WHITE, frozenset({PASS}))
    searcher.run(20, None)
    (move,) = searcher.report().moves
    assert move.won_by == -margin


def test_a_pass_that_changes_which_margins_win_starts_from_nothing():
    """By territory a pass costs no point, so the stones that both sides will place change."""
    game = game_of(LATE, WHITE, RULESETS["japanese"], komi=0.5)
    search = GameSearch(searcher_of)
    searcher = search.enter(game, WHITE, all_moves(game, WHITE))
    searcher.run(200, None)
    game.play(WHITE, PASS)
    search.enter(game, BLACK, all_moves(game, BLACK))
    assert searcher._tree.visits[ROOT] == 0


def test_the_posterior_knows_the_handicap():
    game = Game(4)
    game.place_handicap([game.legal_points(BLACK)[at] for at in (5, 10)])
    search = GameSearch(searcher_of)
    searcher = search.enter(game, WHITE, all_moves(game, WHITE))
    searcher.run(1, None)
    assert searcher.report().evidence.handicap == 2
