"""Open points by kind, against a slow twin that looks at one point after the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game
from engine.belief.open_points import BY_LIBERTIES, KINDS, LIBERTIES, LINES, STONES, open_by_kind
from engine.go.geometry import AREA, board_points, to_column_row
from tests.diagrams import game_of, liberties_at, random_games


def slow_open_by_kind(game: Game, ownership) -> list[float]:
    """Add up every point's doubt in the kinds that it belongs to."""
    found = [0.0] * KINDS
    for point in board_points(game.size):
        owner, color = ownership[point], game.color_at(point)
        doubt = 1 - owner**2
        column, row = to_column_row(point)
        from_edge = min(column, row, game.size + 1 - column, game.size + 1 - row)
        line = min(from_edge, 4) - 1
        if color in (BLACK, WHITE):
            sign = 1 if color == BLACK else -1
            liberties = min(len(liberties_at(game, point)), 5)
            found[4 + line] += owner * doubt
            found[8 + line] += sign * doubt
            found[12 + liberties - 1] += sign * doubt
        else:
            found[line] += owner * doubt
    return [x / game.size for x in found]


@given(random_games(largest=7, most_moves=40), st.integers(0, 2**32 - 1))
def test_it_is_the_slow_twins(game, seed):
    ownership = np.random.default_rng(seed).uniform(-1.0, 1.0, AREA)
    assert open_by_kind(game.board, ownership) == pytest.approx(slow_open_by_kind(game, ownership))


@given(random_games(largest=7, most_moves=40), st.integers(0, 2**32 - 1))
def test_settled_points_are_not_open(game, seed):
    ownership = np.random.default_rng(seed).choice([-1.0, 1.0], AREA)
    assert not open_by_kind(game.board, ownership).any()


def test_a_worked_example():
    """White's chain of two has five liberties, and belongs to White in half of the roll-outs."""
    game = game_of("""
        . . . . .
        . X . . .
        . . O O .
        . . . X .
        . . . . .""")
    ownership = np.zeros(AREA)
    for point in board_points(5):
        ownership[point] = 0.0 if game.color_at(point) == WHITE else 1.0
    chain = [p for p in board_points(5) if game.color_at(p) == WHITE]
    liberties = len(liberties_at(game, chain[0]))
    expected = np.zeros(KINDS)
    # One of the two stones is on the third line, the other on the second.
    expected[[STONES + 1, STONES + 2]] = -0.2
    expected[BY_LIBERTIES + min(liberties, LIBERTIES) - 1] = -0.4
    assert open_by_kind(game.board, ownership) == pytest.approx(expected)
    assert LINES == 4
