"""Golden counts: legal positions, and game trees under positional superko without passes.

The numbers of legal positions are OEIS A094777. The trees were counted by brute force, and checked
against sgfmill's board where the tables say so.
"""

import itertools

import pytest

from engine import BLACK, WHITE, BadSetup, Game, Rules, board_points
from engine.jit import JIT_ENABLED

NO_SUICIDE = Rules("perft", "area", "positional")
SUICIDE = Rules("perft", "area", "positional", suicide=True)


def perft(game: Game, color: int, depth: int) -> int:
    """Return the number of move sequences of a length, colors alternating."""
    points = game.legal_points(color)
    if depth == 1:
        return len(points)
    total = 0
    for point in points:
        game.play(color, point)
        total += perft(game, 3 - color, depth - 1)
        game.undo()
    return total


def _cases(size: int, counts: list[int], quick: int, rules: Rules = NO_SUICIDE) -> list:
    """Return one case a depth; those beyond ``quick`` are slow."""
    return [
        pytest.param(
            size,
            depth,
            count,
            rules,
            id=f"{size}x{size}-{depth}{'-suicide' if rules.suicide else ''}",
            marks=[pytest.mark.slow] if depth > (quick if JIT_ENABLED else quick - 2) else [],
        )
        for depth, count in enumerate(counts, 1)
        if count
    ]


@pytest.mark.golden
@pytest.mark.parametrize(
    ("size", "depth", "count", "rules"),
    [
        *_cases(2, [4, 12, 24, 16, 32, 32, 16, 48], 10),
        *_cases(3, [9, 72, 504, 2976, 14720, 56176], 6),
        *_cases(3, [0, 0, 0, 0, 0, 57040], 6, SUICIDE),
        *_cases(4, [16, 240, 3360, 43576], 4),
    ],
)
def test_perft(size, depth, count, rules):
    assert perft(Game(size, rules), BLACK, depth) == count


@pytest.mark.golden
@pytest.mark.parametrize(
    ("size", "count"),
    [(2, 57), pytest.param(3, 12675, marks=[] if JIT_ENABLED else [pytest.mark.slow])],
)
def test_legal_positions(size, count):
    legal = 0
    for colors in itertools.product((0, BLACK, WHITE), repeat=size * size):
        placed = list(zip(board_points(size), colors, strict=True))
        stones = ([point for point, color in placed if color == c] for c in (BLACK, WHITE))
        try:
            Game(size).setup(*stones, BLACK)
            legal += 1
        except BadSetup:
            pass
    assert legal == count
