"""Ladders: tables, and the slow twin on random positions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game, Rules, to_column_row, to_point
from engine.go.ladders import is_captured_in_ladder, ladder_work
from engine.jit import JIT_ENABLED
from tests.diagrams import PLAIN, chains_of, random_games, stones_of
from tests.reference.board import ReferenceGame
from tests.reference.ladders import OutOfBudgetError, is_captured

WORK = ladder_work()


def reads_capture(game: Game, goal: int, attacker_moves: bool, budget: int = 10_000) -> bool:
    return bool(is_captured_in_ladder(game.board, goal, attacker_moves, budget, WORK))


@pytest.mark.parametrize("size", [5, 9, 13, 19, 25])
def test_a_ladder_runs_across_the_whole_board(size):
    game = Game(size)
    goal = to_point(3, 3)
    game.setup([to_point(2, 3), to_point(3, 2), to_point(4, 2)], [goal], BLACK)
    before = game.board.copy()
    assert reads_capture(game, goal, True)
    assert not reads_capture(game, goal, False)
    np.testing.assert_array_equal(game.board, before)
    game.edit([], [to_point(size - 1, size - 1)], [])
    assert not reads_capture(game, goal, True)


def test_an_exhausted_budget_claims_nothing():
    game = Game(19)
    goal = to_point(3, 3)
    game.setup([to_point(2, 3), to_point(3, 2), to_point(4, 2)], [goal], BLACK)
    assert not reads_capture(game, goal, True, budget=5)
    assert reads_capture(game, goal, True, budget=500)


def _agree(game: Game) -> int:
    """Compare every chain with few liberties with the twin; return how many were compared."""
    twin = ReferenceGame(game.size)
    twin.stones = stones_of(game)
    compared = 0
    for chain in chains_of(game):
        for attacker_moves in (True, False):
            goal = chain[-1]
            try:
                expected = is_captured(twin, to_column_row(goal), attacker_moves, [300])
            except OutOfBudgetError:
                continue
            assert reads_capture(game, goal, attacker_moves) == expected
            compared += 1
    return compared


@given(random_games(largest=7, rules=Rules("test", "area", "none")))
def test_random_positions_against_the_slow_twin(game):
    position = Game(game.size, PLAIN)  # without a ko, which the twin does not know
    position.setup(game.stones(BLACK), game.stones(WHITE), BLACK)
    _agree(position)


@given(st.integers(4, 9 if JIT_ENABLED else 6), st.floats(0.15, 0.6), st.integers(0, 2**32 - 1))
def test_scattered_stones_against_the_slow_twin(size, density, seed):
    """Sparse random stones make longer ladders than games do."""
    random = np.random.default_rng(seed)
    game = Game(size, PLAIN)
    for column in range(1, size + 1):
        for row in range(1, size + 1):
            color, point = int(random.integers(1, 3)), to_point(column, row)
            if random.random() < density and game.legality(color, point) == 0:
                game.play(color, point)
    position = Game(size, PLAIN)
    position.setup(game.stones(BLACK), game.stones(WHITE), BLACK)
    _agree(position)
