"""The slow twins of uniform and careful roll-outs: the same random numbers give the same game.

Only the order of the list of empty points comes from the kernels, because it decides the meaning of
a random number: a played point makes room for the last one; captured points come last; unplayable
points are swapped behind the window. The rules are the slow board's.
"""

from collections.abc import Callable

from tests.reference.board import (
    EMPTY,
    LEGAL,
    Point,
    ReferenceGame,
    all_points,
    chain_at,
    liberties_of,
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

    All neighbors are the color's, and the opponent has fewer than two of the diagonals, or none at
    the edge.
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
    """Return the legal points of a roll-out: no suicide, no own eye filled."""
    return {
        point
        for point in all_points(game.size)
        if game.legality(color, point) == LEGAL and not is_own_eye(game, color, point)
    }


def stones_exposed(game: ReferenceGame, color: int, point: Point) -> int:
    """Return the size of the chain in atari after a move; 0 if the move captures or breathes."""
    after, captured, _ = result_of(game.stones, game.size, color, point)
    chain = chain_at(after, game.size, point)
    return 0 if captured or len(liberties_of(after, game.size, chain)) > 1 else len(chain)


def answer_atari(game: ReferenceGame, color: int, last: Point | None) -> Point | None:
    """Return the answer to a move that stands in atari, or that gave atari; None: there is none."""
    if last not in game.stones:
        return None
    column, row = last
    around = [last, (column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
    for near in around:
        if near not in game.stones or (near != last and game.stones[near] != color):
            continue
        chain = chain_at(game.stones, game.size, near)
        liberties = liberties_of(game.stones, game.size, chain)
        if len(liberties) == 1:
            (point,) = liberties
            if game.legality(color, point) == LEGAL and not stones_exposed(game, color, point):
                return point
    return None


def choose(empties: list[Point], allowed: set[Point], rng: Xorshift) -> Point | None:
    """Draw empty points until one is allowed; the others go behind the window, in place."""
    window = len(empties)
    while window > 0:
        slot = rng.below(window)
        if empties[slot] in allowed:
            return empties[slot]
        window -= 1
        empties[slot], empties[window] = empties[window], empties[slot]
    return None


def put(
    game: ReferenceGame,
    color: int,
    chosen: Point | None,
    empties: list[Point],
    removal_order: Callable[[ReferenceGame, int, Point], list[Point]],
) -> None:
    """Play a move or pass, and keep the list of empty points as the board does."""
    if chosen is not None:
        empties[empties.index(chosen)] = empties[-1]
        empties.pop()
        order = removal_order(game, color, chosen)
        assert set(order) == result_of(game.stones, game.size, color, chosen)[1]
        empties.extend(order)
    game.play(color, chosen)


def play_carefully(
    game: ReferenceGame,
    color: int,
    rng: Xorshift,
    empties: list[Point],
    removal_order: Callable[[ReferenceGame, int, Point], list[Point]],
    throw_in: int = 3,
) -> None:
    """Play a careful random game to its end: ataris are answered, large chains not thrown in."""
    passes = length = 0
    point: Point | None = None
    while passes < 2 and length < 3 * game.size**2:
        point = answer_atari(game, color, point)
        if point is None:
            prudent = {
                p
                for p in playable_points(game, color)
                if stones_exposed(game, color, p) <= throw_in
            }
            point = choose(empties, prudent, rng)
        passes = passes + 1 if point is None else 0
        put(game, color, point, empties, removal_order)
        length += 1
        color = 3 - color


def roll_out(
    game: ReferenceGame,
    color: int,
    rng: Xorshift,
    empties: list[Point],
    limit: int,
    removal_order: Callable[[ReferenceGame, int, Point], list[Point]],
) -> tuple[int, int, dict[Point, int]]:
    """Play a random game to its end; return its moves, Black's area margin, and first players.

    empties        the empty points in the board's order; changes in place
    removal_order  the order in which a move's captured stones join the empties: the only order
                   that the rules leave open
    """
    first: dict[Point, int] = {}
    passes = length = 0
    while passes < 2 and length < limit:
        chosen = choose(empties, playable_points(game, color), rng)
        passes = passes + 1 if chosen is None else 0
        put(game, color, chosen, empties, removal_order)
        if chosen is not None:
            first.setdefault(chosen, color)
        length += 1
        color = 3 - color
    return length, area_score(game.stones, game.size), first
