"""A move with the pictures before and after it, and the board turned to each of its edges."""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from engine.errors import MoveCode
from engine.explain.kinds import STONE, Effect, Kind
from engine.go.board import BLACK, COLOR, EMPTY, WALL, WHITE
from engine.go.geometry import AREA, PASS, board_points, lines_apart
from engine.go.history import Game
from engine.picture.picture import Chain, Picture, picture_of

OWN, RIVAL, BEYOND = BLACK, WHITE, WALL  # what a point has for the mover, who is Black in a view


class ShapeLimits(NamedTuple):
    """Limits of the recognition of shapes."""

    most: int = 2  # shapes of a move in its reasons
    answer: int = 2  # lines, at most, from the last move to its answer
    large: int = 13  # least size of a board with shapes of sides: on smaller ones they are corners
    crowded: float = 0.45  # stones a point from which on moves at the edge are the endgame's
    ladder_nodes: int = 2_000  # positions of one ladder
    net_nodes: int = 600  # of one net
    margin: int = 10  # points beyond the edges of a view


SHAPES = ShapeLimits()


@lru_cache(maxsize=8)
def _turned(size: int) -> list[tuple[list[list[int]], dict[int, tuple[int, int]]]]:
    """Return a board's points in its eight symmetries, by row and column, and their places."""
    points = np.pad(np.array(board_points(size)).reshape(size, size), SHAPES.margin)
    grids = [
        grid[::up, ::right].tolist()
        for grid in (points, points.T)
        for up in (1, -1)
        for right in (1, -1)
    ]
    margin = SHAPES.margin
    lines = range(margin, margin + size)
    return [
        (grid, {grid[y][x]: (x - margin + 1, y - margin + 1) for x in lines for y in lines})
        for grid in grids
    ]


class View(NamedTuple):
    """A position turned so that one edge lies below it and one to the left.

    grid, places  points by row and column, and the reverse
    x, y          column and row of the move, from 1
    """

    grid: list[list[int]]
    places: dict[int, tuple[int, int]]
    colors: list[int]  # by point: EMPTY, OWN, RIVAL or BEYOND
    size: int
    x: int
    y: int

    def point(self, x: int, y: int) -> int:
        """Return the point of a column and a row, PASS beyond the board."""
        return self.grid[y + SHAPES.margin - 1][x + SHAPES.margin - 1]

    def stones(self, color: int, columns: tuple[int, int], rows: tuple[int, int]) -> list[int]:
        """Return the stones of OWN or RIVAL in a rectangle, from left to right."""
        points = (
            self.point(x, y)
            for x in range(max(columns[0], 1), min(columns[1], self.size) + 1)
            for y in range(max(rows[0], 1), min(rows[1], self.size) + 1)
        )
        return [point for point in points if self.colors[point] == color]

    def beside(self, color: int, columns: tuple[int, int], rows: tuple[int, int]) -> list[int]:
        """Return the stones of a color in a rectangle around the move, counted from it."""
        x, y = self.x, self.y
        return self.stones(color, (x + columns[0], x + columns[1]), (y + rows[0], y + rows[1]))

    def is_free(self, lines: int) -> bool:
        """Return whether no stone is within some lines of the move."""
        return self.is_clear(*((at - lines, at + lines) for at in (self.x, self.y)))

    def is_clear(self, columns: tuple[int, int], rows: tuple[int, int]) -> bool:
        """Return whether a rectangle has no stones."""
        return not any(self.stones(color, columns, rows) for color in (OWN, RIVAL))


class Scene:
    """A legal move of a color, with the position before and after it."""

    def __init__(self, game: Game, color: int, move: int) -> None:
        self.game, self.color, self.move = game, color, move
        self.before = picture_of(game.board)
        self.later = game.copy()
        self.later.play(color, move, forced=True)  # a record may force a move
        self.after = picture_of(self.later.board)
        chains = self.after.chains_of([move])  # none after a suicide
        self.chain = chains[0] if chains else None
        self.is_safe = self.chain is not None and not self.chain.in_atari
        is_free = self.before.is_empty(move)
        self.own = self.before.beside([move], color) if is_free else []
        self.rivals = self.before.beside([move], 3 - color) if is_free else []
        self.taken = [chain for chain in self.rivals if chain.in_atari]

    @cached_property
    def views(self) -> list[View]:
        """The position before the move in its eight symmetries."""
        sides = (EMPTY, OWN, RIVAL, BEYOND) if self.color == BLACK else (EMPTY, RIVAL, OWN, BEYOND)
        colors, size = [sides[color] for color in self.before.colors], self.game.size
        return [
            View(
                grid=grid, places=places, colors=colors, size=size,
                x=places[self.move][0], y=places[self.move][1],
            )
            for grid, places in _turned(size)
        ]  # fmt: skip

    @cached_property
    def as_rival(self) -> Picture | None:
        """The picture after the opponent's stone in place of the move; None: it is illegal."""
        other = self._played(self.game, self.move)
        return None if other is None else picture_of(other.board)

    def distance(self, chain: Chain) -> int:
        """Return the lines from the move to a chain."""
        return min(lines_apart(self.move, stone) for stone in chain.stones)

    def splits(self, color: int, points: Iterable[int], stones: Iterable[int]) -> bool:
        """Return whether a color's stones at some points would part stones that are one group."""
        one, board = frozenset(stones), self.game.board.copy()
        # A group is of chains that share liberties.
        if not any(one <= group for group in self.before.groups):
            return False
        board[[COLOR + point for point in points]] = color
        parted = Picture(board[COLOR : COLOR + AREA].tobytes())
        return not any(one <= group for group in parted.groups)

    def rejoins(self, one: Chain, other: Chain) -> bool:
        """Return whether a reply at a liberty of two opposing chains makes them one group."""
        chains = (self.after.chain_at(chain.first) for chain in (one, other))
        replies = (self.after_reply(liberty) for chain in chains for liberty in chain.liberties)
        groups = (g for game in replies if game is not None for g in picture_of(game.board).groups)
        return any(one.stones | other.stones <= group for group in groups)

    def after_reply(self, reply: int) -> Game | None:
        """Return the game after an answer of the opponent; None if it is illegal."""
        return self._played(self.later, reply)

    def _played(self, game: Game, point: int) -> Game | None:
        """Return a game after a stone of the opponent; None if it is illegal."""
        played, rival = game.copy(), 3 - self.color
        if played.legality(rival, point) != MoveCode.LEGAL:
            return None
        played.play(rival, point, forced=True)
        return played

    def effect(self, kind: Kind, *chains: Chain, **fields: Any) -> Effect:
        """Return a shape of the move, about chains or about places."""
        stones = tuple(tuple(sorted(chain.stones)) for chain in chains)
        points = STONE * sum(map(len, stones))
        return Effect(kind, points, stones, self.color, (self.move, PASS))._replace(**fields)
