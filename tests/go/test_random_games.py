"""The rules against a slow twin, on whole random games under every kind of superko."""

from random import Random

import pytest

from engine import BLACK, PASS, WHITE, Game, Rules, board_points, to_column_row
from tests.reference.board import ReferenceGame

VARIANTS = [
    Rules(f"{superko} {suicide}", "area", superko, suicide)
    for superko in ("none", "positional", "situational")
    for suicide in (False, True)
]


def legal_points(game, twin, color):
    """Compare the legality of every point; return the legal ones."""
    points = board_points(game.size)
    found = [game.legality(color, point).name for point in points]
    assert found == [twin.legality(color, to_column_row(point)) for point in points], str(game)
    return [point for point, code in zip(points, found, strict=True) if code == "LEGAL"]


def play_both(size, rules, random):
    """Play one random game on both boards."""
    game, twin = Game(size, rules), ReferenceGame(size, rules.superko, rules.suicide)
    for number in range(random.randint(size * size // 2, 2 * size * size + 12)):
        # Sometimes the same color moves again, because GTP does not enforce turns.
        color = game.to_play if random.random() < 0.97 else 3 - game.to_play
        legal = legal_points(game, twin, color)
        if number % 5 == 0:
            legal_points(game, twin, 3 - color)
        point = PASS if not legal or random.random() < 0.02 else random.choice(legal)
        game.play(color, point, superko=True)
        twin.play(color, None if point == PASS else to_column_row(point))
        stones = {to_column_row(p): c for c in (BLACK, WHITE) for p in game.stones(c)}
        assert stones == twin.stones, str(game)
        assert {c: game.captures(c) for c in (BLACK, WHITE)} == twin.captures, str(game)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("games", "largest"), [(40, 5), pytest.param(10_000, 19, marks=pytest.mark.long)]
)
def test_random_games(games, largest):
    random = Random(1)
    sizes = range(2, largest + 1)
    weights = [size**-2.5 for size in sizes]
    for number in range(games):
        # The first games take every size once. Most are small: a game costs size to the fourth.
        size = sizes[-1 - number] if number < len(sizes) else random.choices(sizes, weights)[0]
        play_both(size, VARIANTS[number % len(VARIANTS)], random)
