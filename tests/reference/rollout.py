"""The slow twin of uniform roll-outs: the same random numbers give the same game.

Only the order of the list of empty points is taken over from the kernels (a point played makes
room for the last one; points taken off come last; points found unplayable are swapped behind the
window), because it decides what a random number means. The rules are the slow board's.
"""

from collections.abc import Callable

from tests.reference.board import (
    EMPTY,
    LEGAL,
    Point,
    ReferenceGame,
    all_points,
    neighbors,
    result_of,
)
from tests.reference.scoring import area_score

_MASK = 2**64 - 1


class Xorshift:
    """Marsaglia's 64-bit xorshift (13, 7, 17) with Python integers."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, bound: int) -> int:
        """Return a number below a bound: the upper half of the state, scaled."""
        x = self.state
        x ^= (x << 13) & _MASK
        x ^= x >> 7
        x ^= (x << 17) & _MASK
        self.state = x
        return ((x >> 32) * bound) >> 32


def is_own_eye(game: ReferenceGame, color: int, point: Point) -> bool:
    """Return whether a point is a real eye of a color.

    All neighbors are the color's, and the opponent has fewer than two of the diagonals, or none
    at the edge.
    """
    size, stones = game.size, game.stones
    if any(stones.get(near, EMPTY) != color for near in neighbors(size, point)):
        return False
    column, row = point
    diagonals = [(column + i, row + j) for i in (1, -1) for j in (1, -1)]
    inside = [(c, r) for c, r in diagonals if 1 <= c <= size and 1 <= r <= size]
    hostile = sum(stones.get(diagonal, EMPTY) == 3 - color for diagonal in inside)
    return hostile < (2 if len(inside) == 4 else 1)


def playable_points(game: ReferenceGame, color: int) -> set[Point]:
    """Return where a roll-out may play: legal, no suicide, no own eye filled."""
    return {
        point
        for point in all_points(game.size)
        if game.legality(color, point) == LEGAL and not is_own_eye(game, color, point)
    }


def roll_out(
    game: ReferenceGame,
    color: int,
    rng: Xorshift,
    empties: list[Point],
    limit: int,
    removal_order: Callable[[ReferenceGame, int, Point], list[Point]],
) -> tuple[int, int, dict[Point, int]]:
    """Play a random game to its end; return its moves, Black's area margin, and who came first.

    empties        the empty points in the board's order; changes in place
    removal_order  the order in which a move's captured stones join the empties: the one thing
                   that the rules leave open
    """
    first: dict[Point, int] = {}
    passes = length = 0
    while passes < 2 and length < limit:
        playable = playable_points(game, color)
        chosen = None
        window = len(empties)
        while chosen is None and window > 0:
            slot = rng.below(window)
            if empties[slot] in playable:
                chosen = empties[slot]
            else:
                window -= 1
                empties[slot], empties[window] = empties[window], empties[slot]
        if chosen is None:
            passes += 1
            game.play(color, None)
        else:
            passes = 0
            empties[empties.index(chosen)] = empties[-1]
            empties.pop()
            order = removal_order(game, color, chosen)
            gone = result_of(game.stones, game.size, color, chosen)[1]
            assert set(order) == gone
            empties.extend(order)
            game.play(color, chosen)
            first.setdefault(chosen, color)
        length += 1
        color = 3 - color
    return length, area_score(game.stones, game.size), first
