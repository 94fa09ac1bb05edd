"""Area and territory scores against the slow twin, tables, and rule sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, RULESETS, WHITE, Game, Rules, board_points, to_column_row
from engine.go.geometry import AREA, fixed_handicap
from engine.go.scoring import NEUTRAL, area_score, own_points, point_owners, territory_score
from tests.diagrams import PLAIN, chains_of, game_of, random_games, stones_of
from tests.reference import scoring as twin

TERRITORY = Rules("test", "territory", "none")


def some_chains(game: Game, data: st.DataObject) -> set[int]:
    """Return the stones of a few random chains."""
    chains = chains_of(game)
    if not chains:
        return set()
    chosen = data.draw(st.lists(st.sampled_from(chains), max_size=4, unique_by=tuple))
    return {point for chain in chosen for point in chain}


@given(random_games(), st.data())
def test_scores_against_the_slow_twin(game, data):
    stones, size = stones_of(game), game.size
    dead, seki = some_chains(game, data), some_chains(game, data)
    seki -= dead
    slow_dead = {to_column_row(p) for p in dead}
    slow_seki = {to_column_row(p) for p in seki}
    captures = (game.captures(BLACK), game.captures(WHITE))
    owners = point_owners(game.board, dead)
    assert area_score(game.board, dead) == twin.area_score(stones, size, slow_dead)
    assert territory_score(game.board, owners, captures, dead, seki) == twin.territory_score(
        stones, size, captures, slow_dead, slow_seki
    )


@given(random_games())
def test_owners_cover_the_board_and_nothing_else(game):
    owners = point_owners(game.board)
    on_board = board_points(game.size)
    assert {int(owners[p]) for p in on_board} <= {BLACK, WHITE, NEUTRAL}
    assert int(owners.sum()) == sum(int(owners[p]) for p in on_board)
    for color in (BLACK, WHITE):
        assert all(owners[p] == color for p in game.stones(color))


@pytest.mark.parametrize(
    ("name", "handicap", "compensation"),
    [
        ("chinese", 0, 0),
        ("chinese", 2, 2),
        ("chinese", 9, 9),
        ("aga", 2, 1),
        ("aga", 9, 8),
        ("japanese", 4, 0),
        ("tromp-taylor", 4, 0),
        ("new-zealand", 4, 0),
    ],
)
def test_handicap_compensation(name, handicap, compensation):
    game = Game(19, RULESETS[name], 0.5)
    if handicap:
        game.place_handicap(fixed_handicap(19, handicap))
    board_alone = 361 if game.rules.scoring == "area" else 361 - handicap
    if handicap == 0:
        board_alone = 0
    assert game.score() == board_alone - 0.5 - compensation


def test_prisoners_count_for_territory_only():
    game = Game(3, TERRITORY, 0.5)
    game.setup([], [], BLACK)
    for vertex, color in (((1, 1), BLACK), ((1, 2), WHITE), ((3, 3), BLACK), ((2, 1), WHITE)):
        game.play(color, vertex[1] * 26 + vertex[0])
    assert game.captures(WHITE) == 1
    # The prisoner and komi; the corner has to be filled once Black has taken the dame.
    assert game.score() == -1 - 0.5
    game.rules = PLAIN
    assert game.score() == 1 - 3 - 0.5


def test_the_kernel_is_reused_with_dirty_buffers():
    game = game_of("..X\n.XO\nXO.")
    owner = np.full(AREA, 7, np.uint8)
    stack = np.full(AREA, 5, np.int64)
    own_points(game.board, np.zeros(AREA, np.uint8), owner, stack)
    assert [int(owner[p]) for p in board_points(3)] == [1, 2, 2, 1, 1, 2, 1, 1, 1]
