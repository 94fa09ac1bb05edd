"""Open points by kind, against a slow twin that looks at one point after the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BLACK, WHITE, Game
from engine.belief.open_points import KINDS, unsettled
from engine.go.geometry import AREA, board_points, to_column_row
from tests.diagrams import random_games


def slow_unsettled(game: Game, ownership) -> list[float]:
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
            liberties = min(len(game.liberties(point)), 5)
            found[4 + line] += owner * doubt
            found[8 + line] += sign * doubt
            found[12 + liberties - 1] += sign * doubt
        else:
            found[line] += owner * doubt
    return [x / game.size for x in found]


@given(random_games(largest=7, most_moves=40), st.integers(0, 2**32 - 1))
def test_it_is_the_slow_twins(game, seed):
    ownership = np.random.default_rng(seed).uniform(-1.0, 1.0, AREA)
    assert unsettled(game.board, ownership) == pytest.approx(slow_unsettled(game, ownership))
