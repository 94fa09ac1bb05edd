"""Resigning: hopeless moves in a row, by color, and never early against handicap stones."""

import pytest

from engine import BLACK, WHITE, Game
from engine.resigning import Resigning


@pytest.mark.parametrize(
    ("chances", "expected"),
    [
        ((0.03, 0.03, 0.03, 0.03), [False, False, True, True]),
        ((0.03, 0.03, 0.04, 0.03, 0.03, 0.0), [False] * 5 + [True]),
    ],
)
def test_hopeless_moves_are_counted_in_a_row(chances, expected):
    resigning, game = Resigning(), Game(5)
    assert [resigning.gives_up(game, BLACK, won, 4.0) for won in chances] == expected


def test_colors_are_counted_apart():
    resigning, game = Resigning(), Game(5)
    colors = (BLACK, BLACK, WHITE, WHITE, BLACK)
    said = [resigning.gives_up(game, color, 0.0, 4.0) for color in colors]
    assert said == [False] * 4 + [True]


def test_nobody_resigns_without_a_threshold():
    resigning, game = Resigning(), Game(5)
    assert not any(resigning.gives_up(game, BLACK, 0.0, None) for _ in range(5))
