"""Flat Monte-Carlo: the sharing rule recomputed in Python, tallies, good moves found."""

import math

import numpy as np
import pytest

from engine import BLACK, WHITE, Game, to_point
from engine.go.board import BOARD_CELLS, place
from engine.go.geometry import AREA, PASS
from engine.jit import JIT_ENABLED
from engine.rollout.flat import EXPLORATION, flat_tally, sample_moves
from engine.rollout.uniform import area_margin, roll_out
from tests.diagrams import game_of

RACE = """
    . O . X .
    O O X X .
    X X O O O
    . X O . O
    . X O O ."""


def slow_sample(game: Game, color: int, komi: float, rollouts: int, tally) -> None:
    """Do what ``sample_moves`` does, with Python arithmetic for the choice (UCB1)."""
    for total in range(rollouts):
        visits, wins = tally.visits, tally.wins
        fresh = [i for i in range(len(visits)) if visits[i] == 0]
        if fresh:
            best = fresh[0]
        else:
            log_total = math.log(total + 1)
            index = [
                wins[i] / visits[i] + EXPLORATION * math.sqrt(log_total / visits[i])
                for i in range(len(visits))
            ]
            best = index.index(max(index))
        board = game.board.copy()
        if tally.points[best] != PASS:
            place(board, tally.points[best], color)
        limit = 3 * game.size * game.size
        roll_out(board, 3 - color, tally.rng, np.zeros(AREA, np.uint8), limit)
        margin = int(area_margin(board)) - komi
        gain = margin if color == BLACK else -margin
        wins[best] += 1.0 if gain > 0 else 0.5 if gain == 0 else 0.0
        visits[best] += 1
        tally.margins[best] += margin


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("komi", [0.0, 0.5, 7.0])
def test_samples_are_those_of_the_slow_rule(color, komi):
    game = game_of(RACE)
    points = [*game.legal_points(color), PASS]
    count = 150 if JIT_ENABLED else 25
    fast, slow = flat_tally(points, 1, 2), flat_tally(points, 1, 2)
    sample_moves(game.board, color, komi, count // 2, fast)
    sample_moves(game.board, color, komi, count - count // 2, fast)
    slow_sample(game, color, komi, count, slow)
    np.testing.assert_array_equal(fast.visits, slow.visits)
    np.testing.assert_array_equal(fast.wins, slow.wins)
    np.testing.assert_array_equal(fast.margins, slow.margins)
    assert fast.rng[0] == slow.rng[0]
    assert fast.visits.sum() == count


def test_entropy_decides_the_random_numbers():
    states = {int(flat_tally([1], *entropy).rng[0]) for entropy in [(1,), (2,), (1, 1), (1, 2)]}
    assert len(states) == 4
    assert flat_tally([1], 3, 4).rng[0] == flat_tally([1], 3, 4).rng[0]
    assert all(state % 2 == 1 for state in states)


def test_the_board_is_only_read():
    game = game_of(RACE)
    before = game.board.copy()
    tally = flat_tally(game.legal_points(BLACK), 9)
    sample_moves(game.board, BLACK, 0.0, 10, tally)
    np.testing.assert_array_equal(game.board, before)
    assert tally.board.shape == (BOARD_CELLS,)


@pytest.mark.skipif(not JIT_ENABLED, reason="too slow without the JIT")
def test_finds_the_move_that_decides_a_race():
    """Four stones each in atari: only the capture wins."""
    game = game_of("""
        O O O O .
        X X X X .
        O O O O O
        . O . O .
        O O O O O""")
    for color, best in ((BLACK, to_point(5, 5)), (WHITE, to_point(5, 4))):
        points = game.legal_points(color)
        tally = flat_tally(points, 4)
        sample_moves(game.board, color, -6.0, 500, tally)
        assert points[int(tally.visits.argmax())] == best
