"""The picture of a position: its chains and groups, and who borders on whom.

A picture is immutable and depends on the stones alone. ``engine.facts`` adds the status of each
chain on request; a printed picture then shows it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from engine.go.board import BLACK, COLOR, EMPTY, SIZE, WALL, WHITE, Board, Mask
from engine.go.components import components
from engine.go.drawing import board_text
from engine.go.geometry import AREA, STRIDE, board_points, format_vertex, neighbors
from engine.go.scoring import point_owners

Stones = frozenset[int]
StoneList = tuple[int, ...]
"""The stones of a chain or a group, sorted."""

_REMEMBERED = 128  # pictures; one of a full 19x19 board takes some 50 kB


class Chain(NamedTuple):
    """A chain of stones of a color, with its sorted liberties."""

    color: int
    stones: Stones
    liberties: tuple[int, ...]

    @property
    def first(self) -> int:
        """The chain's first stone, which names it."""
        return min(self.stones)

    @property
    def in_atari(self) -> bool:
        """Whether the chain has one liberty."""
        return len(self.liberties) == 1


class Picture:
    """The chains and groups of a position's stones.

    size      number of lines
    colors    by point: EMPTY, BLACK, WHITE or WALL
    chains    by their first stones
    statuses  a word for the status of stones and its basis, as far as somebody asked for them
    """

    def __init__(self, colors: bytes) -> None:
        self.colors: tuple[int, ...] = tuple(np.frombuffer(colors, np.uint16).tolist())
        self._chain_at = [-1] * AREA  # number of the chain at each point
        chains: list[Chain] = []
        for start, color in enumerate(self.colors):
            if color in (BLACK, WHITE) and self._chain_at[start] < 0:
                chains.append(self._chain_from(start, len(chains)))
        self.chains = tuple(chains)
        self.size = round((AREA - self.colors.count(WALL)) ** 0.5)
        self.statuses: Mapping[int, tuple[str, str]] = {}

    def _chain_from(self, start: int, number: int) -> Chain:
        """Return the chain of a stone, whose points get its number."""
        colors, stones, liberties = self.colors, [start], set()
        self._chain_at[start] = number
        for stone in stones:  # the list grows during the loop
            # A call of ``neighbors`` would take most of the time.
            for near in (stone + 1, stone - 1, stone + STRIDE, stone - STRIDE):
                if colors[near] == EMPTY:
                    liberties.add(near)
                elif colors[near] == colors[start] and self._chain_at[near] < 0:
                    self._chain_at[near] = number
                    stones.append(near)
        return Chain(colors[start], frozenset(sorted(stones)), tuple(sorted(liberties)))

    @cached_property
    def points(self) -> tuple[int, ...]:
        """All points of the board, row by row."""
        return tuple(board_points(self.size))

    def is_empty(self, point: int) -> bool:
        """Return whether a point of the board has no stone."""
        return self.colors[point] == EMPTY

    def chain_at(self, stone: int) -> Chain:
        """Return the chain of a stone. Raises KeyError where there is none."""
        if self._chain_at[stone] < 0:
            raise KeyError(stone)
        return self.chains[self._chain_at[stone]]

    def chains_of(self, stones: Iterable[int]) -> list[Chain]:
        """Return the chains of some stones, by their first stones."""
        numbers = {self._chain_at[stone] for stone in stones} - {-1}
        return [self.chains[number] for number in sorted(numbers)]

    def liberties_of(self, stones: Iterable[int]) -> set[int]:
        """Return the liberties of all chains that some stones belong to."""
        return {point for chain in self.chains_of(stones) for point in chain.liberties}

    def beside(self, stones: Iterable[int], color: int) -> list[Chain]:
        """Return the chains of a color that touch some points, by their first stones."""
        return self.chains_of(self.around(stones, color))

    def around(self, points: Iterable[int], color: int) -> set[int]:
        """Return the points of a color, or the EMPTY ones, that are beside some points."""
        near = {other for point in points for other in neighbors(point)}
        return {point for point in near if self.colors[point] == color}

    def opponents_of(self, chain: Chain) -> list[Chain]:
        """Return the opposing chains that touch a chain, by their first stones."""
        return self.beside(chain.stones, 3 - chain.color)

    @cached_property
    def groups(self) -> tuple[Stones, ...]:
        """The groups, by their first stones: a color's chains that share a liberty are one."""
        return tuple(join_chains(self.chains))

    @cached_property
    def board(self) -> Board:
        """The size and the colors without chains, moves and a ko: uint16[COLOR + AREA]."""
        board = np.zeros(COLOR + AREA, np.uint16)
        board[SIZE], board[COLOR:] = self.size, self.colors
        return board

    def owners(self, dead: Collection[int] = ()) -> Mask:
        """Return the owner of each point as ``point_owners`` does, without the dead stones."""
        return point_owners(self.board, dead)

    def __str__(self) -> str:
        """The board, and a line for each group, with its status and the basis of it."""
        return "\n".join([board_text(self.board), *self._group_lines()])

    def _group_lines(self) -> Iterator[str]:
        for group in self.groups:
            color = "black" if self.colors[min(group)] == BLACK else "white"
            count = len(self.liberties_of(group))
            line = f"{color} {format_vertex(min(group))}: {len(group)} stones, {count} liberties"
            words = sorted({self.statuses[stone] for stone in group if stone in self.statuses})
            yield "; ".join([line, *(f"{status} ({basis})" for status, basis in words)])


@lru_cache(maxsize=_REMEMBERED)
def _drawn(colors: bytes) -> Picture:
    return Picture(colors)


def picture_of(board: Board) -> Picture:
    """Return a board's picture; the same object for the same stones while it is remembered."""
    return _drawn(board[COLOR : COLOR + AREA].tobytes())


def join_chains(chains: Sequence[Chain], shared: int = 1) -> list[Stones]:
    """Return groups of a color's chains that share ``shared`` liberties, by their first stones."""
    liberties = [frozenset(chain.liberties) for chain in chains]

    def near(one: int) -> Iterator[int]:
        # Chain by chain: two chains do not touch each other because a third one is near both.
        for other, chain in enumerate(chains):
            if (
                chain.color == chains[one].color
                and len(liberties[one] & liberties[other]) >= shared
            ):
                yield other

    groups = components(range(len(chains)), near)
    return sorted((frozenset().union(*(chains[i].stones for i in g)) for g in groups), key=min)
