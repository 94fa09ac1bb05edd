"""The slow twin of the board: stones in a dict, chains by flooding, superko by remembering.

Written from the rules of Go, with none of the kernels' tricks. A point is (column, row), both
counted from 1 at the lower left; a position is a dict from point to color.
"""

from collections import defaultdict
from functools import cache

EMPTY, BLACK, WHITE = 0, 1, 2
LEGAL, OCCUPIED, SUICIDE, KO, SUPERKO = "LEGAL", "OCCUPIED", "SUICIDE", "KO", "SUPERKO"

Point = tuple[int, int]
Stones = dict[Point, int]


def all_points(size: int) -> list[Point]:
    """Return all points of a board, row by row from the bottom."""
    return [(column, row) for row in range(1, size + 1) for column in range(1, size + 1)]


@cache
def neighbors(size: int, point: Point) -> tuple[Point, ...]:
    """Return the two to four points next to a point."""
    column, row = point
    around = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
    return tuple((c, r) for c, r in around if 1 <= c <= size and 1 <= r <= size)


def chain_at(stones: Stones, size: int, point: Point) -> set[Point]:
    """Return the stones connected to the stone at a point, itself included."""
    found = {point}
    frontier = [point]
    while frontier:
        for near in neighbors(size, frontier.pop()):
            if stones.get(near, EMPTY) == stones[point] and near not in found:
                found.add(near)
                frontier.append(near)
    return found


def liberties_of(stones: Stones, size: int, chain: set[Point]) -> set[Point]:
    """Return the empty points next to a chain."""
    return {near for stone in chain for near in neighbors(size, stone) if near not in stones}


def all_chains(stones: Stones, size: int) -> list[set[Point]]:
    """Return all chains of a position."""
    chains: list[set[Point]] = []
    known: set[Point] = set()
    for point in stones:
        if point not in known:
            chains.append(chain_at(stones, size, point))
            known |= chains[-1]
    return chains


def result_of(stones: Stones, size: int, color: int, point: Point) -> tuple[Stones, set, set]:
    """Return the stones after a move on an empty point, with the captured and the lost ones.

    Chains of the opponent without liberties are removed first, then those of the mover.
    """
    after = dict(stones)
    after[point] = color
    captured: set[Point] = set()
    for near in neighbors(size, point):
        if after.get(near, EMPTY) == 3 - color:
            chain = chain_at(after, size, near)
            if not liberties_of(after, size, chain):
                captured |= chain
    for stone in captured:
        after.pop(stone)
    own = chain_at(after, size, point)
    lost = set() if liberties_of(after, size, own) else own
    for stone in lost:
        after.pop(stone)
    return after, captured, lost


class ReferenceGame:
    """A game by the rules: superko "none", "positional" or "situational"; suicide or not."""

    def __init__(self, size: int, superko: str = "none", suicide: bool = False) -> None:
        self.size = size
        self.superko = superko
        self.suicide = suicide
        self.stones: Stones = {}
        self.ko: tuple[Point, int] | None = None  # the color and point of the ko ban
        self.captures = {BLACK: 0, WHITE: 0}
        # Past positions with the side to move after each, by their number of stones.
        self.past: dict[int, list[tuple[Stones, int]]] = defaultdict(list)
        self.past[0].append(({}, BLACK))

    def legality(self, color: int, point: Point) -> str:
        """Return why a move is legal or not, superko included."""
        if point in self.stones:
            return OCCUPIED
        if self.ko == (point, color):
            return KO
        after, _, lost = result_of(self.stones, self.size, color, point)
        if len(lost) == 1 or (lost and not self.suicide):
            return SUICIDE  # a single stone's suicide changes nothing: it is a pass
        return SUPERKO if self.repeats(after, 3 - color) else LEGAL

    def repeats(self, after: Stones, to_play: int) -> bool:
        """Return whether a position occurred before, as the superko rule counts."""
        if self.superko == "none":
            return False
        return any(
            after == stones and (self.superko == "positional" or to_play == turn)
            for stones, turn in self.past[len(after)]
        )

    def play(self, color: int, point: Point | None) -> set[Point]:
        """Play a legal move, or pass with None; return the captured stones."""
        gone: set[Point] = set()
        self.ko = None
        if point is not None:
            self.stones, captured, lost = result_of(self.stones, self.size, color, point)
            self.captures[color] += len(captured)
            self.captures[3 - color] += len(lost)
            gone = captured | lost
            # Simple ko: one stone took one stone, and could be retaken at once.
            if len(captured) == 1 and chain_at(self.stones, self.size, point) == {point}:
                if liberties_of(self.stones, self.size, {point}) == captured:
                    self.ko = (next(iter(captured)), 3 - color)
        self.past[len(self.stones)].append((self.stones, 3 - color))
        return gone
