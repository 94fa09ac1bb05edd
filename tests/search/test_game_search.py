"""A search that follows a game: the meaning of a second pass."""

import pytest

from engine import BLACK, WHITE
from engine.arrays import ROOT
from engine.go.geometry import PASS
from engine.search.game_search import GameSearch
from engine.search.knowledge import Knowledge
from engine.search.searcher import Searcher
from tests.diagrams import game_of
from tests.search.growing import NO_PATTERNS, NO_POLICY, UNIFORM

# Few points are empty: a pass is among the searched moves.
LATE = """
    . X X O
    X X O O
    X O O .
    X O . O"""


def all_moves(game, color):
    return frozenset([*game.legal_points(color), PASS])


@pytest.mark.parametrize(("pass_ends", "passes"), [(True, 1), (False, 0)])
def test_a_second_pass_ends_the_game_or_does_not(pass_ends, passes):
    game = game_of(LATE, WHITE, komi=0.5)
    search = GameSearch(lambda: Searcher(UNIFORM, Knowledge(NO_POLICY, NO_PATTERNS), 1, 1 << 20, 5))
    searcher = search.enter(game, WHITE, all_moves(game, WHITE))
    searcher.run(200, None)
    game.play(WHITE, PASS)
    again = search.enter(game, BLACK, all_moves(game, BLACK), pass_ends=pass_ends)
    assert again is searcher
    assert searcher._root.position.passes == passes
    # In the kept tree, the game has ended with a pass of Black's.
    assert (searcher._tree.visits[ROOT] > 0) == pass_ends
    searcher.run(100, None)
    after = searcher.report().playouts
    search.enter(game, BLACK, all_moves(game, BLACK), pass_ends=pass_ends)
    assert searcher.report().playouts == after  # the same position: nothing is discarded
